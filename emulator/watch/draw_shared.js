// Shared memory: 32 columns, one a bank, rows of 32 words of 4 bytes; what the words hold at a moment, and which of
// them a request takes.

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
        const arrays = [...numbers].map((number) => trace.arrays[number]);
        block.sharedArrays = arrays.filter((array) => array.memory === "shared").sort((a, b) => a.address - b.address);
    }
    return block.sharedArrays;
}

/** Rows of words that are drawn of an array: all up to the last that any step touches, or those around the request. */
function rowsOfArray(contents, array, words, most) {
    const first = Math.floor(array.address / WORD / BANKS);
    const end = Math.min(array.bytes, contents.touched(array) * array.unit);
    const last = Math.max(first, Math.floor((array.address + end - 1) / WORD / BANKS));
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
    const arrays = sharedArraysOf(trace, block).filter((array) => only === undefined || array.name === only);
    const moment = { contents, block, column, ...sharedRequest(trace, block, warp, column) };
    const grid = gridOfBanks(arrays, width);
    drawBanks(drawing, grid);
    for (const array of arrays) drawSharedArray(drawing, grid, moment, array, rows);
    drawTaken(drawing, grid, moment);
    return drawing;
}

/** What the step takes from shared memory, if it does: `words`, `values`, whether in several wavefronts. */
function sharedRequest(trace, block, warp, column) {
    const step = stepAt(block, warp, column);
    const site = step && trace.sites[step.site];
    if (!step || site.memory !== "shared") return { words: new Map(), values: new Map(), several: false };
    const accesses = locatedAccesses(trace, block, warp, step);
    return { words: wordsOfRequest(site, accesses), values: valuesOfRequest(accesses), several: step.cost > 1 };
}

function gridOfBanks(arrays, width) {
    const left = width <= 500 ? 26 : arrays.some((array) => array.extents.length > 1) ? 56 : 40;
    const cell = Math.min(46, (width - left - 4) / BANKS);
    const tall = arrays.some((array) => array.bytes > 16 * BANKS * WORD);
    return { left, cell, high: cell < 18 ? 13 : tall ? 16 : 20, taken: [] };
}

function drawBanks(drawing, { left, cell }) {
    drawing.text(left - 6, 11, left > 26 ? say("bank") : "", "muted small", "end");
    for (let bank = 0; bank < BANKS; ++bank) {
        if (cell >= 14 || bank % 4 === 0) drawing.text(left + (bank + 0.5) * cell, 11, bank, "muted tiny", "middle");
    }
}

function drawSharedArray(drawing, grid, moment, array, rows) {
    const y = drawing.height + 16;
    drawing.text(0, y, array.name + array.extents.map((extent) => `[${extent}]`).join(""), "mono bold");
    drawing.reach(y + 5);
    const { from, to, first, last } = rowsOfArray(moment.contents, array, moment.words, rows);
    const note = (count, text) => {
        if (count > 0) drawing.text(grid.left, drawing.height + 10, text, "muted small");
    };
    const above = from - first;
    note(above, plural(above, "… {1} row above", "… {1} rows above"));
    for (let row = from; row <= to; ++row) drawSharedRow(drawing, grid, moment, array, row);
    const below = last - to;
    note(below, plural(below, "… {1} row below", "… {1} rows below"));
    const untouched = Math.floor((array.address + array.bytes - 1) / WORD / BANKS) - last;
    note(untouched, plural(untouched, "… {1} row that no step touches", "… {1} rows that no step touches"));
}

function drawSharedRow(drawing, grid, moment, array, row) {
    const y = drawing.height;
    let label = "";
    for (let bank = 0; bank < BANKS; ++bank) {
        const word = row * BANKS + bank;
        const at = word * WORD - array.address;
        if (at + WORD <= 0 || at >= array.bytes) continue;
        const name = subscripts(array, Math.floor(Math.max(0, at) / array.element));
        if (label === "") label = name;
        drawWord(drawing, grid, moment, { array, name, word, bank, at, y });
    }
    drawing.reach(y + grid.high);
    if (grid.left < 40) label = label.slice(1, -1).replace("][", ",");
    drawing.fit(grid.left - 4, y + grid.high / 2 + 3.5, grid.left - 5, label, "muted", "end", 9);
}

function drawWord(drawing, grid, moment, { array, name, word, bank, at, y }) {
    const { left, cell, high } = grid;
    const x = left + bank * cell;
    const value = valueOfWord(moment, array, at);
    const taken = moment.words.get(word);
    const unknown = value === undefined || value === null;
    const style = taken || changedInWord(moment, array, at) ? "shared-soft" : unknown ? "faintbox" : "box";
    const lanes = taken ? say(", lane {1}", taken.lanes.join(", ")) : "";
    const title = `${array.name}${name}: ${wholeValue(value)} (${say("bank {1}", bank)}${lanes})`;
    drawing.rect(x + 0.5, y + 0.5, cell - 1, high - 1, style, { title });
    const badge = taken && moment.several ? Math.min(cell - 4, cell < 34 ? cell : 13) : 0;
    const room = cell - badge - 2;
    const begins = at % array.unit === 0 || array.unit < WORD; // a double is shown in the first of its words
    const text = cell < 18 || room < 8 || !begins ? "" : formatValue(value, lettersIn(room));
    drawing.fit(x + cell - 1 - room / 2, y + high / 2 + 4, room, text, value === null ? "muted" : "", "middle", 11);
    if (taken) grid.taken.push({ x, y, badge, wavefront: taken.wavefront });
}

/** Outlines and wavefronts of the words that the request takes, over the cells. */
function drawTaken(drawing, { left, cell, high, taken }, { several }) {
    for (const { x, y, badge, wavefront } of taken) {
        if (badge && cell >= 14) {
            drawing.rect(x + 2, y + 2, badge, high - 4, "shared");
            drawing.text(x + 2 + badge / 2, y + high / 2 + 3.5, wavefront, "tiny bold on", "middle");
        }
        drawing.rect(x + 1, y + 1, cell - 2, high - 2, "now");
    }
    if (!several || cell < 14) return;
    const y = drawing.height + 7;
    drawing.rect(left, y, 13, 12, "shared");
    drawing.text(left + 6.5, y + 9.5, "1", "tiny bold on", "middle");
    drawing.text(left + 19, y + 10, say("the wavefront that brings the word: a bank gives one word in each"), "muted small");
}

/** The numbers that lie in a word of an array; a list if they are several. What the request itself read or left comes
    first: in one column, another warp may have changed it since. */
function valueOfWord({ contents, block, column, values }, array, at) {
    const list = unitsOfWord(array, at).map((unit) => {
        const key = `${array.number}:${unit}`;
        return values.has(key) ? values.get(key) : contents.at(array, unit, block, column);
    });
    return list.length === 1 ? list[0] : list.every((value) => value === undefined) ? undefined : list;
}

function changedInWord({ contents, block, column }, array, at) {
    return unitsOfWord(array, at).some((unit) => contents.written(array, unit, block, column - 1, column));
}

function unitsOfWord(array, at) {
    const first = Math.floor(Math.max(0, at) / array.unit);
    const last = Math.floor((Math.min(array.bytes, at + WORD) - 1) / array.unit);
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => first + i);
}
