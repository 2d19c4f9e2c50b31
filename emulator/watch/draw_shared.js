// Shared memory: 32 columns, one a bank, rows of 32 words of 4 bytes; what the words hold at a moment, and which of them
// a request takes.

const BANKS = 32;
const WORD = 4;

/** The words of shared memory that a request touches: word → {lanes, wavefront}. */
function wordsOfRequest(site, accesses) {
    const words = new Map();
    for (const { lane, array, at } of accesses) {
        const first = Math.floor((array.address + at) / WORD);
        const last = Math.floor((array.address + at + site.bytes - 1) / WORD);
        for (let word = first; word <= last; ++word) {
            if (!words.has(word)) words.set(word, { lanes: [], wavefront: 0 });
            words.get(word).lanes.push(lane);
        }
    }
    const taken = new Map(); // bank → wavefronts
    for (const [word, entry] of words) {
        entry.wavefront = (taken.get(word % BANKS) || 0) + 1;
        taken.set(word % BANKS, entry.wavefront);
    }
    return words;
}

function sharedArraysOf(trace, block) {
    if (!block.sharedArrays) {
        const numbers = new Set();
        for (const round of block.rounds) {
            for (const steps of round.warps) {
                for (const step of steps) {
                    if (step.array === undefined) continue;
                    for (const number of Array.isArray(step.array) ? step.array : [step.array]) numbers.add(number);
                }
            }
        }
        block.sharedArrays = [...numbers].map((number) => trace.arrays[number]).filter((array) => array.memory === "shared");
        block.sharedArrays.sort((a, b) => a.address - b.address);
    }
    return block.sharedArrays;
}

/** Rows of words that are drawn of an array: all, or those around what the request takes. */
function rowsOfArray(array, words, most) {
    const first = Math.floor(array.address / WORD / BANKS);
    const last = Math.floor((array.address + array.bytes - 1) / WORD / BANKS);
    if (last - first < most) return { from: first, to: last, first, last };
    let from = first;
    for (const word of words.keys()) {
        const row = Math.floor(word / BANKS);
        if (row >= first && row <= last) {
            from = row;
            break;
        }
    }
    from = Math.max(first, Math.min(last - most + 1, from - 1));
    return { from, to: from + most - 1, first, last };
}

function drawShared(trace, contents, block, { warp, column, width, rows = 36, only }) {
    const drawing = new Drawing(width);
    const step = stepAt(block, warp, column);
    const site = step && trace.sites[step.site];
    const mine = step && site.memory === "shared" && step.array !== undefined;
    const accesses = mine ? accessesOf(trace, block.launch, warp, step).filter((access) => access.at !== undefined) : [];
    const values = valuesOfRequest(accesses);
    const words = mine ? wordsOfRequest(site, accesses) : new Map();
    const arrays = sharedArraysOf(trace, block).filter((array) => only === undefined || array.name === only);
    const left = width <= 500 ? 26 : arrays.some((array) => array.extents.length > 1) ? 56 : 40;
    const cell = Math.min(46, (width - left - 4) / BANKS);
    const tall = arrays.some((array) => array.bytes > 16 * BANKS * WORD);
    const high = cell < 18 ? 13 : tall ? 16 : 20;
    drawing.text(left - 6, 11, width > 500 ? "bank" : "", "muted small", "end");
    for (let bank = 0; bank < BANKS; ++bank) {
        if (cell >= 14 || bank % 4 === 0) drawing.text(left + (bank + 0.5) * cell, 11, bank, "muted tiny", "middle");
    }
    const outlines = []; // drawn last, over the cells
    for (const array of arrays) {
        const y = drawing.height + 16;
        const size = array.extents.length ? array.extents.map((extent) => `[${extent}]`).join("") : "";
        drawing.text(0, y, `${array.name}${size}`, "mono bold");
        const range = rowsOfArray(array, words, rows);
        drawing.reach(y + 5);
        if (range.from > range.first) drawing.text(left, drawing.height + 9, `… ${plural(range.from - range.first, "row")} above`, "muted small");
        for (let row = range.from; row <= range.to; ++row) {
            drawSharedRow(drawing, contents, block, { array, row, words, values, column, left, cell, high, y: drawing.height, step, outlines });
        }
        if (range.to < range.last) drawing.text(left, drawing.height + 11, `… ${plural(range.last - range.to, "row")} below`, "muted small");
    }
    for (const { x, y, badge, wavefront } of outlines) {
        if (badge && cell >= 14) {
            drawing.rect(x + 2, y + 2, badge, high - 4, "shared");
            drawing.text(x + 2 + badge / 2, y + high / 2 + 3.5, wavefront, "tiny bold on", "middle");
        }
        drawing.rect(x + 1, y + 1, cell - 2, high - 2, "now");
    }
    if (mine && step.cost > 1) {
        drawing.rect(left, drawing.height + 7, 13, 12, "shared");
        drawing.text(left + 6.5, drawing.height - 2.5, "1", "tiny bold on", "middle");
        drawing.text(left + 19, drawing.height - 2, "which wavefront brings the word: a bank gives one word in each", "muted small");
    }
    return drawing;
}

