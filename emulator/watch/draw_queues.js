// Lanes that want the same address: atomic operations stand in line, constant memory answers one address at a time.

/** The addresses of a request, the most wanted first: {array, at, accesses}. */
function queuesOf(accesses) {
    const queues = new Map();
    for (const access of accesses) {
        const key = `${access.array.number}:${access.at}`;
        if (!queues.has(key)) queues.set(key, { array: access.array, at: access.at, accesses: [] });
        queues.get(key).accesses.push(access);
    }
    return [...queues.values()].sort((a, b) => b.accesses.length - a.accesses.length || a.at - b.at);
}

function drawQueues(trace, block, { warp, column, width, motion }) {
    const step = stepAt(block, warp, column);
    const site = trace.sites[step.site];
    const atomic = site.operation === "atomic";
    const colour = colourOf(kindOf(site));
    const drawing = new Drawing(width);
    const accesses = locatedAccesses(trace, block, warp, step);
    const queues = queuesOf(accesses);
    const name = width > 500 ? 150 : 96;
    const longest = Math.max(3, queues[0].accesses.length);
    const chip = Math.max(8, Math.min(30, (width - name - 8) / longest));
    const columns = Math.max(1, Math.min(4, Math.floor((width + 30) / (name + longest * chip + 30)), queues.length));
    const busy = queues.filter((queue) => queue.accesses.length > 1);
    const shown = (busy.length > 0 ? busy : queues).slice(0, Math.max(16, 8 * columns));
    const rows = Math.ceil(shown.length / columns);
    shown.forEach((queue, i) => {
        const left = Math.floor(i / rows) * (name + longest * chip + 30);
        const y = (i % rows) * 30 + 2;
        const element = elementName(queue.array, Math.floor(queue.at / queue.array.element));
        const first = queue.accesses[0];
        const change = (last) => `${formatValue(first.before, 8)} → ${formatValue(last.value, 8)}`;
        const value = atomic ? change(queue.accesses[queue.accesses.length - 1]) : formatValue(first.value, 8);
        drawing.rect(left + 0.5, y, name - 12, 26, `${colour}-soft`, { radius: 3, title: `${element}: ${value}` });
        drawing.fit(left + 6, y + 11, name - 24, element, "", "start", 10.5);
        const says = (text) => () => drawing.fit(left + 6, y + 22, name - 24, text, "bold", "start", 10.5);
        const turns = motion ? queue.accesses.length : 0;
        for (let i = 1; i < turns; ++i) drawing.during(i, says(change(queue.accesses[i - 1])), i + 1);
        drawing.during(turns, says(value));
        queue.accesses.forEach((access, place) => {
            const x = left + name + place * chip;
            const idle = atomic && access.before === access.value;
            const own = atomic ? `, ${wholeValue(access.before)} → ${wholeValue(access.value)}` : "";
            const title = `${say("lane {1}", access.lane)}${own}`;
            const draw = (style, letters) => () => {
                drawing.rect(x, y + 2, chip - 2, 22, style, { radius: 3, title });
                drawing.fit(x + chip / 2 - 1, y + 17, chip - 3, access.lane, letters, "middle", 11);
            };
            if (motion) draw("box", "")();
            drawing.during(motion ? place + 1 : 0, idle ? draw("box", "") : draw(colour, "on"));
        });
    });
    const more = queues.length - shown.length;
    const lonely = shown.length === busy.length ? say(", with one lane each") : "";
    const rest = `${plural(more, "… and {1} more address", "… and {1} more addresses")}${lonely}`;
    if (more > 0) drawing.text(0, drawing.height + 16, rest, "muted");
    return drawing;
}
