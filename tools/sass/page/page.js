// The page: what is chosen, the keys, and the address that holds it.

const $ = (id) => document.getElementById(id);

class Page {
    constructor(data) {
        this.data = data;
        this.sides = data.sides.map((side) => new Side(this, side, data.kinds));
        $("sides").className = this.sides.length > 1 ? "two" : "one";
        $("sides").replaceChildren(...this.sides.map((side) => side.element));
        this.side = this.sides[0];
        const keys = this.sides.length > 1 ? KEYS : KEYS.filter(([key]) => key !== "s");
        $("keys").replaceChildren(...keys.map(([key, what]) => rowOfKeys(key, what)));
        this.fillMeanings();
        this.listen();
        this.takeAddress();
        document.body.classList.add("ready");
    }

    fillMeanings() {
        const kinds = new Map();
        for (const side of this.data.sides) {
            for (const { code } of side.kernels) for (const one of code) kinds.set(one.opcode, one.kind);
        }
        $("meanings").replaceChildren(...Object.entries(this.data.opcodes).map(([opcode, says]) => {
            const item = make("div");
            const name = make("dt", "", opcode);
            name.style.setProperty("--kind", `var(--${kinds.get(opcode)})`);
            item.append(name, make("dd", "", meaningOf(says)));
            return item;
        }));
    }

    /** side: where. change: {kernel}, {at}: an instruction, or {line}: "file:number". */
    go(side, change) {
        this.side = side;
        side.byLine = change.line !== undefined;
        if (change.kernel !== undefined) side.choose(change.kernel);
        if (change.line !== undefined) {
            side.line = change.line;
            const own = side.of(change.line).filter((at) => isAt(side.kernel.code[at], change.line));
            side.at = [...own, ...side.of(change.line)][0] ?? side.at;
        }
        if (change.at !== undefined) {
            side.at = Math.max(0, Math.min(change.at, side.kernel.code.length - 1));
            const [place] = side.kernel.code[side.at].places;
            side.line = place ? `${place[0]}:${place[1]}` : null;
        }
        this.show();
        clearTimeout(this.writing);
        this.writing = setTimeout(() => history.replaceState(null, "", this.address()), 120);
    }

    address() {
        const { side } = this;
        const line = side.line === null ? "" : `&line=${side.line}`;
        return `#side=${this.sides.indexOf(side)}&kernel=${side.number}${line}&at=${side.kernel.code[side.at].address}`;
    }

    takeAddress() {
        const asked = new URLSearchParams(location.hash.slice(1));
        const number = (name, most) => Math.min(/^\d{1,6}$/.test(asked.get(name) || "") ? Number(asked.get(name)) : 0, most);
        const side = this.sides[number("side", this.sides.length - 1)];
        const kernel = number("kernel", side.data.kernels.length - 1);
        side.choose(kernel);
        const at = side.kernel.code.findIndex(({ address }) => address === asked.get("at"));
        const line = asked.get("line");
        if (line !== null && side.lines.has(line) && side.of(line).length > 0) this.go(side, { line });
        if (at >= 0 && (line === null || isAt(side.kernel.code[at], line))) this.go(side, { at });
        else if (line === null || !side.lines.has(line)) this.go(side, { at: firstPlace(side.kernel) });
    }

    show() {
        const { side } = this;
        for (const other of this.sides) other.show();
        const one = side.kernel.code[side.at];
        const says = side.byLine ? sentenceOfLine(side, this.data.kinds) : sentenceOf(one, side, this.data.opcodes);
        $("sentence").replaceChildren(...says);
        $("follow").hidden = one.target === null;
    }

    // Keys.

