// What a step does, in one sentence.

/** A name as its author wrote it, without the namespaces in which nobody looks for it. */
function plainName(name) {
    return name.replaceAll("(anonymous namespace)::", "").replaceAll("{anonymous}::", "");
}

/** A kernel's name without namespaces, what it returns and what it takes: "sum<float>" of "void a::sum<float>(float*)",
    "sum<T = float>" of what g++ writes, "void a::sum(T*) [with T = float]". */
function shortKernel(kernel) {
    const [, whole, parameters] = plainName(kernel).trim().match(/^(.*?)(?: \[with (.*)\])?$/s);
    const chosen = (parameters || "").split("; ").filter((parameter) => parameter && !parameter.startsWith("std::"));
    const name = withoutTypes(whole);
    return chosen.length > 0 ? `${name}<${chosen.join(", ")}>` : name;
}

function withoutTypes(kernel) {
    let name = kernel;
    let depth = 0;
    for (let i = name.length - 1; i > 0 && name.endsWith(")"); --i) {
        if (name[i] === ")") ++depth;
        if (name[i] === "(" && --depth === 0) {
            name = name.slice(0, i);
            break;
        }
    }
    return name.replace(/^(void|auto)\s+/, "").replace(/^(\w+::)+/, "");
}

/** "lanes 0–15", "all 32 lanes", "16 lanes (0, 2, 4 … 30)". */
function lanesInWords(launch, warp, lanes) {
    const count = lanesOfWarp(launch, warp);
    if (lanes.length === 1) return say("lane {1}", lanes[0]);
    if (lanes.length === count) return say("all {1} lanes", count);
    const runs = [];
    for (const lane of lanes) {
        const last = runs[runs.length - 1];
        if (last && last[1] === lane - 1) last[1] = lane;
        else runs.push([lane, lane]);
    }
    if (runs.length <= 3) return say("lanes {1}", listInWords(runs.map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`))));
    const step = lanes[1] - lanes[0];
    if (lanes.every((lane, i) => lane === lanes[0] + i * step)) {
        const some = `${lanes[0]}, ${lanes[1]}, ${lanes[2]} … ${lanes[lanes.length - 1]}`;
        return say("{1} lanes ({2})", lanes.length, some);
    }
    return say("{1} lanes", lanes.length);
}

function listInWords(items) {
    if (items.length < 2) return items.join("");
    return say("{1} and {2}", items.slice(0, -1).join(say(", ")), items[items.length - 1]);
}

/** The elements that a request touches: "cache[16…31]", "every 32nd element of a[0…992]". */
function elementsInWords(accesses, bytes) {
    const arrays = [...new Set(accesses.map((access) => access.array))];
    const of = (array) => accesses.filter((access) => access.array === array);
    return listInWords(arrays.map((array) => elementsOfArray(array, of(array), bytes)));
}

function elementsOfArray(array, accesses, bytes) {
    const touched = new Set();
    for (const { at } of accesses) {
        const last = Math.floor((at + bytes - 1) / array.element);
        for (let element = Math.floor(at / array.element); element <= last; ++element) touched.add(element);
    }
    const elements = [...touched].sort((a, b) => a - b);
    const first = elements[0];
    const last = elements[elements.length - 1];
    if (array.extents.length === 0 && last === 0) return array.name;
    if (elements.length === 1) return elementName(array, first);
    const gap = elements[1] - first;
    const regular = elements.every((element, i) => element === first + i * gap);
    if (gap === 1 && regular) return rangeName(array, first, last);
    if (elements.length === 2) return say("{1} and {2}", elementName(array, first), subscripts(array, last));
    const range = rangeName(array, first, last);
    if (!regular) return say("{1} elements of {2}", elements.length, range);
    const column = array.extents.length > 1 && range.includes("…") && !range.includes(" … ");
    return column ? range : say("every {1} element of {2}", ordinal(gap), range);
}

function ordinal(number) {
    const tens = number % 100;
    if (tens > 10 && tens < 14) return say("{1}th", number);
    if (number % 10 === 1) return say("{1}st", number);
    if (number % 10 === 2) return say("{1}nd", number);
    return number % 10 === 3 ? say("{1}rd", number) : say("{1}th", number);
}

/** The bytes of its sectors that a global request uses, and all of them. */
function bytesUsed(accesses, bytes) {
    const used = new Set();
    const sectors = new Set();
    for (const { array, at } of accesses) {
        for (let i = 0; i < bytes; ++i) {
            used.add(`${array.number}:${at + i}`);
            sectors.add(`${array.number}:${Math.floor((array.address + at + i) / 32)}`);
        }
    }
    return { used: used.size, all: sectors.size * 32 };
}

function costInWords(site, step, accesses) {
    if (site.memory === "shared") {
        if (step.cost === undefined) return "";
        const least = step.least || 1;
        if (step.cost <= least) return plural(step.cost, ": {1} wavefront, no bank conflict", ": {1} wavefronts, no bank conflict");
        if (least === 1) return say(": {1} wavefronts instead of {2}, a {1}-way bank conflict", step.cost, least);
        return say(": {1} wavefronts instead of {2}, bank conflicts", step.cost, least);
    }
    if (site.memory === "constant") {
        if (step.cost === 1) return say(": one address, which all of them get at once");
        return say(": {1} different addresses, one after another", step.cost);
    }
    if (site.memory === "global" && step.cost !== undefined) {
        const { used, all } = bytesUsed(accesses, site.bytes);
        const times = step.cost / (all / 32); // atomic operations on one address fetch its sector again and again
        const sectors = plural(times > 1 ? all / 32 : step.cost, "{1} sector", "{1} sectors");
        if (times > 1) return say(": {1} of 32 bytes, {2} times", sectors, formatValue(times, 4));
        return say(": {1} of 32 bytes, {2} of {3} bytes used", sectors, used, all);
    }
    return "";
}

function sentenceOfStep(trace, launch, warp, step) {
    const site = trace.sites[step.site];
    const accesses = accessesOf(trace, launch, warp, step);
    const lanes = lanesInWords(launch, warp, accesses.map((access) => access.lane));
    const one = accesses.length === 1;
    if (site.operation === "fence") return say(one ? "{1} passes a memory fence" : "{1} pass a memory fence", lanes);
    if (site.operation === "warp operation") return warpOperationInWords(launch, warp, { site, lanes, one, accesses });
    const known = accesses.every((access) => access.array !== undefined && access.at !== undefined);
    const elements = known ? elementsInWords(accesses, site.bytes) : say("memory");
    const memory = memoryInWords(site);
    if (site.operation === "atomic") {
        const name = site.name ? ` (${site.name})` : "";
        const queue = queueInWords(site, step, accesses);
        const says = say(
            one ? "{1} atomically updates {2} in {3}" : "{1} atomically update {2} in {3}",
            lanes,
            elements,
            memory,
        );
        return `${says}${name}${queue}`;
    }
    const cost = known ? costInWords(site, step, accesses) : "";
    const does = moves(site.operation === "store", one, lanes, elements, memory);
    return `${does}${cost}${unwrittenInWords(accesses)}`;
}

function moves(stores, one, lanes, elements, memory) {
    if (stores) return say(one ? "{1} writes {2} to {3}" : "{1} write {2} to {3}", lanes, elements, memory);
    return say(one ? "{1} reads {2} from {3}" : "{1} read {2} from {3}", lanes, elements, memory);
}

function memoryInWords({ memory }) {
    if (memory === "global") return say("global memory");
    if (memory === "shared") return say("shared memory");
    return memory === "constant" ? say("constant memory") : say("memory");
}

/** That what was read had not been written. */
function unwrittenInWords(accesses) {
    const unwritten = accesses.filter(({ value }) => value === null || (Array.isArray(value) && value.includes(null)));
    if (unwritten.length === 0) return "";
    if (unwritten.length === accesses.length) return say(". Nobody had written there yet");
    return say(". Where {1} of them read, nobody had written yet", unwritten.length);
}

function queueInWords(site, step, accesses) {
    const free = site.memory === "shared" && step.cost <= (step.least || 1);
    const cost = free ? "" : costInWords(site, step, accesses);
    if (accesses.length === 1) return cost;
    const joint = cost === "" ? say(": ") : say("; ");
    return `${cost}${joint}${wantedInWords(step.same, accesses.length)}`;
}

function wantedInWords(same, count) {
    if (same === count) return say("all want the same address, and wait for each other");
    if (same > 1) return say("up to {1} lanes want the same address, and wait for each other", same);
    return say("each has an address of its own");
}

function warpOperationInWords(launch, warp, { site, lanes, one, accesses }) {
    const call = say(one ? "{1} calls {2}" : "{1} call {2}", lanes, site.name || say("a warp function"));
    const sources = accesses.filter((access) => access.source !== undefined);
    return sources.length === 0 ? call : call + patternOfSources(launch, warp, sources);
}

function patternOfSources(launch, warp, accesses) {
    const { lane, source } = accesses[0];
    if (accesses.every((access) => access.source === source)) return say(": each gets what lane {1} gave", source);
    const moving = accesses.filter((access) => access.source !== access.lane);
    if (moving.length === 0) return say(": each keeps its own");
    const distance = moving[0].source - moving[0].lane;
    if (moving.every((access) => access.source - access.lane === distance)) {
        const above = distance > 0;
        const from = say(above ? "the value of the lane {1} above" : "the value of the lane {1} below", Math.abs(distance));
        if (moving.length === accesses.length) return say(": each gets {1}", from);
        const lanes = moving.map((access) => access.lane);
        const one = lanes.length === 1;
        return say(
            one ? ": {1} gets {2}, the others keep their own" : ": {1} get {2}, the others keep their own",
            lanesInWords(launch, warp, lanes),
            from,
        );
    }
    const mask = lane ^ source;
    const pairs = accesses.every((access) => (access.lane ^ access.source) === mask);
    return pairs ? say(": lanes swap in pairs, each with lane ^ {1}", mask) : "";
}

/** What the chosen warp does at a column of its block. */
function sentenceOf(trace, block, warp, column) {
    const number = roundNumberOf(block, column);
    const round = block.rounds[number];
    const step = stepAt(block, warp, column);
    if (step) {
        const says = sentenceOfStep(trace, block.launch, warp, step);
        return say("Warp {1}, step {2}: {3}.", warp, column - round.start, says);
    }
    const left = round.warps[warp] !== undefined && round.warps[warp].length > 0;
    const end = round.barrier === null ? "" : endInWords(round);
    if (left) return say("Warp {1} has nothing left to do in round {2}{3}.", warp, number, end);
    return say("Warp {1} has nothing to do in round {2}{3}.", warp, number, end);
}

function endInWords(round) {
    return round.grid ? say(", which ends at a barrier of the whole grid") : say(", which ends at a barrier");
}
