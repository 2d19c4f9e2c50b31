// One shared array from round to round: a row for what it holds after each, with what was written in it and, for some
// elements, from where.

/** For each round, element that was written → elements that the thread had read: in that round, or else since it wrote
    last. What it had written itself and did not read again, it has kept. */
function flowsOf(trace, block, array) {
    const read = new Map(); // thread → {round, elements}
    const writers = new Map(); // element → thread
    return block.rounds.map((round) => {
        const flows = new Map();
        const wrote = new Set();
        for (const { thread, element, operation } of accessesOfRound(trace, block, array, round)) {
            if (operation === "load" && read.get(thread)?.round !== round) read.set(thread, { round, elements: [] });
            if (operation === "load") read.get(thread).elements.push(element);
            if (operation !== "store") continue;
            if (!flows.has(element)) flows.set(element, new Set());
            for (const source of read.get(thread)?.elements || []) flows.get(element).add(source);
            if (writers.get(element) === thread) flows.get(element).add(element);
            writers.set(element, thread);
            wrote.add(thread);
        }
        for (const thread of wrote) read.delete(thread);
        return flows;
    });
}

/** What each thread does with the array in a round, in its order. */
function* accessesOfRound(trace, block, array, round) {
    for (const [warp, steps] of round.warps.entries()) {
        for (const step of steps.filter((one) => one.array !== undefined)) {
            const { operation } = trace.sites[step.site];
            for (const access of locatedAccesses(trace, block, warp, step)) {
                if (access.array !== array) continue;
                yield { thread: warp * LANES + access.lane, element: Math.floor(access.at / array.element), operation };
            }
        }
    }
}

/** Rounds that leave what is shown as it was share a row: {from, to, states, flows}. */
function rowsOfRounds(trace, contents, block, array, shown) {
    const flows = flowsOf(trace, block, array);
    const busy = flows.reduce((last, flow, number) => (flow.size > 0 ? number + 1 : last), 1);
    const rows = [];
    for (let number = 0; number < busy; ++number) {
        const states = shown.map((element) => stateOfElement(contents, block, array, element, block.rounds[number]));
        const last = rows[rows.length - 1];
        if (last && states.every(({ value }, i) => wholeValue(value) === wholeValue(last.states[i].value))) last.to = number;
        else rows.push({ from: number, to: number, states, flows: flows[number] });
    }
    return rows;
}

/** Which elements are drawn. */
function elementsOfRounds(array, { width, first, count }) {
    const elements = Math.max(1, Math.floor(array.bytes / array.element));
    const begin = Math.min(first, elements - 1);
    return Array.from({ length: Math.min(elements - begin, count || (width >= 640 ? 16 : 8)) }, (_, i) => begin + i);
}

function drawRounds(trace, contents, block, view) {
    const { array, width, rounds } = view;
    const drawing = new Drawing(width);
    const shown = elementsOfRounds(array, view);
    const rows = rowsOfRounds(trace, contents, block, array, shown);
    if (view.ranks) rankValues(rows);
    const left = 112;
    const cell = Math.min(64, (width - left - 4) / shown.length);
    const middle = (element) => left + (element - shown[0] + 0.5) * cell;
    for (const element of shown) drawing.fit(middle(element), 10, cell - 4, subscripts(array, element), "muted", "middle", 11);
    drawing.text(0, 10, array.name, "mono bold");
    rows.slice(0, rounds).forEach((row, number) => drawRow(drawing, { array, shown, left, cell, middle }, row, number));
    const more = rows.slice(rounds).reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const rest = plural(more, "… and {1} more round", "… and {1} more rounds");
    if (more > 0) drawing.text(0, drawing.height + 16, rest, "muted");
    return drawing;
}

/** What the array holds; and first, the arrows to it from the row above. */
function drawRow(drawing, { array, shown, left, cell, middle }, { from, to, states, flows }, number) {
    const into = (element) => [...(flows.get(element) || [])].map((source) => [source, element]);
    const arrows = number > 0 ? shown.flatMap(into) : [];
    const seen = arrows.filter(([source]) => shown.includes(source));
    const away = [...new Set(arrows.map(([source]) => source))].filter((source) => !shown.includes(source));
    const farthest = Math.max(0, ...seen.map(([source, element]) => Math.abs(source - element)));
    const above = drawing.height - 1;
    const y = number > 0 ? above + 31 + 0.1 * farthest * cell : 16;
    drawing.during(2 * number - 1, () => {
        for (const [source, element] of seen) {
            drawing.arrow(middle(source), above, middle(element) + 5 * Math.sign(source - element), y - 1);
        }
    });
    drawing.during(2 * number, () => {
        const label = from === to ? say("after round {1}", from) : say("after rounds {1}–{2}", from, to);
        drawing.text(0, y + 17, label, "muted small");
        const others = away.length > 0 ? `+ ${runInWords(array, away.sort((a, b) => a - b))}` : "";
        drawing.fit(0, y + 31, left - 6, others, "muted", "start", 10);
        states.forEach(({ value, written, style }, i) => {
            const text = formatValue(value, lettersIn(cell - 4));
            drawing.rect(left + i * cell + 0.5, y, cell - 2, 26, style, { radius: 2 });
            drawing.fit(middle(shown[i]), y + 17, cell - 5, text, written ? "bold" : "muted", "middle", 12);
        });
    });
    drawing.height = y + 27;
}

/** Numbers as their places in the order of all that are shown. */
function rankValues(rows) {
    const states = rows.flatMap((row) => row.states);
    const order = [...new Set(states.map((state) => state.value))].sort((a, b) => a - b);
    for (const state of states) state.value = order.indexOf(state.value);
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
