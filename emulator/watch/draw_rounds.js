// One shared array from round to round: a row for what it holds after each, with what was written in it and, for some
// elements, from where.

/** What the threads had read in a round when they wrote: element that was written → elements that were read. */
function flowsOf(trace, block, array, round) {
    const flows = new Map();
    round.warps.forEach((steps, warp) => {
        const read = new Map(); // lane → elements
        for (const step of steps) {
            const operation = trace.sites[step.site].operation;
            if (step.array === undefined) continue;
            for (const access of accessesOf(trace, block.launch, warp, step)) {
                if (access.array !== array || access.at === undefined) continue;
                const element = Math.floor(access.at / array.element);
                if (!read.has(access.lane)) read.set(access.lane, new Set());
                if (operation === "load") read.get(access.lane).add(element);
                if (operation !== "store") continue;
                if (!flows.has(element)) flows.set(element, new Set());
                for (const source of read.get(access.lane)) flows.get(element).add(source);
            }
        }
    });
    return flows;
}

function drawRounds(trace, contents, block, { array, width, first = 0, count, rounds = 14 }) {
    const drawing = new Drawing(width);
    const elements = Math.max(1, Math.floor(array.bytes / array.element));
    const zoom = Math.min(elements - first, count || (width >= 640 ? 16 : 8));
    const flows = block.rounds.map((round) => flowsOf(trace, block, array, round));
    const busy = flows.reduce((last, flow, number) => (flow.size > 0 ? number + 1 : last), 1);
    const shown = block.rounds.slice(0, Math.min(busy, rounds));
    const left = 104;
    if (elements > zoom) drawWholeArray(drawing, contents, block, { array, elements, shown, left, first, zoom });
    const top = drawing.height + (drawing.height > 0 ? 22 : 0);
    const cell = Math.min(64, (width - left - 4) / zoom);
    for (let i = 0; i < zoom; ++i) {
        drawing.fit(left + (i + 0.5) * cell, top + 10, cell - 4, subscripts(array, first + i), "muted", "middle", 11);
    }
    drawing.text(0, top + 10, array.name, "mono bold");
    const pitch = 56;
    shown.forEach((round, number) => {
        const y = top + 16 + number * pitch;
        drawing.text(0, y + 17, say("after round {1}", number), "muted");
        const away = new Set();
        for (let i = 0; i < zoom; ++i) {
            const state = stateOfElement(contents, block, array, first + i, round);
            drawing.rect(left + i * cell + 0.5, y, cell - 2, 26, state.style, { radius: 2 });
            const x = left + (i + 0.5) * cell;
            const text = formatValue(state.value, lettersIn(cell - 4));
            drawing.fit(x, y + 17, cell - 5, text, state.written ? "bold" : "muted", "middle", 12);
            for (const source of number > 0 ? flows[number].get(first + i) || [] : []) {
                const from = source - first;
                if (from >= 0 && from < zoom) {
                    drawing.arrow(left + (from + 0.5) * cell, y - pitch + 27, x + 5 * Math.sign(from - i), y - 1);
                } else {
                    away.add(source);
                    drawing.arrow(from < 0 ? x - 16 : x + 16, y - 13, from < 0 ? x - 4 : x + 4, y - 1);
                }
            }
        }
        const others = [...away].sort((a, b) => a - b);
        if (others.length > 0) drawing.fit(0, y + 31, left - 6, `+ ${runInWords(array, others)}`, "muted", "start", 10);
    });
    const more = busy - shown.length;
    const rest = plural(more, "… and {1} more round", "… and {1} more rounds");
    if (more > 0) drawing.text(0, drawing.height + 16, rest, "muted");
    return drawing;
}

function runInWords(array, elements) {
    const last = elements[elements.length - 1];
    if (last - elements[0] === elements.length - 1) return rangeName({ ...array, name: "" }, elements[0], last);
    return plural(elements.length, "{1} other", "{1} others");
}

function stateOfElement(contents, block, array, element, round) {
    const unit = Math.floor((element * array.element) / array.unit);
    const units = array.element / array.unit;
    const end = round.start + round.columns - 1;
    let written = false;
    const values = [];
    for (let i = 0; i < units; ++i) {
        values.push(contents.at(array, unit + i, block, end));
        written = written || contents.written(array, unit + i, block, round.start - 1, end);
    }
    const value = units === 1 ? values[0] : values;
    const unknown = value === undefined || value === null;
    return { value, written, style: written ? "shared-soft" : unknown ? "faintbox" : "box" };
}

/** All elements of the array as thin cells, a row a round. */
function drawWholeArray(drawing, contents, block, { array, elements, shown, left, first, zoom }) {
    const room = drawing.width - left - 4;
    const most = Math.min(elements, 1024);
    const cell = room / most;
    drawing.text(left, 11, say("all {1} elements: written in this round, or not", elements), "muted small");
    shown.forEach((round, number) => {
        const y = 18 + number * 13;
        drawing.text(0, y + 9, say("after round {1}", number), "muted small");
        drawing.rect(left, y, room, 10, "idle");
        let run = -1;
        for (let i = 0; i <= most; ++i) {
            const written = i < most && stateOfElement(contents, block, array, i, round).written;
            if (written && run < 0) run = i;
            if (!written && run >= 0) {
                drawing.rect(left + run * cell, y, (i - run) * cell, 10, "shared");
                run = -1;
            }
        }
    });
    const y = drawing.height + 4;
    drawing.path(`M${short(left + first * cell)} ${y}v5H${short(left + (first + zoom) * cell)}v-5`, "arrow");
    drawing.text(left + (first + zoom) * cell + 6, y + 8, say("these below"), "muted small");
    drawing.reach(y + 10);
}
