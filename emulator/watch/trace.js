// The trace (README.md has its format): unpacked, checked, and asked for what a moment shows. Nothing here knows the
// page.
//
// A block's columns are counted through all of its rounds: a moment is (launch, block, column). A round without steps
// has one empty column, so that every round can be looked at.

const LANES = 32;

async function unpackTrace(base64) {
    const text = atob(base64.trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
}

function prepareTrace(trace) {
    if (trace.format !== "cuda emulator trace") throw new Error(say("This is not a trace of the CUDA emulator."));
    if (trace.version !== 1) throw new Error(say("The trace has version {1}, and this page reads version 1.", trace.version));
    trace.launches = trace.launches.filter((launch) => launch.shown.length > 0);
    if (trace.launches.length === 0) throw new Error(say("The trace holds no launch of a kernel."));
    trace.arrays.forEach((array, number) => {
        array.number = number;
        array.name = plainName(array.name);
    });
    let time = 0;
    trace.launches.forEach((launch, number) => {
        launch.number = number;
        launch.threads = launch.block[0] * launch.block[1] * launch.block[2];
        launch.warps = Math.ceil(launch.threads / LANES);
        launch.start = time;
        launch.shown.forEach((block, position) => {
            block.launch = launch;
            block.position = position;
            block.start = time;
            block.columns = 0;
            for (const round of block.rounds) {
                round.start = block.columns;
                round.columns = Math.max(1, ...round.warps.map((steps) => steps.length));
                block.columns += round.columns;
            }
            time += block.columns + 1;
        });
        launch.marks = marksOfFindings(launch);
    });
    return trace;
}

/** For each step that findings name, as "block,round,warp,step", the lanes they name. */
function marksOfFindings(launch) {
    const marks = new Map();
    for (const finding of launch.findings) {
        for (const [block, round, warp, step, lane] of finding.steps) {
            const key = `${block},${round},${warp},${step}`;
            marks.set(key, [...(marks.get(key) || []), lane]);
        }
    }
    return marks;
}

/** The lanes of a step that findings name. */
function markedLanes(block, warp, column) {
    const round = roundNumberOf(block, column);
    return block.launch.marks.get(`${block.position},${round},${warp},${column - block.rounds[round].start}`) || [];
}

function roundNumberOf(block, column) {
    let low = 0;
    let high = block.rounds.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (block.rounds[middle].start <= column) low = middle;
        else high = middle - 1;
    }
    return low;
}

function stepAt(block, warp, column) {
    const round = block.rounds[roundNumberOf(block, column)];
    const steps = round && round.warps[warp];
    return steps && steps[column - round.start];
}

function lanesOfWarp(launch, warp) {
    return Math.min(LANES, launch.threads - warp * LANES);
}

/** The lanes that take part in a step, in order. */
function activeLanes(launch, warp, step) {
    const lanes = [];
    const all = step.lanes === undefined;
    const count = lanesOfWarp(launch, warp);
    for (let lane = 0; lane < count; ++lane) if (all || (step.lanes >>> lane) & 1) lanes.push(lane);
    return lanes;
}

/** Runs of lanes that take part, as [first, count]. */
function laneRuns(launch, warp, step) {
    if (step.lanes === undefined) return [[0, lanesOfWarp(launch, warp)]];
    const runs = [];
    for (let lane = 0; lane < LANES; ++lane) {
        if (!((step.lanes >>> lane) & 1)) continue;
        const first = lane;
        while (lane + 1 < LANES && (step.lanes >>> (lane + 1)) & 1) ++lane;
        runs.push([first, lane - first + 1]);
    }
    return runs;
}

/** What each active lane does: {lane, array, at, value, before, source}. `array` and `at` only of accesses. */
function accessesOf(trace, launch, warp, step) {
    const each = (list, i) => (list === undefined ? undefined : list[i]);
    return activeLanes(launch, warp, step).map((lane, i) => {
        const array = Array.isArray(step.array) ? step.array[i] : step.array;
        return {
            lane,
            array: array === undefined ? undefined : trace.arrays[array],
            at: step.at ? step.at[i] : step.from === undefined ? undefined : step.from + i * (step.by || 0),
            value: each(step.values, i),
            before: each(step.before, i),
            source: each(step.sources, i),
        };
    });
}

