// A warp operation: what each lane gave, above; what each lane got, below; of shuffles, from where.

function drawWarpOperation(trace, block, { warp, column, width }) {
    const step = stepAt(block, warp, column);
    const drawing = new Drawing(width);
    const accesses = accessesOf(trace, block.launch, warp, step);
    const left = width > 500 ? 44 : 0;
    const cell = Math.min(46, (width - left - 2) / LANES);
    const shuffle = accesses.some((access) => access.source !== undefined);
    const gave = 30;
    const got = shuffle ? 128 : 84;
    const middle = (lane) => left + (lane + 0.5) * cell;
    drawing.text(0, gave + 16, left ? say("gave") : "", "muted");
    drawing.text(0, got + 16, left ? say("got") : "", "muted");
    for (let lane = 0; lane < lanesOfWarp(block.launch, warp); ++lane) {
        if (cell >= 14 || lane % 4 === 0) drawing.text(middle(lane), gave - 6, lane, "muted tiny", "middle");
        const access = accesses.find((other) => other.lane === lane);
        for (const [y, value] of [[gave, access && access.before], [got, access && access.value]]) {
            const style = access ? "warp-soft" : "idle";
            const title = access ? `${say("lane {1}", lane)}: ${wholeValue(value)}` : say("lane {1}: not active", lane);
            drawing.rect(left + lane * cell + 0.5, y, cell - 2, 24, style, { radius: 2, title });
            if (!access || cell < 18) continue;
            const text = formatValue(value, lettersIn(cell - 4));
            drawing.fit(middle(lane) - 0.5, y + 16, cell - 4, text, "", "middle", 11);
        }
    }
    for (const { lane, source } of accesses) {
        if (source !== undefined) drawing.arrow(middle(source), gave + 24, middle(lane), got - 1);
    }
    return drawing;
}
