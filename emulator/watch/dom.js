// Drawings and other elements put into the page.

function make(tag, style = "", text) {
    const element = document.createElement(tag);
    if (style) element.className = style;
    if (text !== undefined) element.textContent = text;
    return element;
}

/** A line of source. Where it has no room, it goes on right of its own indentation. */
function lineOfCode(tag, style, text) {
    const element = make(tag, `${style} hanging`, text || " ");
    element.style.setProperty("--indent", text.search(/\S|$/));
    return element;
}

/** Shows a drawing in a panel, or nothing. Laying out thousands of texts takes longer than all else in a step, so only
    the parts that differ from what the panel shows are made anew. */
function showDrawing(panel, drawing, scale) {
    const before = panel.shown;
    panel.shown = drawing && { parts: drawing.parts, width: drawing.width, scale };
    if (!drawing) {
        panel.replaceChildren();
    } else if (!before || before.width !== drawing.width || before.scale !== scale) {
        panel.innerHTML = drawing.svg(panel.dataset.label, scale);
    } else {
        patch(panel.firstChild, before.parts, drawing.parts);
        for (const [name, value] of Object.entries(drawing.size(scale))) panel.firstChild.setAttribute(name, value);
    }
}

/** Each part is one child of the SVG. */
function patch(svg, before, parts) {
    const children = [...svg.children];
    const changed = [];
    for (let i = 0; i < parts.length; ++i) if (parts[i] !== before[i]) changed.push(i);
    const fresh = document.createElementNS(SVG_NAMESPACE, "svg");
    fresh.innerHTML = changed.map((i) => parts[i]).join("");
    const elements = [...fresh.children];
    changed.forEach((i, number) => {
        if (i < children.length) children[i].replaceWith(elements[number]);
        else svg.append(elements[number]);
    });
    for (let i = parts.length; i < children.length; ++i) children[i].remove();
}
