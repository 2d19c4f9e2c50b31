// One drawing by itself: page.html#picture=memory&round=3&warp=0&step=2 leaves an <svg id="picture"> and nothing else,
// to be stored as a file. README.md has the options.

const PICTURES = ["timeline", "lanes", "memory", "shared", "rounds", "step"];

function drawPicture(trace, contents, address) {
    if (!PICTURES.includes(address.picture)) {
        throw new Error(`There is no picture=${address.picture}, but ${PICTURES.join(", ")}.`);
    }
    if (address.array !== undefined && !trace.arrays.some((array) => array.name === address.array)) {
        throw new Error(`There is no array=${address.array}.`);
    }
    const state = stateFromAddress(trace, address);
    const block = blockOf(trace, state);
    const option = (name, otherwise) => (/^\d{1,5}$/.test(address[name] || "") ? Number(address[name]) : otherwise);
    const width = Math.max(300, option("width", 860));
    const view = { ...state, width, rows: option("rows", 36), only: address.array };
    const drawing = new Drawing(width);
    const caption = captionOf(trace, block, address, state);
    drawing.height = drawing.paragraph(0, 14, caption, "bold large", 15) - 8;
    for (const part of partsOfPicture(trace, contents, block, address, view, option)) drawing.append(part, 12);
    return drawing.picture(caption);
}

function captionOf(trace, block, address, { warp, column }) {
    const name = `${shortKernel(block.launch.kernel)}, ${blockName(block)}`;
    if (address.picture === "timeline") return say("{1}: its warps, step by step", name);
    if (address.picture !== "rounds") return sentenceOf(trace, block, warp, column);
    return say("{1}: what {2} holds after each round", name, arrayOfPicture(trace, block, address).name);
}

function partsOfPicture(trace, contents, block, address, view, option) {
    const step = stepAt(block, view.warp, view.column);
    const shared = step && trace.sites[step.site].memory === "shared";
    if (address.picture === "timeline") return [drawTimeline(trace, block, view)];
    if (address.picture === "lanes") return [drawLanes(trace, block, view) || drawWarpOperation(trace, block, view)];
    if (address.picture === "shared") return [drawShared(trace, contents, block, view)];
    if (address.picture === "rounds") {
        const array = arrayOfPicture(trace, block, address);
        const limits = { first: option("first", 0), count: option("count", 0), rounds: option("rounds", 14) };
        return [drawRounds(trace, contents, block, { array, width: view.width, ...limits })];
    }
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
