// Global memory: the sectors of 32 bytes that a request fetches, which of their bytes it uses, and where they lie.

const SECTOR = 32;

/** The sectors of a request, in order: {array, start (in the array), lanes: unit → lanes}. */
function sectorsOf(site, accesses) {
    const sectors = new Map();
    for (const { lane, array, at } of accesses) {
        const first = Math.floor((array.address + at) / SECTOR);
        const last = Math.floor((array.address + at + site.bytes - 1) / SECTOR);
        for (let sector = first; sector <= last; ++sector) {
            const key = array.number * 2 ** 40 + sector;
            const start = sector * SECTOR - array.address;
            if (!sectors.has(key)) sectors.set(key, { key, array, start, lanes: new Map() });
            const { lanes } = sectors.get(key);
            const from = Math.max(at, start);
            const to = Math.min(at + site.bytes, start + SECTOR) - 1;
            for (let unit = Math.floor(from / array.unit); unit <= Math.floor(to / array.unit); ++unit) {
                if (!lanes.has(unit)) lanes.set(unit, []);
                lanes.get(unit).push(lane);
            }
        }
    }
    return [...sectors.values()].sort((a, b) => a.key - b.key);
}

function drawGlobal(trace, contents, block, { warp, column, width }) {
    const step = stepAt(block, warp, column);
    const site = trace.sites[step.site];
    const drawing = new Drawing(width);
    const accesses = locatedAccesses(trace, block, warp, step);
    const sectors = sectorsOf(site, accesses);
    const values = valuesOfRequest(accesses);
    const colour = colourOf(kindOf(site));
    for (const array of new Set(sectors.map((sector) => sector.array))) {
        if (array.bytes <= 4 * SECTOR) continue;
        drawStrip(drawing, array, sectors.filter((sector) => sector.array === array), colour);
    }
    const row = width >= 800 ? 4 : width >= 300 ? 2 : 1;
    const gap = 12;
    const room = Math.min(400, (width - gap * (row - 1)) / row);
    const top = drawing.height + 10;
    sectors.forEach((sector, i) => {
        const x = (i % row) * (room + gap);
        const y = top + Math.floor(i / row) * 54;
        drawSector(drawing, contents, block, { sector, x, y, room, values, column, colour });
    });
    return drawing;
}

/** What the request itself read or left there: in one column, another warp may have changed it since. */
function valuesOfRequest(accesses) {
    const values = new Map();
    for (const { array, at, value } of accesses) {
        const unit = Math.floor(at / array.unit);
        if (Array.isArray(value)) value.forEach((one, i) => values.set(`${array.number}:${unit + i}`, one));
        else values.set(`${array.number}:${unit}`, value);
    }
    return values;
}

/** The whole array as a strip, and where in it the sectors lie. */
function drawStrip(drawing, array, sectors, colour) {
    const y = drawing.height + (drawing.height > 0 ? 8 : 0);
    const bytes = array.bytes >= 1024 ? `${formatValue(array.bytes / 1024, 5)} KiB` : plural(array.bytes, "{1} byte", "{1} bytes");
    drawing.text(0, y + 12, `${array.name}, ${bytes}`, "mono bold");
    drawing.rect(0.5, y + 18, drawing.width - 1, 10, "faintbox", { radius: 2 });
    for (const sector of sectors) {
        const from = Math.max(0, sector.start) / array.bytes;
        const to = Math.min(array.bytes, sector.start + SECTOR) / array.bytes;
        drawing.rect(from * (drawing.width - 2), y + 18, Math.max(2, (to - from) * (drawing.width - 2)), 10, colour);
    }
}

function drawSector(drawing, contents, block, { sector, x, y, room, values, column, colour }) {
    const { array, start, lanes } = sector;
    const cells = Math.max(1, SECTOR / array.unit);
    const cell = room / cells;
    const first = Math.max(0, Math.floor(start / array.element));
    const last = Math.floor((Math.min(array.bytes, start + SECTOR) - 1) / array.element);
    drawing.fit(x, y + 11, room, rangeName(array, first, last), "muted", "start", 11);
    for (let i = 0; i < cells; ++i) {
        const at = start + i * array.unit;
        if (at < 0 || at >= array.bytes) {
            drawing.rect(x + i * cell + 0.5, y + 16, cell - 1, 30, "idle", { title: say("not a part of {1}", array.name) });
            continue;
        }
        const unit = Math.floor(at / array.unit);
        const users = lanes.get(unit);
        const key = `${array.number}:${unit}`;
        const value = values.has(key) ? values.get(key) : contents.at(array, unit, block, column);
        const element = elementName(array, Math.floor(at / array.element));
        const use = users ? say("lane {1}", users.join(", ")) : say("fetched for nothing");
        const title = `${element}: ${wholeValue(value)}, ${use}`;
        drawing.rect(x + i * cell + 0.5, y + 16, cell - 1, 30, users ? `${colour}-soft` : "box", { title });
        const middle = x + (i + 0.5) * cell;
        const text = formatValue(value, lettersIn(cell - 4));
        const who = users && users[0] + (users.length > 1 ? "…" : "");
        if (users) drawing.fit(middle, y + 26, cell - 3, who, "muted", "middle", 9);
        drawing.fit(middle, y + 40, cell - 3, text, users ? "bold" : "muted", "middle", 11);
    }
    drawing.rect(x, y + 15.5, room, 31, "edge");
}

