// One drawing by itself: page.html#picture=memory&round=3&warp=0&step=2 leaves an <svg id="picture"> and nothing else,
// to be stored as a file. README.md has the options.

const PICTURES = ["timeline", "lanes", "memory", "shared", "rounds", "requests", "step"];
const NUMBERS = { width: 860, rows: 36, first: 0, count: 0, rounds: 14, ranks: 0, motion: 0 }; // options that are numbers

function drawPicture(trace, contents, address) {
    if (!PICTURES.includes(address.picture)) {
        throw new Error(`There is no picture=${address.picture}, but ${PICTURES.join(", ")}.`);
    }
    if (address.array !== undefined && !trace.arrays.some((array) => array.name === address.array)) {
        throw new Error(`There is no array=${address.array}.`);
    }
    const state = stateFromAddress(trace, address);
    const block = blockOf(trace, state);
    const given = Object.entries(NUMBERS).filter(([name]) => /^\d{1,5}$/.test(address[name] || ""));
    const view = { ...state, ...NUMBERS, ...Object.fromEntries(given.map(([name]) => [name, Number(address[name])])) };
    view.width = Math.max(300, view.width);
    view.only = address.array;
    if (address.picture === "rounds") view.array = arrayOfPicture(trace, block, address);
    const drawing = new Drawing(view.width);
    const caption = captionOf(trace, block, address, view);
    drawing.height = drawing.paragraph(0, 14, caption, "bold large", 15) - 8;
    for (const part of partsOfPicture(trace, contents, block, address, view)) drawing.append(part, 12);
    return drawing.picture(caption, view.motion);
}

function captionOf(trace, block, address, view) {
    const name = `${shortKernel(block.launch.kernel)}, ${blockName(block)}`;
    if (address.picture === "timeline") return say("{1}: its warps, step by step", name);
    if (address.picture === "requests") return say("{1}: the warp that touches each element, in sectors of 32 bytes", name);
    if (address.picture !== "rounds") return sentenceOf(trace, block, view.warp, view.column);
    const shown = elementsOfRounds(view.array, view);
    const range = rangeName(view.array, shown[0], shown[shown.length - 1]);
    if (view.ranks) return say("{1}: what {2} holds after each round; 0 stands for the smallest number", name, range);
    return say("{1}: what {2} holds after each round", name, range);
}

function partsOfPicture(trace, contents, block, address, view) {
    const step = stepAt(block, view.warp, view.column);
    const shared = step && trace.sites[step.site].memory === "shared";
    if (address.picture === "timeline") return [drawTimeline(trace, block, view)];
    if (address.picture === "lanes") return [drawLanes(trace, block, view) || drawWarpOperation(trace, block, view)];
    if (address.picture === "shared") return [drawShared(trace, contents, block, view)];
    if (address.picture === "rounds") return [drawRounds(trace, contents, block, view)];
    if (address.picture === "requests") return [drawRequests(trace, block, view)];
    const lanes = address.picture === "step" && drawLanes(trace, block, view);
    const parts = lanes ? [lanes] : [];
    const request = drawRequest(trace, contents, block, view);
    if (request) parts.push(request);
    if (shared || !request) parts.push(drawShared(trace, contents, block, view));
    return parts;
}

function arrayOfPicture(trace, block, address) {
    const arrays = sharedArraysOf(trace, block);
    if (address.array !== undefined) return [...arrays, ...trace.arrays].find((array) => array.name === address.array);
    if (arrays.length === 0) throw new Error("The block has no shared array.");
    return arrays[0];
}