function drawSharedRow(drawing, contents, block, { array, row, words, values, column, left, cell, high, y, step, outlines }) {
    drawing.reach(y + high);
    let label = "";
    for (let bank = 0; bank < BANKS; ++bank) {
        const word = row * BANKS + bank;
        const at = word * WORD - array.address;
        if (at + WORD <= 0 || at >= array.bytes) continue;
        if (label === "" && array.extents.length > 0) label = subscripts(array, Math.floor(Math.max(0, at) / array.element));
        const value = valueOfWord(contents, block, { array, at, values, column });
        const changed = changedInWord(contents, block, { array, at, column });
        const taken = words.get(word);
        const x = left + bank * cell;
        const style = taken || changed ? "shared-soft" : value === undefined || value === null ? "faintbox" : "box";
        const element = elementName(array, Math.floor(Math.max(0, at) / array.element));
        const lanes = taken ? `, lane ${taken.lanes.join(", ")}` : "";
        drawing.rect(x + 0.5, y + 0.5, cell - 1, high - 1, style, { title: `${element}: ${wholeValue(value)} (bank ${bank}${lanes})` });
        const badge = taken && step.cost > 1 ? Math.min(cell - 4, cell < 34 ? cell : 13) : 0;
        const room = cell - badge - 4;
        const begins = at % array.unit === 0 || array.unit < WORD; // a double is shown in the first of its words
        const text = cell < 18 || room < 8 || !begins ? "" : formatValue(value, lettersIn(room));
        drawing.fit(x + cell - 2 - room / 2, y + high / 2 + 4, room, text, value === null ? "muted" : "", "middle", 11);
        if (taken) outlines.push({ x, y, badge, wavefront: taken.wavefront });
    }
    if (left < 40) label = label.slice(1, -1).replace("][", ",");
    drawing.fit(left - 4, y + high / 2 + 3.5, left - 5, label, "muted", "end", 9);
}

/** The numbers that lie in a word of an array; a list if they are several. What the request itself read or left comes first:
    in one column, another warp may have changed it since. */
function valueOfWord(contents, block, { array, at, values, column }) {
    const list = unitsOfWord(array, at).map((unit) => {
        const key = `${array.number}:${unit}`;
        return values.has(key) ? values.get(key) : contents.at(array, unit, block, column);
    });
    return list.length === 1 ? list[0] : list.every((value) => value === undefined) ? undefined : list;
}

function changedInWord(contents, block, { array, at, column }) {
    return unitsOfWord(array, at).some((unit) => contents.written(array, unit, block, column - 1, column));
}

function unitsOfWord(array, at) {
    const first = Math.floor(Math.max(0, at) / array.unit);
    const last = Math.floor((Math.min(array.bytes, at + WORD) - 1) / array.unit);
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => first + i);
}
