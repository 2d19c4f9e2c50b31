// The page: what is chosen, the keys, and the panels around the drawings.

const $ = (id) => document.getElementById(id);
const PLAY_MS = 650;

class Page {
    constructor(trace) {
        this.trace = trace;
        this.contents = new Contents(trace);
        this.places = placesOfFindings(trace);
        this.playing = 0;
        this.file = -1;
        this.fill();
        this.listen();
        this.takeAddress();
        document.body.classList.add("ready");
    }

    get block() {
        return blockOf(this.trace, this.state);
    }

    takeAddress() {
        const address = readAddress(location.hash);
        const asked = PLACE.some((name) => name in address);
        this.state = asked ? stateFromAddress(this.trace, address) : firstState(this.trace);
        this.show();
    }

    go(change) {
        const { launch: number, block, warp, column } = this.state;
        const next = { launch: number, block, warp, column, ...change };
        if (next.launch !== this.state.launch && change.block === undefined) next.block = 0;
        const launch = this.trace.launches[next.launch];
        next.block = Math.max(0, Math.min(next.block, launch.shown.length - 1));
        next.warp = Math.max(0, Math.min(next.warp, launch.warps - 1));
        next.column = Math.max(0, Math.min(next.column, launch.shown[next.block].columns - 1));
        this.state = next;
        this.show();
        if (location.protocol === "about:") return; // a notebook's frame has no address
        // Browsers object to an address that changes dozens of times a second.
        clearTimeout(this.writing);
        this.writing = setTimeout(() => history.replaceState(null, "", writeAddress(this.trace, this.state)), 120);
    }

    // What stays the same.

    fill() {
        const { trace } = this;
        $("program").textContent = trace.program;
        const launches = trace.launches.map((launch, i) => new Option(say("{1}: {2}", say("launch {1}", i), shortKernel(launch.kernel)), i));
        $("launch").replaceChildren(...launches);
        $("launch-label").hidden = trace.launches.length < 2;
        $("keys").replaceChildren(...KEYS.map(([keys, what]) => rowOfKeys(keys, what)));
        $("left-out").textContent = leftOutInWords(trace);
    }

    fillLaunch(launch) {
        const name = shortKernel(launch.kernel);
        $("kernel").textContent = launch.stage ? `${launch.stage}: ${name}` : name;
        $("kernel").title = launch.kernel;
        $("shape").textContent = shapeInWords(launch);
        $("block").replaceChildren(...launch.shown.map((block, i) => new Option(blockName(block), i)));
        $("findings").replaceChildren(...launch.findings.map((finding, i) => this.panelOfFinding(finding, i)));
        this.launchShown = launch;
    }

    panelOfFinding(finding, number) {
        const panel = make("div", "finding");
        const lines = finding.report.trim().split("\n");
        const head = make("p", "", lines[0].startsWith(finding.kind) ? "" : `${finding.kind}: `);
        head.append(make("strong", "", lines[0]));
        panel.append(head);
        const buttons = make("p", "places");
        this.places.forEach((place, at) => {
            if (place.launch !== this.state.launch || place.finding !== number) return;
            const round = roundNumberOf(this.trace.launches[place.launch].shown[place.block], place.column);
            const button = make("button", "", say("warp {1}, lane {2}, round {3}", place.warp, place.lane, round));
            button.dataset.place = at;
            button.onclick = () => this.go(place);
            buttons.append(button);
        });
        if (lines.length > 1) {
            const whole = make("details");
            whole.append(make("summary", "", say("the whole report")), make("pre", "", finding.report.trim()));
            buttons.append(whole);
        }
        panel.append(buttons);
        return panel;
    }

    // What a moment shows.

    show() {
        const { trace, state, block } = this;
        const launch = block.launch;
        if (this.launchShown !== launch) this.fillLaunch(launch);
        $("launch").value = state.launch;
        $("block").value = state.block;
        $("slider").max = block.columns - 1;
        $("slider").value = state.column;
        const round = roundNumberOf(block, state.column);
        const moment = say("round {1}, step {2}", round, state.column - block.rounds[round].start);
        $("slider").setAttribute("aria-valuetext", moment);
        $("moment").textContent = moment;
        $("sentence").textContent = sentenceOf(trace, block, state.warp, state.column);
        this.showFindings();
        this.showSource();
        this.showDrawings();
    }

    showFindings() {
        const same = (place) => ["launch", "block", "warp", "column"].every((name) => place[name] === this.state[name]);
        for (const button of $("findings").querySelectorAll("button")) {
            button.setAttribute("aria-pressed", String(same(this.places[Number(button.dataset.place)])));
        }
    }

