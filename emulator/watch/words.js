// What a step does, in one English sentence.

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

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** "lanes 0–15", "all 32 lanes", "16 lanes (0, 2, 4 … 30)". */
function lanesInWords(launch, warp, lanes) {
    const count = lanesOfWarp(launch, warp);
    if (lanes.length === 1) return `lane ${lanes[0]}`;
    if (lanes.length === count) return `all ${count} lanes`;
    const runs = [];
    for (const lane of lanes) {
        const last = runs[runs.length - 1];
        if (last && last[1] === lane - 1) last[1] = lane;
        else runs.push([lane, lane]);
    }
    if (runs.length <= 3) return `lanes ${listInWords(runs.map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`)))}`;
    const step = lanes[1] - lanes[0];
    if (lanes.every((lane, i) => lane === lanes[0] + i * step)) {
        return `${lanes.length} lanes (${lanes[0]}, ${lanes[1]}, ${lanes[2]} … ${lanes[lanes.length - 1]})`;
    }
    return plural(lanes.length, "lane");
}

function listInWords(items) {
    if (items.length < 2) return items.join("");
    return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
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
    if (elements.length === 2) return `${elementName(array, first)} and ${subscripts(array, last)}`;
    const range = rangeName(array, first, last);
    if (!regular) return `${elements.length} elements of ${range}`;
    const column = array.extents.length > 1 && range.includes("…") && !range.includes(" … ");
    return column ? range : `every ${ordinal(gap)} element of ${range}`;
}

function ordinal(number) {
    const tens = number % 100;
    const ending = tens > 10 && tens < 14 ? "th" : ["th", "st", "nd", "rd"][number % 10] || "th";
    return `${number}${ending}`;
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
        if (step.cost <= least) return `: ${plural(step.cost, "wavefront")}, no bank conflict`;
        const conflict = least === 1 ? `a ${step.cost}-way bank conflict` : "bank conflicts";
        return `: ${plural(step.cost, "wavefront")} instead of ${least}, ${conflict}`;
    }
    if (site.memory === "constant") {
        if (step.cost === 1) return ": one address, which all of them get at once";
        return `: ${step.cost} different addresses, one after another`;
    }
    if (site.memory === "global" && step.cost !== undefined) {
        const { used, all } = bytesUsed(accesses, site.bytes);
        const times = step.cost / (all / 32); // atomic operations on one address fetch its sector again and again
        if (times > 1) return `: ${plural(all / 32, "sector")} of 32 bytes, ${formatValue(times, 4)} times`;
        return `: ${plural(step.cost, "sector")} of 32 bytes, ${used} of ${all} bytes used`;
    }
    return "";
}

function sentenceOfStep(trace, launch, warp, step) {
    const site = trace.sites[step.site];
    const accesses = accessesOf(trace, launch, warp, step);
    const lanes = lanesInWords(launch, warp, accesses.map((access) => access.lane));
    const one = accesses.length === 1;
    if (site.operation === "fence") return `${lanes} ${one ? "passes" : "pass"} a memory fence`;
    if (site.operation === "warp operation") return warpOperationInWords(launch, warp, { site, lanes, one, accesses });
    const known = accesses.every((access) => access.array !== undefined && access.at !== undefined);
    const elements = known ? elementsInWords(accesses, site.bytes) : "memory";
    const memory = site.memory ? `${site.memory} memory` : "memory";
    if (site.operation === "atomic") {
        const name = site.name ? ` (${site.name})` : "";
        const queue = queueInWords(site, step, accesses);
        return `${lanes} atomically ${one ? "updates" : "update"} ${elements} in ${memory}${name}${queue}`;
    }
    const verb = site.operation === "store" ? (one ? "writes" : "write") : one ? "reads" : "read";
    const where = site.operation === "store" ? "to" : "from";
    const cost = known ? costInWords(site, step, accesses) : "";
    return `${lanes} ${verb} ${elements} ${where} ${memory}${cost}${unwrittenInWords(accesses)}`;
}

/** That what was read had not been written. */
function unwrittenInWords(accesses) {
    const unwritten = accesses.filter(({ value }) => value === null || (Array.isArray(value) && value.includes(null)));
    if (unwritten.length === 0) return "";
    if (unwritten.length === accesses.length) return ". Nobody had written there yet";
    return `. Where ${unwritten.length} of them read, nobody had written yet`;
}

function queueInWords(site, step, accesses) {
    const free = site.memory === "shared" && step.cost <= (step.least || 1);
    const cost = free ? "" : costInWords(site, step, accesses);
    if (accesses.length === 1) return cost;
    const joint = cost === "" ? ":" : ";";
    if (step.same === accesses.length) return `${cost}${joint} all want the same address, and wait for each other`;
    if (step.same > 1) return `${cost}${joint} up to ${step.same} lanes want the same address, and wait for each other`;
    return `${cost}${joint} each has an address of its own`;
}

function warpOperationInWords(launch, warp, { site, lanes, one, accesses }) {
    const call = `${lanes} ${one ? "calls" : "call"} ${site.name || "a warp function"}`;
    const sources = accesses.filter((access) => access.source !== undefined);
    return sources.length === 0 ? call : call + patternOfSources(launch, warp, sources);
}

function patternOfSources(launch, warp, accesses) {
    const { lane, source } = accesses[0];
    if (accesses.every((access) => access.source === source)) return `: each gets what lane ${source} gave`;
    const moving = accesses.filter((access) => access.source !== access.lane);
    if (moving.length === 0) return ": each keeps its own";
    const distance = moving[0].source - moving[0].lane;
    if (moving.every((access) => access.source - access.lane === distance)) {
        const direction = distance > 0 ? "above" : "below";
        const from = `the value of the lane ${Math.abs(distance)} ${direction}`;
        if (moving.length === accesses.length) return `: each gets ${from}`;
        const lanes = moving.map((access) => access.lane);
        const get = lanes.length === 1 ? "gets" : "get";
        return `: ${lanesInWords(launch, warp, lanes)} ${get} ${from}, the others keep their own`;
    }
    const mask = lane ^ source;
    const pairs = accesses.every((access) => (access.lane ^ access.source) === mask);
    return pairs ? `: lanes swap in pairs, each with lane ^ ${mask}` : "";
}

/** What the chosen warp does at a column of its block. */
function sentenceOf(trace, block, warp, column) {
    const number = roundNumberOf(block, column);
    const round = block.rounds[number];
    const step = stepAt(block, warp, column);
    if (step) return `Warp ${warp}, step ${column - round.start}: ${sentenceOfStep(trace, block.launch, warp, step)}.`;
    const steps = round.warps[warp] ? round.warps[warp].length : 0;
    const end = round.barrier === null ? "" : `, which ends at a barrier${round.grid ? " of the whole grid" : ""}`;
    if (steps > 0) return `Warp ${warp} has nothing left to do in round ${number}${end}.`;
    return `Warp ${warp} has nothing to do in round ${number}${end}.`;
}
