// One compiled file: a kernel is chosen, its facts stand above, its source and its machine code beside each other.

const AROUND = 2; // lines shown before and after those of a header that have instructions

class Side {
    constructor(page, data, kinds) {
        this.page = page;
        this.data = data;
        this.kinds = kinds;
        this.element = make("section", "side");
        this.build();
        this.choose(0);
    }

    get kernel() {
        return this.data.kernels[this.number];
    }

    build() {
        const { data } = this;
        const choice = make("div", "choice");
        this.kernels = this.select(choice, say("kernel"), data.kernels.map((kernel, i) => new Option(kernel.name, i)));
        this.kernels.onchange = () => this.page.go(this, { kernel: Number(this.kernels.value) });
        const launch = make("div", "choice");
        this.threads = this.select(launch, say("threads of a block"), []);
        this.threads.onchange = () => this.showFacts();
        this.origin = make("span", "made");
        launch.append(this.origin);
        this.facts = make("dl", "facts");
        this.mix = make("div", "mix");
        this.legend = make("ul", "legend");
        this.loops = make("ul", "loops");
        this.source = make("div", "panel source");
        this.code = make("div", "panel code");
        for (const [panel, label] of [[this.source, say("source of {1}", data.title)], [this.code, say("machine code of {1}", data.title)]]) {
            panel.tabIndex = 0;
            panel.setAttribute("aria-label", label);
            panel.setAttribute("role", "region");
        }
        this.source.onclick = (event) => this.clickSource(event);
        this.code.onclick = (event) => this.clickCode(event);
        const pair = make("div", "pair");
        pair.append(this.source, this.code);
        const made = make("p", "made", data.made);
        this.element.append(make("h2", "", say("{1} for {2}", data.title, data.arch)), choice, this.mix, this.legend, pair);
        this.element.append(this.loops, launch, this.facts, made);
    }

    select(choice, name, options) {
        const label = make("label", "", `${name} `);
        const select = make("select");
        select.append(...options);
        label.append(select);
        choice.append(label);
        return select;
    }

    /** Another kernel. */
    choose(number) {
        if (this.number === number) return;
        this.number = number;
        this.kernels.value = number;
        const { kernel } = this;
        this.kernels.title = kernel.full;
        this.threads.replaceChildren(...Object.keys(kernel.occupancy).map((size) => new Option(size, size)));
        this.threads.value = kernel.threads;
        this.threads.parentElement.hidden = !kernel.isKernel;
        this.at = firstPlace(kernel);
        const [place] = kernel.code[this.at].places;
        this.line = place ? `${place[0]}:${place[1]}` : null;
        this.showFacts();
        this.fillLoops();
        this.fillSource();
        this.fillCode();
    }

    showFacts() {
        const { kernel } = this;
        const mix = mixOf(kernel.code, this.kinds);
        this.facts.replaceChildren(...factsOf(kernel, this.threads.value));
        this.origin.textContent = kernel.isKernel ? originInWords(kernel, this.threads.value) : "";
        this.mix.replaceChildren(...mix.map(({ kind, name, count }) => {
            const part = make("i");
            part.style.flexGrow = count;
            part.style.background = `var(--${kind})`;
            part.title = `${name}: ${count}`;
            return part;
        }));
        this.legend.replaceChildren(...mix.map(({ kind, name, count }) => {
            const item = make("li");
            const spot = make("i");
            spot.style.background = `var(--${kind})`;
            item.append(spot, `${name} ${count}`);
            return item;
        }));
    }

    fillLoops() {
        const { kernel } = this;
        this.loops.replaceChildren(...kernel.loops.map((loop) => {
            const item = make("li");
            item.style.paddingLeft = `${(loop.depth - 1) * 1.2}rem`;
            const code = loop.body.map((at) => kernel.code[at]);
            const button = make("button", "", say("loop {1}", rangeOf(code)));
            button.onclick = () => this.page.go(this, { at: loop.head });
            item.append(button, ` ${loopInWords(loop, code, this.kinds)}`);
            return item;
        }));
    }