    showDrawings() {
        const { trace, contents, state, block } = this;
        const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
        const width = (id) => Math.max(280, Math.floor($(id).clientWidth / zoom));
        const widths = { work: width("timeline"), memory: width("memory"), page: width("top") - 24 }; // asked for before anything changes
        const draw = (id, drawn, room = widths.memory) => {
            const drawing = drawn({ ...state, width: room });
            $(id).parentElement.hidden = !drawing;
            showDrawing($(id), drawing, zoom);
        };
        const step = stepAt(block, state.warp, state.column);
        draw("timeline", (view) => drawTimeline(trace, block, view), widths.work);
        draw("lanes", (view) => drawLanes(trace, block, view));
        $("lanes-title").textContent = titleOfLanes(trace, step, state.warp);
        draw("request", (view) => drawRequest(trace, contents, block, view));
        if (step) $("request-title").textContent = titleOfRequest(trace, step);
        const shares = sharedArraysOf(trace, block).length > 0;
        draw("graphs", (view) => drawGraphs(trace.graphs || [], view), widths.page);
        draw("shared", (view) => (shares ? drawShared(trace, contents, block, view) : null));
    }

    showSource() {
        const { trace, state, block } = this;
        const step = stepAt(block, state.warp, state.column);
        const site = step && trace.sites[step.site];
        const number = site ? site.file : this.file >= 0 ? this.file : block.launch.file;
        const file = trace.files[number];
        if (!file) return;
        if (this.file !== number) this.fillSource(number, file);
        const counts = countsOfLines(trace, block, state.column);
        for (const [at, row] of this.rows.entries()) {
            const line = file.first + at;
            const now = site !== undefined && site.line === line;
            row.tr.className = now ? `now ${colourOf(kindOf(site))}` : "";
            if (now) row.tr.setAttribute("aria-current", "true");
            else row.tr.removeAttribute("aria-current");
            const kinds = counts.get(`${number}:${line}`) || new Map();
            row.counts.textContent = [...kinds.values()].map(countInWords).join("\n");
        }
        if (site) this.scrollTo(site.line - file.first);
    }

    fillSource(number, file) {
        this.file = number;
        $("file").textContent = file.path;
        this.rows = file.lines.map((text, at) => {
            const tr = make("tr");
            const counts = make("span", "counts");
            const code = lineOfCode("td", "code", text);
            code.prepend(counts);
            tr.append(make("td", "number", String(file.first + at)), code);
            return { tr, counts };
        });
        $("lines").replaceChildren(...this.rows.map((row) => row.tr));
    }

    scrollTo(at) {
        const row = this.rows[at];
        if (!row) return;
        const panel = $("source");
        const { offsetTop } = row.tr;
        const seen = offsetTop >= panel.scrollTop + 30 && offsetTop + 40 <= panel.scrollTop + panel.clientHeight;
        if (!seen) panel.scrollTop = offsetTop - panel.clientHeight / 2;
    }

    // Keys and the mouse.

    listen() {
        addEventListener("hashchange", () => this.takeAddress());
        addEventListener("keydown", (event) => this.press(event));
        let resizing = 0;
        addEventListener("resize", () => {
            cancelAnimationFrame(resizing);
            resizing = requestAnimationFrame(() => this.showDrawings());
        });
        $("launch").onchange = () => this.go({ launch: Number($("launch").value), column: 0 });
        $("block").onchange = () => this.go({ block: Number($("block").value) });
        $("slider").oninput = () => this.go({ column: Number($("slider").value) });
        $("back").onclick = () => this.go({ column: this.state.column - 1 });
        $("forth").onclick = () => this.go({ column: this.state.column + 1 });
        $("play").onclick = () => this.play();
        $("help").onclick = () => this.help();
        $("timeline").onclick = (event) => this.pointAt(event);
    }

    pointAt(event) {
        const { warp, column, overview } = event.target.dataset;
        if (column !== undefined) return this.go({ warp: Number(warp), column: Number(column) });
        if (overview === undefined) return undefined;
        const box = event.target.getBoundingClientRect();
        return this.go({ column: Math.floor(((event.clientX - box.left) / box.width) * this.block.columns) });
    }

    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === " " && /^(BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
        if (event.target.tagName === "SELECT" && !/^(ArrowLeft|ArrowRight|\[|\]|\?)$/.test(event.key)) return;
        const action = ACTIONS[event.key];
        if (!action) return;
        event.preventDefault();
        action(this);
    }

    round(by) {
        const number = roundNumberOf(this.block, this.state.column) + by;
        const round = this.block.rounds[Math.max(0, Math.min(number, this.block.rounds.length - 1))];
        this.go({ column: round.start });
    }

    /** The next place that a finding names, from where one looks. */
    finding() {
        if (this.places.length === 0) return;
        const same = (place) => ["launch", "block", "warp", "column"].every((name) => place[name] === this.state[name]);
        this.go(this.places[(this.places.findIndex(same) + 1) % this.places.length]);
    }

    play() {
        clearInterval(this.playing);
        const begins = !this.playing;
        this.playing = begins ? setInterval(() => this.tick(), PLAY_MS) : 0;
        $("play").setAttribute("aria-pressed", String(begins));
        $("play").textContent = begins ? "❚❚" : "▶";
        if (begins && this.state.column === this.block.columns - 1) this.go({ column: 0 });
    }

    tick() {
        if (this.state.column === this.block.columns - 1) this.play();
        else this.go({ column: this.state.column + 1 });
    }

    help() {
        const open = $("keys-panel").toggleAttribute("hidden") === false;
        $("help").setAttribute("aria-expanded", String(open));
    }
}

