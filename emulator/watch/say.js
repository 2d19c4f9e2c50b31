// What the page says, in another language where the element #words has a catalogue of it: README.md says how it gets there.
// The English texts are the keys, and they stand in the sources in one piece, so that a tool can find them.

/** The text in the page's language, with values in its places: {1}, {2}. */
function say(text, ...values) {
    if (!say.messages) say.messages = catalogue().messages || {};
    const own = Object.hasOwn(say.messages, text) ? say.messages[text] : text;
    return own.replace(/\{(\d)\}/g, (place, number) => (number <= values.length ? values[number - 1] : place));
}

function catalogue() {
    const element = document.getElementById("words");
    return element ? JSON.parse(element.textContent) : {};
}

/** Says how many there are; the number is {1}, and {2} what comes behind. */
const plural = (count, one, several, ...more) => say(count === 1 ? one : several, count, ...more);

/** Says the elements of the page that are marked with translate="yes", and its labels. */
function sayPage() {
    const { language } = catalogue();
    if (!language) return;
    document.documentElement.lang = language;
    for (const element of document.querySelectorAll('[translate="yes"]')) {
        element.innerHTML = say(element.innerHTML.trim().replace(/\s+/g, " "));
    }
    for (const name of ["aria-label", "data-label"]) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
            element.setAttribute(name, say(element.getAttribute(name)));
        }
    }
}