    listen() {
        addEventListener("hashchange", () => this.takeAddress());
        addEventListener("keydown", (event) => this.press(event));
        $("back").onclick = () => this.step(-1);
        $("forth").onclick = () => this.step(1);
        $("follow").onclick = () => this.follow();
        $("help").onclick = () => this.help();
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.tagName === "SELECT" && !/^(\[|\]|\?)$/.test(event.key)) return;
        if (event.key === "Enter" && /^(BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
        const action = ACTIONS[event.key];
        if (!action) return;
        event.preventDefault();
        action(this);
    }

    step(by) {
        this.go(this.side, { at: this.side.at + by });
    }

    follow() {
        const { target } = this.side.kernel.code[this.side.at];
        if (target !== null) this.go(this.side, { at: target });
    }

    /** The next line that has instructions. */
    byLine(by) {
        const { side } = this;
        const lines = [...side.lines.keys()].filter((key) => side.lines.get(key).dataset.line);
        const at = lines.indexOf(side.line);
        const next = lines[at < 0 ? 0 : Math.max(0, Math.min(at + by, lines.length - 1))];
        if (next) this.go(side, { line: next });
    }

    loop(by) {
        const heads = this.side.kernel.loops.map((loop) => loop.head).sort((a, b) => a - b);
        const next = by > 0 ? heads.find((head) => head > this.side.at) : heads.reverse().find((head) => head < this.side.at);
        if (next !== undefined) this.go(this.side, { at: next });
    }

    kernel(by) {
        const next = this.side.number + by;
        if (next >= 0 && next < this.side.data.kernels.length) this.go(this.side, { kernel: next });
    }

    /** The next access to local memory. */
    spill() {
        const { code } = this.side.kernel;
        const found = code.flatMap(({ kind }, at) => (kind === "spill" ? [at] : []));
        if (found.length > 0) this.go(this.side, { at: found.find((at) => at > this.side.at) ?? found[0] });
    }

    other() {
        this.side = this.sides[(this.sides.indexOf(this.side) + 1) % this.sides.length];
        this.go(this.side, { at: this.side.at });
    }

    help() {
        const open = $("keys-panel").toggleAttribute("hidden") === false;
        $("help").setAttribute("aria-expanded", String(open));
    }
}

const isAt = (one, line) => one.places.length > 0 && `${one.places[0][0]}:${one.places[0][1]}` === line;

const KEYS = [
    ["↑ ↓", say("the instruction before, the next one")],
    ["← →", say("the source line before, the next one")],
    ["[ ]", say("the loop before, the next one")],
    ["Enter", say("where the branch leads")],
    ["b B", say("the next kernel, the one before")],
    ["f", say("the next access to local memory")],
    ["s", say("the other side")],
    ["Home End", say("the first instruction, the last one")],
    ["?", say("these keys")],
];

const ACTIONS = {
    ArrowUp: (page) => page.step(-1),
    ArrowDown: (page) => page.step(1),
    ArrowLeft: (page) => page.byLine(-1),
    ArrowRight: (page) => page.byLine(1),
    "[": (page) => page.loop(-1),
    "]": (page) => page.loop(1),
    Enter: (page) => page.follow(),
    b: (page) => page.kernel(1),
    B: (page) => page.kernel(-1),
    f: (page) => page.spill(),
    s: (page) => page.other(),
    Home: (page) => page.go(page.side, { at: 0 }),
    End: (page) => page.go(page.side, { at: page.side.kernel.code.length - 1 }),
    "?": (page) => page.help(),
};

function rowOfKeys(keys, what) {
    const row = make("li");
    for (const key of keys.split(" ")) row.append(make("kbd", "", key), " ");
    row.append(what);
    return row;
}

const MOST_NAMES = 8; // of a line's instructions

/** "Line 50: 30 instructions: 2 × LDG.E, 1 × FFMA, …": what touches memory comes first. */
function sentenceOfLine(side, kinds) {
    const order = Object.keys(kinds);
    const code = side.of(side.line).map((at) => side.kernel.code[at]).sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    const counts = new Map();
    for (const { opcode } of code) counts.set(opcode, (counts.get(opcode) || 0) + 1);
    const named = [...counts].slice(0, MOST_NAMES).map(([opcode, count]) => `${count} × ${opcode}`).join(say(", "));
    const more = counts.size > MOST_NAMES ? say(", and others") : "";
    const own = code.filter((one) => isAt(one, side.line)).length;
    const inlined = own < code.length ? say(" ({1} of them from functions that are inlined here)", code.length - own) : "";
    const [file, number] = side.line.split(":").map(Number);
    const where = file === 0 ? say("Line {1}", number) : say("{1}, line {2}", side.data.files[file].path, number);
    return [make("b", "", where), plural(code.length, ": {1} instruction{2}.", ": {1} instructions{2}.", `${inlined}${say(": {1}", `${named}${more}`)}`)];
}

/** "LDG.E R5, …: loads from global memory …. 4 B a lane. Line 50, inlined in line 61. In the loop 0160–0230." */
function sentenceOf(one, side, opcodes) {
    const name = make("b", "", `${one.predicate ? `${one.predicate} ` : ""}${one.opcode} ${one.operands}`);
    const not = one.predicate[1] === "!";
    const predicate = one.predicate.replace(/^@!?/, "");
    const lanes = say(not ? " Only in lanes where {1} is false." : " Only in lanes where {1} is true.", predicate);
    const who = one.predicate ? lanes : "";
    const place = ([number, line]) => (number === 0 ? say("line {1}", line) : say("{1}, line {2}", side.data.files[number].path, line));
    const lines = one.places.map(place).join(say(", inlined in "));
    const from = lines ? say(" From {1}.", lines) : say(" The compiler notes no line for it.");
    const loop = side.kernel.loops[one.loop];
    const code = loop && loop.body.map((at) => side.kernel.code[at]);
    const inside = loop ? say(" In the loop {1}, {2} instructions.", rangeOf(code), code.length) : "";
    const says = spoken(one.note);
    const note = says && say(" {1}.", capital(says));
    return [name, `${say(": {1}.", meaningOf(opcodes[one.opcode]))}${who}${note}${from}${inside}`];
}

const meaningOf = (says) => says.map(spoken).join(say("; "));

const rangeOf = (code) => `${code[0].address}–${code[code.length - 1].address}`;

function start() {
    document.head.append(make("style", "", STYLE));
    sayPage();
    try {
        new Page(JSON.parse($("data").textContent));
    } catch (error) {
        $("problem").textContent = say("This page cannot be shown: {1}", error.message);
        $("problem").hidden = false;
    }
}

addEventListener("DOMContentLoaded", start);