/** Those of them that the trace places in an array. */
function locatedAccesses(trace, block, warp, step) {
    const accesses = accessesOf(trace, block.launch, warp, step);
    return accesses.filter((access) => access.array !== undefined && access.at !== undefined);
}

/** The kind of a site, which is also its colour. */
function kindOf(site) {
    if (site.operation === "atomic") return "atomic";
    if (site.operation === "warp operation") return "warp";
    if (site.operation === "fence" || site.operation === "barrier") return "fence";
    if (site.memory === "constant") return "constant";
    if (site.memory === "shared") return site.operation === "store" ? "shared-store" : "shared-load";
    return site.operation === "store" ? "global-store" : "global-load";
}

/** The indices of an element, one for each extent: [3, 7] of tile[3][7]. */
function indicesOf(array, element) {
    const indices = [];
    for (let i = array.extents.length - 1; i > 0; --i) {
        indices.unshift(element % array.extents[i]);
        element = Math.floor(element / array.extents[i]);
    }
    if (array.extents.length > 0) indices.unshift(element);
    return indices;
}

function subscripts(array, element) {
    return indicesOf(array, element)
        .map((index) => `[${index}]`)
        .join("");
}

function elementName(array, element) {
    return array.name + subscripts(array, element);
}

/** From one element to another: a[16…31], tile[0…31][3], or tile[0][5] … [2][7] where several indices differ. */
function rangeName(array, first, last) {
    if (first === last) return elementName(array, first);
    const from = indicesOf(array, first);
    const to = indicesOf(array, last);
    if (from.filter((index, i) => index !== to[i]).length !== 1) {
        return `${elementName(array, first)} … ${subscripts(array, last)}`;
    }
    return array.name + from.map((index, i) => (index === to[i] ? `[${index}]` : `[${index}…${to[i]}]`)).join("");
}

/** What a cost is counted in. */
function unitOfCost(site) {
    if (site.operation === "fence" || site.operation === "warp operation") return "";
    return { global: "sector", shared: "wavefront", constant: "address" }[site.memory] || "";
}

/** For each line ("file:line") its requests up to a moment of its block, by kind: {kind, unit, requests, cost}. */
function countsOfLines(trace, block, column) {
    const tallies = block.tallies || (block.tallies = talliesOf(trace, block));
    const lines = new Map();
    tallies.forEach((tally, number) => {
        const site = trace.sites[number];
        const key = `${site.file}:${site.line}`;
        if (!lines.has(key)) lines.set(key, new Map());
        const kinds = lines.get(key);
        const kind = kindOf(site);
        if (!kinds.has(kind)) kinds.set(kind, { kind, unit: unitOfCost(site), requests: 0, cost: 0 });
        const requests = countUpTo(tally.columns, column);
        kinds.get(kind).requests += requests;
        if (requests > 0) kinds.get(kind).cost += tally.cost[requests - 1];
    });
    return lines;
}

/** For each site the columns of its requests, in order, and the sums of their costs up to each. */
function talliesOf(trace, block) {
    const tallies = new Map();
    for (const round of block.rounds) {
        for (let i = 0; i < round.columns; ++i) {
            for (const steps of round.warps) {
                const step = steps[i];
                if (step === undefined) continue;
                let tally = tallies.get(step.site);
                if (!tally) tallies.set(step.site, (tally = { columns: [], cost: [] }));
                const last = tally.columns.length - 1;
                tally.columns.push(round.start + i);
                tally.cost.push((last < 0 ? 0 : tally.cost[last]) + (step.cost || 0));
            }
        }
    }
    return tallies;
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(numbers, limit) {
    let low = 0;
    let high = numbers.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] <= limit) low = middle + 1;
        else high = middle;
    }
    return low;
}
