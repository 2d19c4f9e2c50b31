// The lanes of a step: which take part, what each one names, and what it read or wrote.

function drawLanes(trace, block, { warp, column, width }) {
    const launch = block.launch;
    const step = stepAt(block, warp, column);
    const operation = step && trace.sites[step.site].operation === "warp operation";
    if (operation && width / LANES >= 20) return null; // drawWarpOperation() shows as much
    const drawing = new Drawing(width);
    const row = width >= 1080 ? 32 : width >= 540 ? 16 : 8;
    const cell = Math.min(60, (width - 1) / row);
    const high = 46;
    const present = lanesOfWarp(launch, warp);
    const colour = step ? colourOf(kindOf(trace.sites[step.site])) : "";
    const accesses = new Map(step ? accessesOf(trace, launch, warp, step).map((access) => [access.lane, access]) : []);
    const bytes = step ? trace.sites[step.site].bytes : 0;
    const marked = markedLanes(block, warp, column);
    for (let lane = 0; lane < LANES; ++lane) {
        const x = (lane % row) * cell;
        const y = Math.floor(lane / row) * (high + 6);
        if (lane >= present) continue;
        const access = accesses.get(lane);
        const title = titleOfLane(lane, access);
        drawing.rect(x + 0.5, y + 0.5, cell - 2, high, access ? `${colour}-soft` : "idle", { radius: 3, title });
        drawing.fit(x + cell / 2, y + 12, cell - 4, lane, "muted", "middle", 10);
        if (marked.includes(lane)) {
            drawing.rect(x + 1, y + 1, cell - 3, high - 1, "named", { radius: 3 });
            drawing.path(`M${short(x + cell - 16)} ${y + 1}h14v14z`, "mark");
        }
        if (!access) continue;
        drawing.fit(x + cell / 2, y + 27, cell - 5, labelOfLane(access, bytes), "", "middle", 11);
        drawing.fit(x + cell / 2, y + 41, cell - 5, valueOfLane(access, lettersIn(cell - 5)), "bold", "middle", 12);
    }
    return drawing;
}

function labelOfLane(access, bytes) {
    if (access.source !== undefined) return `←${access.source}`;
    if (access.array === undefined || access.at === undefined) return "";
    if (access.array.extents.length === 0) return access.array.name;
    const first = Math.floor(access.at / access.array.element);
    const several = bytes > access.array.element;
    return several ? subscripts(access.array, first).replace(/]$/, "…]") : subscripts(access.array, first);
}

/** What was read or written; of atomics what the word held, and holds. */
function valueOfLane(access, letters) {
    if (access.array === undefined || access.before === undefined) return formatValue(access.value, letters);
    const both = `${formatValue(access.before, 99)}→${formatValue(access.value, 99)}`;
    return both.length <= letters ? both : `→${formatValue(access.value, letters - 1)}`;
}

function titleOfLane(lane, access) {
    if (!access) return say("lane {1}: not active", lane);
    const located = access.array && access.at !== undefined;
    const name = located ? ` ${elementName(access.array, Math.floor(access.at / access.array.element))}` : "";
    const source = access.source === undefined ? "" : say(" from lane {1}", access.source);
    const before = access.before === undefined ? "" : say(", before: {1}", wholeValue(access.before));
    return `${say("lane {1}", lane)}:${name} ${wholeValue(access.value)}${source}${before}`;
}
