"""What verdicts say, in the learner's language. A verdict itself is English: wrong.toml holds its words. So a text is looked up
when it is shown: its sentences are those of the emulator, of the checkers and of what judges (translating/sentences.py)."""

from __future__ import annotations

import functools

from exercises.limits import PLURAL
from translating.sentences import Sentences
from translating.templates import Translate, filled, pattern, phrase
from translating.translation import VERDICTS, Translation

# What limits.py puts together.
LIMITS = (
    phrase("{value} {quantity}: at most {wanted} are asked for"),
    phrase("{value} {quantity}: at least {wanted} are asked for"),
    phrase("{value} {quantity}: exactly {wanted} are asked for"),
    phrase("{value} {quantity}: at most {wanted} is asked for"),
    phrase("{value} {quantity}: at least {wanted} is asked for"),
    phrase("{value} {quantity}: exactly {wanted} is asked for"),
)
QUANTITIES = (
    phrase("sectors per {request}"),
    phrase("ways per {request}"),
    phrase("addresses per {request}"),
    phrase("lanes per {request}"),
    phrase("same-address lanes per {request}"),
    phrase("warps at work on {request} requests"),
    phrase("{request} requests per block"),
    phrase("{request} requests of a warp"),
    phrase("{request} requests"),
    phrase("{request} sectors"),
    phrase("barriers per block"),
    phrase("blocks per launch"),
    phrase("threads per block"),
    phrase("blocks"),
    phrase("threads"),
    phrase("launches"),
    phrase("steps"),
)
# What stands in a place of a sentence: of one word, it is not told from a name in a source.
WORDS = (
    phrase("{text} ({text2})"),
    phrase("reads"),
    phrase("writes"),
    phrase("read"),
    phrase("wrote"),
    phrase("changed"),
    phrase("frees"),
    phrase("allocates"),
    phrase("it"),
    phrase("wait"),
    phrase("waits"),
    phrase("shared"),
    phrase("local"),
    phrase("destination"),
    phrase("source"),
    phrase("first"),
    phrase("second"),
    phrase("{number} arrival"),
    phrase("{number} arrivals"),
    phrase("small"),
    phrase("large"),
    phrase("few"),
    phrase("many"),
    phrase("numbers"),
    phrase("registers"),
    phrase("thread"),
    phrase("threads"),
    phrase("{number} threads"),
    phrase("{number} ranks"),
    phrase("warp"),
    phrase("lane"),
    phrase("kernel launch"),
    phrase("block"),
    phrase("rank"),
    phrase("ranks"),
    phrase("term"),
)
LAYERS = (phrase("compiles"), phrase("values"), phrase("checked build"), phrase("counts"))
REQUESTS = (
    phrase("global load"),
    phrase("global store"),
    phrase("global atomic"),
    phrase("shared load"),
    phrase("shared store"),
    phrase("shared atomic"),
    phrase("constant load"),
    phrase("warp operation"),
    phrase("fence"),
)
BOUNDS = {"<=": phrase("at most {number}"), ">=": phrase("at least {number}"), "=": phrase("exactly {number}")}


@functools.cache
def _sentences(translation: Translation) -> Sentences:
    words = {word: own for word in WORDS if (own := translation.phrase(word)) != word}
    return Sentences(words | translation.known(VERDICTS))


def shown(text: str, translation: Translation) -> str:
    """In the language that this translates to; as it is where nobody has translated it."""

    def value(name: str, found: str) -> str:
        return quantity(found, translation.phrase) if name == "quantity" else found

    sentence = _sentences(translation).shown(text)
    return (sentence.english and filled(text, LIMITS, translation.phrase, value)) or sentence.text


def quantity(text: str, translate: Translate) -> str:
    """What a limit is about; a verdict has it in the singular where there is one."""
    what, within, kernel = text.partition(" in ")
    for template in QUANTITIES:
        own = translate(template)
        several, one = pattern(template), pattern(PLURAL.sub(r"\1\2", template, count=1))
        if own != template and (match := several.fullmatch(what) or one.fullmatch(what)):
            known = own.format(**{name: translate(value) for name, value in match.groupdict().items()})
            return translate(phrase("{quantity} in {kernel}")).format(quantity=known, kernel=kernel) if within else known
    return text