    /** The whole file, and of its headers what has instructions. */
    fillSource() {
        const counts = new Map();
        for (const { places } of this.kernel.code) {
            for (const [file, number] of places.slice(0, 1)) counts.set(`${file}:${number}`, (counts.get(`${file}:${number}`) || 0) + 1);
            for (const [file, number] of places) if (!counts.has(`${file}:${number}`)) counts.set(`${file}:${number}`, 0);
        }
        this.lines = new Map();
        const rows = [];
        this.data.files.forEach((file, number) => {
            const with_code = [...counts.keys()].filter((key) => key.startsWith(`${number}:`)).map((key) => Number(key.split(":")[1]));
            if (number > 0 && with_code.length === 0) return;
            const first = number === 0 ? 1 : Math.max(1, Math.min(...with_code) - AROUND);
            const last = number === 0 ? file.lines.length : Math.min(file.lines.length, Math.max(...with_code) + AROUND);
            rows.push(make("h3", "", file.path));
            for (let line = first; line <= last; ++line) {
                const key = `${number}:${line}`;
                const row = make("div", counts.has(key) ? "line has" : "line");
                if (counts.has(key)) row.dataset.line = key;
                const count = make("span", "count", counts.get(key) ? String(counts.get(key)) : counts.has(key) ? "·" : "");
                if (counts.has(key)) count.title = counts.get(key) ? say("{1} instructions", counts.get(key)) : say("only what was inlined here");
                row.append(make("span", "number", String(line)), count, lineOfCode("span", "text", file.lines[line - 1]));
                this.lines.set(key, row);
                rows.push(row);
            }
        });
        this.source.replaceChildren(...rows);
    }

    fillCode() {
        const rails = Math.max(0, ...this.kernel.code.map((one) => one.rail.length));
        this.rows = this.kernel.code.map((one, at) => {
            const row = make("div", `row ${one.kind}`);
            row.dataset.at = at;
            row.style.setProperty("--kind", `var(--${one.kind})`);
            row.style.setProperty("--kind-soft", `var(--${one.kind}-soft)`);
            const does = make("span", "does");
            const opcode = make("span", "opcode", one.opcode);
            opcode.title = meaningOf(this.page.data.opcodes[one.opcode]);
            does.append(opcode, ` ${one.operands}`);
            row.append(make("span", "rail", one.rail.padEnd(rails)), make("span", "address", one.address));
            row.append(make("span", "predicate", one.predicate), does, make("span", "note", spoken(one.note)));
            return row;
        });
        this.code.replaceChildren(make("h3", "", this.kernel.full), ...this.rows);
    }

    clickSource(event) {
        const row = event.target.closest("[data-line]");
        if (row) this.page.go(this, { line: row.dataset.line });
    }

    clickCode(event) {
        const row = event.target.closest("[data-at]");
        if (row) this.page.go(this, { at: Number(row.dataset.at) });
    }

    /** The instructions that come from a line, or were inlined there. */
    of(line) {
        const has = ({ places }) => places.some(([file, number]) => `${file}:${number}` === line);
        return this.kernel.code.flatMap((one, at) => (has(one) ? [at] : []));
    }

    /** Marks the place. from: what was chosen, "line" or "at"; the other panel follows. */
    show(from) {
        const { kernel } = this;
        const one = kernel.code[this.at];
        const places = one.places.map(([file, number]) => `${file}:${number}`);
        for (const [key, row] of this.lines) {
            row.classList.toggle("now", key === this.line);
            row.classList.toggle("via", key !== this.line && places.includes(key));
        }
        const chosen = new Set(this.line ? this.of(this.line) : []);
        this.rows.forEach((row, at) => {
            const first = kernel.code[at].places[0];
            row.classList.toggle("own", chosen.has(at) && first !== undefined && `${first[0]}:${first[1]}` === this.line);
            row.classList.toggle("of-line", chosen.has(at));
            row.classList.toggle("now", at === this.at);
        });
        if (this.line) reveal(this.source, this.lines.get(this.line));
        reveal(this.code, this.rows[this.at]);
    }
}

/** Where to look first: at the head of the largest loop. */
function firstPlace({ loops }) {
    const [largest] = [...loops].sort((a, b) => b.body.length - a.body.length);
    return largest ? largest.head : 0;
}

/** Shows a row of a panel, without moving the page. */
function reveal(panel, row) {
    if (!row) return;
    const seen = row.offsetTop >= panel.scrollTop + 30 && row.offsetTop + row.offsetHeight <= panel.scrollTop + panel.clientHeight;
    if (!seen) panel.scrollTop = row.offsetTop - panel.clientHeight / 3;
}
