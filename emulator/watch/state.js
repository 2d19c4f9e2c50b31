// Where one looks: launch, block (its place among those that were kept), round, warp, and the step in the round, all
// counted from 0. It lives in the address, and whatever the address says, becomes a place that exists.

const PLACE = ["launch", "block", "round", "warp", "step"];

function readAddress(hash) {
    const address = {};
    for (const pair of hash.replace(/^#/, "").split("&")) {
        const equals = pair.indexOf("=");
        if (equals < 1) continue;
        try {
            address[decodeURIComponent(pair.slice(0, equals))] = decodeURIComponent(pair.slice(equals + 1));
        } catch {
            // Not what this page writes: it is left out.
        }
    }
    return address;
}

function writeAddress(trace, state) {
    const block = blockOf(trace, state);
    const round = roundNumberOf(block, state.column);
    const step = state.column - block.rounds[round].start;
    return `#launch=${state.launch}&block=${state.block}&round=${round}&warp=${state.warp}&step=${step}`;
}

function blockOf(trace, state) {
    return trace.launches[state.launch].shown[state.block];
}

/** "block 3", or "block (3, 1)" in a grid of more dimensions. */
function blockName(block) {
    const [x, y, z] = block.index;
    const [, high, deep] = block.launch.grid;
    const index = deep > 1 ? `(${x}, ${y}, ${z})` : high > 1 ? `(${x}, ${y})` : `${x}`;
    return say("block {1}", index);
}

/** {launch, block, warp, column} that exist in the trace. */
function stateFromAddress(trace, address) {
    const number = (name, most) => {
        const value = /^\d{1,9}$/.test(address[name] || "") ? Number(address[name]) : 0;
        return Math.max(0, Math.min(value, most));
    };
    const launch = number("launch", trace.launches.length - 1);
    const { shown, warps } = trace.launches[launch];
    const block = number("block", shown.length - 1);
    const round = shown[block].rounds[number("round", shown[block].rounds.length - 1)];
    const column = round.start + number("step", round.columns - 1);
    return { launch, block, warp: number("warp", warps - 1), column };
}

/** The first place that the first finding names; else the very first. */
function firstState(trace) {
    for (const place of placesOfFindings(trace)) return place;
    return { launch: 0, block: 0, warp: 0, column: 0 };
}

/** All places that findings name, in order: states with `finding` and `lane`. */
function placesOfFindings(trace) {
    const places = [];
    trace.launches.forEach((launch, number) =>
        launch.findings.forEach((finding, at) => {
            for (const [block, round, warp, step, lane] of finding.steps) {
                const column = launch.shown[block].rounds[round].start + step;
                places.push({ launch: number, block, warp, column, finding: at, lane });
            }
        }),
    );
    return places;
}
