// The graphs that a program launched: each node below those that it waits for.

function drawGraphs(graphs, { width }) {
    if (graphs.length === 0) return null;
    const drawing = new Drawing(width);
    for (const graph of graphs) drawing.append(drawGraph(graph, width), 22);
    return drawing;
}

function drawGraph(graph, width) {
    const drawing = new Drawing(width);
    const nodes = plural(graph.nodes.length + graph.left_out, "{1} node", "{1} nodes");
    drawing.text(0, 14, say("{1}, launched {2}", nodes, plural(graph.launches, "once", "{1} times")), "bold");
    const places = placesOfNodes(graph.nodes, width, 28);
    graph.nodes.forEach((node, number) => {
        const to = places[number];
        for (const before of node.after) {
            const from = places[before];
            drawing.arrow(from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y);
        }
    });
    graph.nodes.forEach((node, number) => {
        const { x, y, width: wide, height } = places[number];
        const title = say("node {1}: {2}", number, node.kernel || labelOfNode(node));
        drawing.rect(x, y, wide, height, STYLE_OF_NODE[node.kind] || "faintbox", { radius: 5, title });
        drawing.fit(x + wide / 2, y + 18, wide - 10, labelOfNode(node), "", "middle", 12);
    });
    if (graph.left_out > 0) {
        drawing.text(0, drawing.height + 18, plural(graph.left_out, "{1} more node is left out", "{1} more nodes are left out"), "muted");
    }
    return drawing;
}

const STYLE_OF_NODE = { kernel: "global-soft", copy: "shared-soft", fill: "shared-soft", "host function": "warp-soft" };

/** A node's row is one below the lowest of those that it waits for; those of a row share the width. */
function placesOfNodes(nodes, width, top) {
    const high = 28;
    const rows = [];
    const rowOf = [];
    nodes.forEach((node, number) => {
        const row = node.after.reduce((lowest, before) => Math.max(lowest, rowOf[before] + 1), 0);
        rowOf.push(row);
        (rows[row] = rows[row] || []).push(number);
    });
    return nodes.map((_, number) => {
        const row = rows[rowOf[number]];
        const room = width / row.length;
        const wide = Math.min(260, room - 6);
        const x = (row.indexOf(number) + 0.5) * room - wide / 2;
        return { x, y: top + rowOf[number] * (high + 22), width: wide, height: high };
    });
}

function labelOfNode({ kind, kernel, grid, block, bytes = 0, nodes = 0 }) {
    if (kernel) return `${shortKernel(kernel)} <<<${extentsOf(grid)}, ${extentsOf(block)}>>>`;
    if (kind === "copy") return plural(bytes, "copy of {1} byte", "copy of {1} bytes");
    if (kind === "fill") return plural(bytes, "fill of {1} byte", "fill of {1} bytes");
    if (kind === "graph") return plural(nodes, "graph of {1} node", "graph of {1} nodes");
    if (kind === "host function") return say("host function");
    if (kind === "recording of an event") return say("recording of an event");
    if (kind === "wait for an event") return say("wait for an event");
    if (kind === "condition") return say("condition");
    return kind === "turned off" ? say("turned off") : say("empty");
}

/** "4", or "(4, 2)": as one writes them in a launch. */
function extentsOf([x, y, z]) {
    if (z > 1) return `(${x}, ${y}, ${z})`;
    return y > 1 ? `(${x}, ${y})` : String(x);
}