// The requests that the warps of a block make in one line of the program, one after another: which elements each of them takes,
// and in how many sectors.

const SECTORS_IN_ROW = 4;

/** What the steps at the site of a step take from the array, in the block's order: {warp, sectors}. */
function requestsLike(trace, block, { site }, array) {
    const requests = [];
    for (const { columns, warps } of block.rounds) {
        for (let i = 0; i < columns; ++i) {
            for (const [warp, steps] of warps.entries()) {
                if (steps[i]?.site !== site) continue;
                const accesses = locatedAccesses(trace, block, warp, steps[i]).filter((access) => access.array === array);
                requests.push({ warp, sectors: sectorsOf(trace.sites[site], accesses) });
            }
        }
    }
    return requests;
}

function drawRequests(trace, block, { warp, column, width, count, rows }) {
    const step = stepAt(block, warp, column);
    const [{ array } = {}] = step ? locatedAccesses(trace, block, warp, step) : [];
    if (array?.memory !== "global") throw new Error("This step is no request to global memory.");
    const requests = requestsLike(trace, block, step, array).slice(0, count || 8);
    const colour = colourOf(kindOf(trace.sites[step.site]));
    const drawing = new Drawing(width);
    const left = 60;
    const gap = 10;
    const room = (width - left - (SECTORS_IN_ROW - 1) * gap) / SECTORS_IN_ROW;
    const cell = (room * array.unit) / SECTOR;
    const first = Math.floor(array.address / SECTOR);
    const number = ({ start }) => Math.floor((start + array.address) / SECTOR) - first;
    const xOf = (at) => left + (at % SECTORS_IN_ROW) * (room + gap);
    const yOf = (at) => Math.floor(at / SECTORS_IN_ROW) * 30;
    const box = (x, y, wide) => `M${short(x)} ${y}h${short(wide)}v24h${short(-wide)}z`;
    const sectorBox = (at) => box(xOf(at), yOf(at), room);
    const touched = requests.flatMap(({ sectors }) => sectors.map(number));
    const shown = Array.from({ length: Math.min(rows * SECTORS_IN_ROW, 1 + Math.max(...touched)) }, (_, at) => at);

    for (const at of shown.filter((one) => one % SECTORS_IN_ROW === 0)) {
        const element = Math.max(0, Math.floor(((first + at) * SECTOR - array.address) / array.element));
        drawing.fit(0, yOf(at) + 16, left - 8, elementName(array, element), "muted", "start", 11);
        drawing.reach(yOf(at) + 24);
    }
    drawing.path(shown.map(sectorBox).join(""), "box");
    const bottom = drawing.height + 20;
    let together = 0;
    requests.forEach((request, i) => {
        const sectors = request.sectors.filter((sector) => number(sector) < shown.length);
        const cells = sectors.flatMap((sector) =>
            [...sector.lanes.keys()].map((unit) => [xOf(number(sector)) + (unit - sector.start / array.unit) * cell, yOf(number(sector))]),
        );
        together += request.sectors.length;
        const these = plural(request.sectors.length, "{1} sector", "{1} sectors");
        const all = plural(together, "{1} sector", "{1} sectors");
        const says = say("Request {1}, of warp {2}: {3}. All requests so far: {4}.", i + 1, request.warp, these, all);
        const next = i + 1 < requests.length ? i + 2 : undefined;
        drawing.during(i + 1, () => {
            drawing.path(cells.map(([x, y]) => box(x + 1, y, cell - 2)).join(""), `${colour}-soft`);
            for (const [x, y] of cells) drawing.text(x + cell / 2, y + 16, request.warp, "small", "middle");
        });
        drawing.during(i + 1, () => drawing.path(sectors.map((sector) => sectorBox(number(sector))).join(""), "now"), i + 2);
        drawing.during(i + 1, () => drawing.text(left, bottom, says, "bold"), next);
    });
    return drawing;
}
