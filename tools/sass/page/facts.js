// What a kernel takes and what that allows, and what a loop consists of.

/** What the data say, in the page's language: a text, and what is in its places. */
const spoken = ([text, ...values]) => say(text, ...values.map((value) => (Array.isArray(value) ? spoken(value) : value)));

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function mixOf(code, kinds) {
    const counts = {};
    for (const { kind } of code) counts[kind] = (counts[kind] || 0) + 1;
    return Object.entries(kinds).filter(([kind]) => counts[kind]).map(([kind, name]) => ({ kind, name: say(name), count: counts[kind] }));
}

function fact(name, value, about = "", style = "") {
    const element = make("div", `fact ${style}`);
    const shown = make("dd", "", value);
    if (about) shown.append(make("small", "", about));
    element.append(make("dt", "", name), shown);
    return element;
}

function factsOf(kernel, threads) {
    const own = [
        fact(say("instructions"), String(kernel.code.length)),
        ...(kernel.isKernel ? [fact(say("registers a thread"), String(kernel.registers))] : []),
        ...(kernel.isKernel ? [fact(say("shared memory a block"), plural(kernel.shared, "{1} bytes", "{1} bytes"), sharedInWords(kernel))] : []),
        ...(kernel.isKernel ? [fact(say("registers moved to memory"), capital(spoken(kernel.spills)), "", kernel.spilled ? "bad" : "")] : []),
    ];
    const it = kernel.occupancy[threads];
    if (!it) return own;
    const percent = Math.round((100 * it.warps) / it.most_warps);
    const room = it.blocks ? plural(it.blocks, "{1} block", "{1} blocks") : say("no block");
    own.push(fact(say("a multiprocessor holds"), room, say("{1} of {2} warps", it.warps, it.most_warps), it.blocks ? "" : "bad"));
    const limits = it.limited_by.map(resource).join(say(" and "));
    own.push(fact(say("occupancy"), `${percent} %`, say("limited by {1}", limits), it.blocks ? "" : "bad"));
    own.push(allowsOf(it));
    return own;
}

function sharedInWords({ dynamic, reserved }) {
    const added = dynamic === null ? say("what the launch adds: --shared BYTES") : dynamic ? say("{1} that the launch adds", dynamic) : "";
    const own = reserved ? say("{1} that CUDA takes", reserved) : "";
    const more = [added, own].filter(Boolean).join(say(", and "));
    return more && say("and {1}", more);
}

function originInWords(kernel, threads) {
    const origin = spoken(kernel.origin);
    return Number(threads) === kernel.threads ? say("{1}: {2}", kernel.threads, origin) : say("({1}: {2})", origin, kernel.threads);
}

function resource(name) {
    const names = {
        registers: say("registers"), warps: say("warps"), blocks: say("blocks"), barriers: say("barriers"),
        "shared memory": say("shared memory"),
    };
    return names[name];
}

/** How many blocks each resource would allow alone. */
function allowsOf({ allows, blocks }) {
    const element = make("div", "fact wide");
    const table = make("dd", "allows");
    const most = Math.max(1, ...Object.values(allows));
    for (const [name, count] of Object.entries(allows)) {
        const style = count === blocks ? "least" : "";
        const bar = make("i", style);
        bar.style.width = `${Math.max(1, (100 * count) / most)}%`;
        table.append(make("span", style, resource(name)), bar, make("span", style, String(count)));
    }
    element.append(make("dt", "", say("blocks that each resource would allow")), table);
    return element;
}

function loopInWords({ flying }, code, kinds) {
    const mix = mixOf(code, kinds).map(({ name, count }) => `${name} ${count}`).join(say(", "));
    const fused = code.filter(({ opcode }) => /^[FDH]FMA/.test(opcode)).length;
    const share = fused ? say("; fused multiply-adds {1} ({2} %)", fused, Math.round((100 * fused) / code.length)) : "";
    const loads = flying.map((each) => say("; {1}", spoken(each))).join("");
    return say("{1} instructions: {2}", code.length, `${mix}${share}${loads}`);
}
