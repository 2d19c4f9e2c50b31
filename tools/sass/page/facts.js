// What a kernel takes and what that allows, and what a loop consists of.

function mixOf(code, kinds) {
    const counts = {};
    for (const { kind } of code) counts[kind] = (counts[kind] || 0) + 1;
    return Object.entries(kinds).filter(([kind]) => counts[kind]).map(([kind, name]) => ({ kind, name, count: counts[kind] }));
}

function fact(name, value, about = "", style = "") {
    const element = make("div", `fact ${style}`);
    const shown = make("dd", "", value);
    if (about) shown.append(make("small", "", about));
    element.append(make("dt", "", name), shown);
    return element;
}

function factsOf(kernel, threads) {
    const spills = kernel.spills[0].toUpperCase() + kernel.spills.slice(1);
    const own = [
        fact("instructions", String(kernel.code.length)),
        ...(kernel.isKernel ? [fact("registers a thread", String(kernel.registers))] : []),
        ...(kernel.isKernel ? [fact("shared memory a block", `${kernel.shared} bytes`, sharedInWords(kernel))] : []),
        ...(kernel.isKernel ? [fact("registers moved to memory", spills, "", kernel.spilled ? "bad" : "")] : []),
    ];
    const it = kernel.occupancy[threads];
    if (!it) return own;
    const percent = Math.round((100 * it.warps) / it.most);
    const room = it.blocks ? `${it.blocks} block${it.blocks === 1 ? "" : "s"}` : "no block";
    own.push(fact("a multiprocessor holds", room, `${it.warps} of ${it.most} warps`, it.blocks ? "" : "bad"));
    own.push(fact("occupancy", `${percent} %`, `limited by ${it.by.join(" and ")}`, it.blocks ? "" : "bad"));
    own.push(allowsOf(it));
    return own;
}

function sharedInWords({ dynamic, reserved }) {
    const added = dynamic === null ? "what the launch adds: --shared BYTES" : dynamic ? `${dynamic} that the launch adds` : "";
    const own = reserved ? `${reserved} that CUDA takes` : "";
    const more = [added, own].filter(Boolean).join(", and ");
    return more && `and ${more}`;
}

function originInWords(kernel, threads) {
    return Number(threads) === kernel.threads ? `${kernel.threads}: ${kernel.origin}` : `(${kernel.origin}: ${kernel.threads})`;
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
        table.append(make("span", style, name), bar, make("span", style, String(count)));
    }
    element.append(make("dt", "", "blocks that each resource would allow"), table);
    return element;
}

function loopInWords({ flying }, code, kinds) {
    const mix = mixOf(code, kinds).map(({ name, count }) => `${name} ${count}`).join(", ");
    const fused = code.filter(({ opcode }) => /^[FDH]FMA/.test(opcode)).length;
    const share = fused ? `; fused multiply-adds ${fused} (${Math.round((100 * fused) / code.length)} %)` : "";
    const loads = flying ? `; ${flying}` : "";
    return `${code.length} instructions: ${mix}${share}${loads}`;
}
