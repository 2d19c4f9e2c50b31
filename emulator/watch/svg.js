// Drawings are text: an SVG that the page shows, or that is a picture by itself. Colours are names, which STYLE gives a
// value each for light and dark pages. They are those of Okabe and Ito, which colour-blind readers can tell.

const STYLE = `
:root {
  --paper: #ffffff; --ink: #1f2933; --muted: #5b6773; --line: #c5cdd5; --faint: #eef1f4; --idle: #e3e7eb; --on: #ffffff;
  --global: #0072b2; --shared: #d98f00; --atomic: #c2410c; --warp: #008a65; --constant: #a34c7e; --fence: #5b6773;
  --global-soft: #cfe5f3; --shared-soft: #fbe6bd; --atomic-soft: #f9d3c0; --warp-soft: #c4eadd; --constant-soft: #f0d3e4;
  --fence-soft: #dde2e7; --finding: #b00020;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e6eaee; --muted: #a3aeb9; --line: #46515c; --faint: #1d232a; --idle: #262e36; --on: #14181d;
    --global: #56b4e9; --shared: #f0b429; --atomic: #ff8f5c; --warp: #3ccf9f; --constant: #e29cc4; --fence: #a3aeb9;
    --global-soft: #173b52; --shared-soft: #4b3a10; --atomic-soft: #55291a; --warp-soft: #11443a; --constant-soft: #4b2a3e;
    --fence-soft: #323b45; --finding: #ff7a85;
  }
}
.drawing { font: 12px system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; }
.drawing .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.drawing .tiny { font-size: 8.5px; } .drawing .small { font-size: 10px; } .drawing .large { font-size: 15px; }
.drawing .bold { font-weight: 600; }
.drawing text { fill: var(--ink); } .drawing text.muted { fill: var(--muted); } .drawing text.on { fill: var(--on); }
.drawing .paper { fill: var(--paper); } .drawing .ink { fill: var(--ink); } .drawing .idle { fill: var(--idle); }
.drawing .box { fill: var(--paper); stroke: var(--line); } .drawing .faintbox { fill: var(--faint); stroke: var(--line); }
.drawing .edge { stroke: var(--line); stroke-width: 2; fill: none; } .drawing .activity { fill: var(--line); }
.drawing .barrier { stroke: var(--ink); stroke-width: 2; fill: none; } .drawing .band { fill: var(--ink); opacity: 0.07; }
.drawing .now { stroke: var(--ink); stroke-width: 2.5; fill: none; }
.drawing .named { stroke: var(--finding); stroke-width: 2.5; fill: none; }
.drawing .mark { fill: var(--finding); stroke: var(--paper); }
.drawing .arrow { stroke: var(--muted); stroke-width: 1.2; fill: none; }
${["global", "shared", "atomic", "warp", "constant", "fence"].map(styleOfKind).join("\n")}
`;

function styleOfKind(kind) {
    const colour = `var(--${kind})`;
    return `.drawing .${kind} { fill: ${colour}; } .drawing .${kind}-soft { fill: var(--${kind}-soft); stroke: ${colour}; }`;
}

/** The colour of a kind, without the difference between loads and stores. */
const colourOf = (kind) => kind.replace(/-(load|store)$/, "");