const KEYS = [
    ["← →", say("one step back, one step on, for all warps")],
    ["↑ ↓", say("the warp to look at")],
    ["[ ]", say("the previous barrier, the next one")],
    ["b B", say("the next block, the previous one")],
    ["f", say("the next finding")],
    ["Home End", say("the first step, the last one")],
    ["space", say("play, or stop")],
    ["?", say("these keys")],
];

const ACTIONS = {
    ArrowLeft: (page) => page.go({ column: page.state.column - 1 }),
    ArrowRight: (page) => page.go({ column: page.state.column + 1 }),
    ArrowUp: (page) => page.go({ warp: page.state.warp - 1 }),
    ArrowDown: (page) => page.go({ warp: page.state.warp + 1 }),
    "[": (page) => page.round(-1),
    "]": (page) => page.round(1),
    b: (page) => page.go({ block: page.state.block + 1 }),
    B: (page) => page.go({ block: page.state.block - 1 }),
    f: (page) => page.finding(),
    Home: (page) => page.go({ column: 0 }),
    End: (page) => page.go({ column: page.block.columns - 1 }),
    " ": (page) => page.play(),
    "?": (page) => page.help(),
};

function rowOfKeys(keys, what) {
    const row = make("li");
    for (const key of keys.split(" ")) row.append(make("kbd", "", key), " ");
    row.append(what);
    return row;
}

/** "4 blocks, each 256 threads = 8 warps"; grids and blocks of more dimensions with their extents. */
function shapeInWords({ blocks, threads, warps, grid, block }) {
    const extents = ([x, y, z]) => (z > 1 ? ` (${x} × ${y} × ${z})` : y > 1 ? ` (${x} × ${y})` : "");
    const inBlock = plural(threads, "{1} thread", "{1} threads") + extents(block);
    const inGrid = plural(blocks, "{1} block", "{1} blocks") + extents(grid);
    return say("{1}, each {2} = {3}", inGrid, inBlock, plural(warps, "{1} warp", "{1} warps"));
}

function titleOfLanes(trace, step, warp) {
    const lanes = say("The lanes of warp {1}", warp);
    if (!step) return lanes;
    const numbers = step.array === undefined ? [] : [...new Set([step.array].flat())];
    const names = numbers.map((number) => trace.arrays[number].name);
    return names.length ? say("{1}: {2}", lanes, listInWords(names)) : lanes;
}

/** "R 16 × 4 sectors": so many requests, and what one costs on average. A line that was not reached yet keeps its
    room. */
function countInWords({ kind, unit, requests, cost }) {
    if (requests === 0) return " ";
    const times = `${LETTERS[kind]} ${requests} ×`;
    if (unit === "") return times;
    const each = formatValue(Math.round((cost / requests) * 10) / 10, 5);
    return `${times} ${unitsInWords(each, unit)}`;
}

function unitsInWords(each, unit) {
    const one = each === "1";
    if (unit === "sector") return say(one ? "{1} sector" : "{1} sectors", each);
    if (unit === "wavefront") return say(one ? "{1} wavefront" : "{1} wavefronts", each);
    return say(one ? "{1} address" : "{1} addresses", each);
}

/** In sum: a program may launch some kernel hundreds of times. */
function leftOutInWords(trace) {
    const shown = trace.launches.flatMap((launch) => launch.shown);
    const all = trace.launches.reduce((sum, launch) => sum + launch.blocks, 0);
    const missing = shown.reduce((sum, block) => sum + block.steps_left_out, 0);
    const kept = say("{1} of {2}", shown.length, plural(all, "{1} block", "{1} blocks"));
    const blocks = trace.launches.length > 1 ? say("{1} in {2} launches", kept, trace.launches.length) : kept;
    const without = plural(missing, "without their last {1} step", "without their last {1} steps");
    const steps = missing ? without : say("with all their steps");
    const { launches, why } = trace.left_out;
    const because = why ? say(" ({1})", whyInWords(why)) : "";
    const more = plural(launches, " Left out: {1} more launch{2}.", " Left out: {1} more launches{2}.", because);
    const others = launches ? more : "";
    return say("Kept: {1}.", say("{1}, {2}", blocks, steps)) + others;
}

/** The reasons that the trace's writer knows; another one is said as it is. */
function whyInWords(why) {
    const known = {
        "the program repeats them": say("the program repeats them"),
        "the page is full": say("the page is full"),
        "the program repeats some, and then the page is full": say("the program repeats some, and then the page is full"),
    };
    return known[why] || why;
}

async function start() {
    document.head.append(make("style", "", STYLE));
    sayPage();
    try {
        const trace = prepareTrace(await unpackTrace($("trace").textContent));
        const address = readAddress(location.hash);
        if (address.picture === undefined) {
            new Page(trace);
            performance.mark("shown");
        } else {
            document.body.innerHTML = drawPicture(trace, new Contents(trace), address);
        }
    } catch (error) {
        $("problem").textContent = say("This page cannot be shown: {1}", error.message);
        $("problem").hidden = false;
    }
}

addEventListener("DOMContentLoaded", start);  // when all files are read, in whatever order they stand
