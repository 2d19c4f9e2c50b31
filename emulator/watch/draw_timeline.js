// Warps × steps: a row a warp, a column a step, a line through all warps where they wait for each other.

const LETTERS = {
    "global-load": "R", "global-store": "W", "shared-load": "R", "shared-store": "W",
    constant: "R", atomic: "A", warp: "⇄", fence: "F",
};
const LEGEND = {
    "global-load": say("global: R read"), "global-store": say("W write"),
    "shared-load": say("shared: R read"), "shared-store": say("W write"),
    constant: say("constant"), atomic: say("atomic"), warp: say("warp operation"), fence: say("fence"),
};

/** Which columns are drawn, and how wide: all, or as many around the current one as have room. */
function windowOfTimeline(block, column, room) {
    if (block.columns * 16 <= room) return { first: 0, count: block.columns, cell: Math.min(36, room / block.columns) };
    const count = Math.min(block.columns, Math.max(4, Math.floor(room / 20)));
    const page = Math.max(1, count >> 1);
    const first = Math.max(0, Math.min(block.columns - count, (Math.floor(column / page) - 0.5) * page));
    return { first: Math.round(first), count, cell: room / count };
}

function drawTimeline(trace, block, { warp, column, width }) {
    const launch = block.launch;
    const drawing = new Drawing(width);
    const left = 62;
    const { first, count, cell } = windowOfTimeline(block, column, width - left - 8);
    const high = launch.warps > 16 ? 15 : launch.warps > 8 ? 20 : 26;
    const top = 26;
    const bottom = top + launch.warps * high;
    const xOf = (at) => left + (at - first) * cell;
    const last = first + count - 1;

    drawing.rect(xOf(column), top - 4, cell, bottom - top + 8, "band");
    const begin = roundNumberOf(block, first);
    const end = roundNumberOf(block, last);
    drawing.rect(0, top + warp * high, width, high, "band", { radius: 3 });
    for (let w = 0; w < launch.warps; ++w) {
        const y = top + w * high;
        drawing.text(left - 8, y + high / 2 + 4, say("warp {1}", w), w === warp ? "bold" : "muted", "end");
        for (let at = first; at <= last; ++at) {
            drawStepCell(drawing, trace, block, w, at, { x: xOf(at), y: y + 1, cell, high: high - 2 });
        }
    }
    for (let r = begin; r <= end; ++r) drawRound(drawing, block, r, { first, last, xOf, top, bottom });
    drawing.rect(xOf(column), top + warp * high, cell, high, "now", { radius: 3 });
    drawing.reach(bottom + 6);
    if (count < block.columns) drawOverview(drawing, block, { first, count, column, left, width });
    drawing.text(left, drawing.height + 14, say("order, not time →"), "muted small");
    drawing.append(drawLegend(trace, block, width, left), 6);
    return drawing;
}

function drawStepCell(drawing, trace, block, w, at, { x, y, cell, high }) {
    const step = stepAt(block, w, at);
    if (!step) return;
    const launch = block.launch;
    const kind = kindOf(trace.sites[step.site]);
    const colour = colourOf(kind);
    const solid = kind === "global-store" || kind === "shared-store";
    const strip = Math.max(3, Math.round(high * 0.22));
    const data = ` data-warp="${w}" data-column="${at}"`;
    drawing.rect(x + 1, y, cell - 2, high, solid ? colour : `${colour}-soft`, { radius: 2, data });
    if (cell >= 13 && high >= 13) {
        const style = solid ? "small bold on" : "small bold";
        drawing.text(x + cell / 2, y + (high - strip) / 2 + 4, LETTERS[kind], style, "middle");
    }
    const room = cell - 4;
    drawing.rect(x + 2, y + high - strip - 1, room, strip, "paper");
    for (const [lane, lanes] of laneRuns(launch, w, step)) {
        drawing.rect(x + 2 + (room * lane) / LANES, y + high - strip - 1, (room * lanes) / LANES, strip, "ink");
    }
    if (launch.marks.size > 0 && markedLanes(block, w, at).length > 0) {
        drawing.path(`M${short(x + cell - 13)} ${y - 1}h13v13z`, "mark");
    }
}