const LETTER = 0.605; // of a fixed-width font: its width by its size
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeText(text) {
    // XML has no control characters, not even escaped ones.
    return String(text)
        .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
        .replace(/\u00a0/g, " ") // a browser would write it as &nbsp;, which is no XML
        .replace(/[&<>"']/g, (letter) => ESCAPES[letter]);
}

class Drawing {
    constructor(width) {
        this.width = width;
        this.height = 0;
        this.parts = []; // each of them one element
        this.frames = new Map(); // of a moving picture: class → [from, until]
    }

    /** The drawing is at least as high as what was drawn last. */
    reach(y) {
        this.height = Math.max(this.height, y);
    }

    rect(x, y, width, height, style, { title, data = "", radius = 0 } = {}) {
        this.reach(y + height);
        const round = radius ? ` rx="${radius}"` : "";
        const end = title === undefined ? "/>" : `><title>${escapeText(title)}</title></rect>`;
        const place = `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
        this.parts.push(`<rect ${place}${round} class="${style}"${data}${end}`);
    }

    text(x, y, text, style = "", anchor = "start") {
        this.reach(y + 4);
        const where = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
        this.parts.push(`<text x="${short(x)}" y="${short(y)}"${where} class="${style}">${escapeText(text)}</text>`);
    }

    /** Text that becomes smaller, and is cut at last, so that it stays in its room. */
    fit(x, y, room, text, style = "", anchor = "middle", size = 12) {
        text = String(text);
        const letter = LETTER;
        const fits = Math.min(size, room / (letter * Math.max(1, lettersOf(text))));
        const used = Math.max(7.5, fits);
        const letters = Math.floor(room / (letter * used) + 0.01);
        if (lettersOf(text) > letters) text = letters > 2 ? `${text.slice(0, letters - 1)}…` : "";
        if (text === "") {
            this.nothing();
            return;
        }
        this.reach(y + 4);
        const where = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
        const look = `class="mono ${style}" style="font-size:${short(used)}px"`;
        this.parts.push(`<text x="${short(x)}" y="${short(y)}"${where} ${look}>${escapeText(text)}</text>`);
    }

    line(x1, y1, x2, y2, style) {
        this.reach(Math.max(y1, y2));
        this.path(`M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}`, style);
    }

    path(path, style) {
        this.parts.push(`<path d="${path}" class="${style}"/>`);
    }

    arrow(x1, y1, x2, y2, style = "arrow") {
        const turn = Math.atan2(y2 - y1, x2 - x1);
        const side = (angle) => `${short(x2 - 6 * Math.cos(turn + angle))} ${short(y2 - 6 * Math.sin(turn + angle))}`;
        const head = `${short(x2)} ${short(y2)}`;
        this.path(`M${short(x1)} ${short(y1)}L${head}M${side(0.45)}L${head}L${side(-0.45)}`, style);
    }

    /** What `draw` draws comes with one frame of a moving picture, and goes with another or stays. */
    during(from, draw, until) {
        if (from <= 0 && !until) return draw();
        const parts = this.parts;
        this.parts = [];
        draw();
        const name = until ? `from${from}-${until}` : `from${from}`;
        this.frames.set(name, [from, until || 0]);
        this.parts = [...parts, `<g class="${name}">${this.parts.join("")}</g>`];
    }

    /** Keeps the place of what is not drawn this time, so that what follows stays the same part. */
    nothing() {
        this.parts.push("<g/>");
    }

    /** Puts another drawing below what is there. If that moves, the other comes when it has come to its end. */
    append(other, gap = 14) {
        const y = this.height + (this.height > 0 ? gap : 0);
        const part = `<g transform="translate(0 ${short(y)})">${other.parts.join("")}</g>`;
        this.during(Math.max(0, ...[...this.frames.values()].flat()), () => this.parts.push(part));
        this.height = y + other.height;
        for (const [name, frame] of other.frames) this.frames.set(name, frame);
    }

    /** Lines of text, broken where they get too long. */
    paragraph(x, y, text, style, size) {
        const letters = Math.max(20, Math.floor((this.width - 2 * x) / (0.6 * size)));
        for (const line of wrapText(text, letters)) {
            this.text(x, y, line, style);
            y += size * 1.35;
        }
        return y;
    }

    size(scale) {
        const height = Math.ceil(this.height) + 1;
        const viewBox = `0 0 ${short(this.width)} ${height}`;
        return { width: short(this.width * scale), height: short(height * scale), viewBox };
    }

    svg(label, scale = 1) {
        const { width, height, viewBox } = this.size(scale);
        return (
            `<svg xmlns="${SVG_NAMESPACE}" class="drawing" width="${width}" height="${height}" viewBox="${viewBox}" ` +
            `role="img" aria-label="${escapeText(label)}">${this.parts.join("")}</svg>`
        );
    }

    /** A picture by itself, with its colours. It moves if it is told how long a frame stays. */
    picture(title, milliseconds = 0, margin = 16) {
        const width = this.width + 2 * margin;
        const height = Math.ceil(this.height) + 2 * margin;
        const size = `viewBox="0 0 ${short(width)} ${height}" width="${short(width)}" height="${height}"`;
        return [
            `<svg xmlns="${SVG_NAMESPACE}" id="picture" class="drawing" ${size} role="img">`,
            `<title>${escapeText(title)}</title>`,
            `<style>${STYLE}${styleOfFrames(this.frames, milliseconds)}</style>`,
            `<rect width="${short(width)}" height="${height}" rx="8" class="paper"/>`,
            `<g transform="translate(${margin} ${margin})">`,
            ...this.parts,
            "</g>",
            "</svg>",
        ].join("\n");
    }
}

const WHOLE = 2500; // milliseconds for which all of a moving picture is seen
const FADE = 100;

/** The picture itself is the last frame: what stands where nothing moves, as on paper, and for readers who want that. It
    moves on from there: what is printed or saved at once is whole. */
function styleOfFrames(frames, milliseconds) {
    const brief = [...frames.keys()].filter((name) => name.includes("-")).map((name) => `.${name} { opacity: 0; }`);
    const time = (frame) => WHOLE + frame * milliseconds;
    const length = time(1 + Math.max(0, ...[...frames.values()].flat()));
    const moving = [...frames].map(([name, [from, until]]) => {
        const stays = [[WHOLE - FADE, 1], [WHOLE, 0], [time(from), 0], [time(from) + FADE, 1]];
        const goes = [[time(from), 0], [time(from) + FADE, 1], [time(until), 1], [time(until) + FADE, 0]];
        const stops = (until ? goes : stays).map(([at, opacity]) => `${short((100 * at) / length)}% { opacity: ${opacity}; }`);
        return `@keyframes ${name} { ${stops.join(" ")} }\n.${name} { animation: ${name} ${length}ms linear infinite; }`;
    });
    const media = "@media screen and (prefers-reduced-motion: no-preference)";
    return [...brief, ...(milliseconds ? [`${media} {`, ...moving, "}"] : [])].join("\n");
}

/** How many letters of the smallest size have room. */
const lettersIn = (room) => Math.max(1, Math.min(7, Math.floor(room / (LETTER * 7.5) + 0.01)));

const short = (number) => Math.round(number * 100) / 100;

/** Lines break at blanks, and before and behind each character of Chinese, but not before its marks. */
function wrapText(text, letters) {
    const lines = [""];
    for (const [piece, blank] of text.matchAll(/( ?)(?:[\u2e80-\uffef]|[^ \u2e80-\uffef]+)[\u3001\u3002\uff01-\uff1f]*/g)) {
        const last = lines[lines.length - 1];
        if (last !== "" && lettersOf(last) + lettersOf(piece) > letters) lines.push(piece.slice(blank.length));
        else lines[lines.length - 1] = last + piece;
    }
    return lines;
}

/** How many letters wide a text is: a character of Chinese takes the room of two. */
function lettersOf(text) {
    return [...text].reduce((sum, character) => sum + (/[\u2e80-\uffef]/.test(character) ? 2 : 1), 0);
}

/** A number in few letters: rounded by 2.5 % at most (172k, 2.15G), else "…". null was never written, undefined is not known. */
function formatValue(value, letters = 7) {
    if (value === undefined) return "";
    if (value === null) return "?";
    if (Array.isArray(value)) return value.map((one) => formatValue(one, letters)).join(" ");
    if (typeof value !== "number") return String(value);
    const plain = String(value);
    if (plain.length <= letters) return plain;
    for (let digits = Math.min(letters, 6); digits > 0; --digits) {
        const rounded = Number(value.toPrecision(digits));
        if (Math.abs(rounded - value) > 0.025 * Math.abs(value)) break;
        const texts = [String(rounded), withUnit(rounded), rounded.toExponential().replace("e+", "e")];
        const text = texts.find((one) => one.length <= letters);
        if (text !== undefined) return text;
    }
    return "…";
}

/** 172000 as "172k". */
function withUnit(value) {
    const thousands = Math.floor(Math.log10(Math.abs(value)) / 3);
    if (thousands < 1 || thousands > 4) return String(value);
    return `${Number((value / 1000 ** thousands).toPrecision(6))}${" kMGT"[thousands]}`;
}

/** The whole of it, for those who point at it. */
function wholeValue(value) {
    if (value === undefined) return say("not known");
    if (value === null) return say("never written");
    return Array.isArray(value) ? `{${value.map(wholeValue).join(", ")}}` : String(value);
}
