// The request of a step, drawn as its memory takes it.

/** null where the step is none, or none that a drawing of its own explains (shared memory has its panel). */
function drawRequest(trace, contents, block, view) {
    const step = stepAt(block, view.warp, view.column);
    if (!step) return null;
    const site = trace.sites[step.site];
    const drawing = new Drawing(view.width);
    if (site.operation === "warp operation") return drawWarpOperation(trace, block, view);
    const located = step.array !== undefined && (step.at !== undefined || step.from !== undefined);
    if (!located) return null;
    if (site.operation === "atomic" || site.memory === "constant") drawing.append(drawQueues(trace, block, view));
    if (site.memory === "global") drawing.append(drawGlobal(trace, contents, block, view), 20);
    return drawing.height > 0 ? drawing : null;
}

/** What the drawing above is called. */
function titleOfRequest(trace, step) {
    const site = trace.sites[step.site];
    if (site.operation === "warp operation") return say("Between the lanes");
    if (site.memory === "constant") return say("Constant memory: the addresses and their lanes");
    const atomic = site.operation === "atomic";
    if (atomic && site.memory === "global") return say("Lanes in line, and their sectors of global memory");
    if (atomic) return say("Lanes in line");
    return say("Global memory: the sectors of this request");
}