function drawRound(drawing, block, number, { first, last, xOf, top, bottom }) {
    const round = block.rounds[number];
    const from = Math.max(first, round.start);
    const to = Math.min(last + 1, round.start + round.columns);
    const room = xOf(to) - xOf(from);
    const label = room > 52 ? say("round {1}", number) : room > 14 ? String(number) : "";
    drawing.text((xOf(from) + xOf(to)) / 2, top - 10, label, "muted small", "middle");
    if (to !== round.start + round.columns || number === block.rounds.length - 1) return;
    drawing.line(xOf(to), top - 6, xOf(to), bottom + 4, "barrier");
    if (round.grid) drawing.line(xOf(to) - 3, top - 6, xOf(to) - 3, bottom + 4, "barrier");
}

/** The whole block in one strip: how many lanes are active, the barriers, and the part that is shown above. */
function drawOverview(drawing, block, { first, count, column, left, width }) {
    const y = drawing.height + 8;
    const high = 22;
    const room = width - left - 8;
    const activity = block.activity || (block.activity = activityOf(block));
    const scale = room / block.columns;
    drawing.rect(left, y, room, high, "faintbox", { data: ' data-overview="1"' });
    const bars = Math.min(block.columns, Math.floor(room / 2));
    let path = `M${left} ${y + high}`;
    for (let i = 0; i < bars; ++i) {
        const from = Math.floor((i * block.columns) / bars);
        const to = Math.max(from + 1, Math.floor(((i + 1) * block.columns) / bars));
        let most = 0;
        for (let at = from; at < to; ++at) most = Math.max(most, activity[at]);
        path += `L${short(left + from * scale)} ${short(y + high - most * (high - 2))}H${short(left + to * scale)}`;
    }
    drawing.path(`${path}V${y + high}Z`, "activity");
    if (block.rounds.length * 4 < room) {
        for (const { start } of block.rounds.slice(1)) {
            drawing.line(left + start * scale, y, left + start * scale, y + high, "arrow");
        }
    }
    drawing.rect(left + first * scale, y, Math.max(4, count * scale), high, "now", { radius: 2 });
    drawing.line(left + (column + 0.5) * scale, y, left + (column + 0.5) * scale, y + high, "barrier");
    drawing.text(left - 8, y + 15, say("all"), "muted", "end");
    drawing.reach(y + high + 2);
}

/** For each column, the part of the block's lanes that does something. */
function activityOf(block) {
    const activity = new Float32Array(block.columns);
    for (const round of block.rounds) {
        round.warps.forEach((steps, warp) =>
            steps.forEach((step, i) => {
                const lanes = laneRuns(block.launch, warp, step).reduce((sum, run) => sum + run[1], 0);
                activity[round.start + i] += lanes / block.launch.threads;
            }),
        );
    }
    return activity;
}

function drawLegend(trace, block, width, left) {
    const drawing = new Drawing(width);
    const kinds = block.kinds || (block.kinds = kindsOf(trace, block));
    let x = left;
    let y = 12;
    const items = Object.keys(LEGEND).filter((kind) => kinds.has(kind));
    for (const kind of [...items, "lanes", "barrier"]) {
        const label = kind === "lanes" ? say("active lanes") : kind === "barrier" ? say("barrier") : LEGEND[kind];
        if (kind === "barrier" && block.rounds.length < 2) continue;
        const room = 24 + lettersOf(label) * 5.9;
        if (x + room > width && x > left) {
            x = left;
            y += 18;
        }
        const colour = colourOf(kind);
        if (kind === "lanes") {
            drawing.rect(x, y - 6, 14, 4, "ink");
        } else if (kind === "barrier") {
            drawing.line(x + 7, y - 10, x + 7, y + 2, "barrier");
        } else {
            drawing.rect(x, y - 10, 14, 12, kind.endsWith("store") ? colour : `${colour}-soft`, { radius: 2 });
        }
        drawing.text(x + 19, y, label, "muted small");
        x += room + 6;
    }
    return drawing;
}

function kindsOf(trace, block) {
    const sites = new Set();
    for (const round of block.rounds) for (const steps of round.warps) for (const step of steps) sites.add(step.site);
    return new Set([...sites].map((site) => kindOf(trace.sites[site])));
}
