"""What verdicts say, in the learner's language. A verdict itself is English: wrong.toml holds its words. So a text is looked up
when it is shown: its sentences are those of the emulator, of the checkers and of what judges (translating/sentences.py)."""

import functools

from exercises.limits import PLURAL
from translating.sentences import Sentences
from translating.templates import Translate, filled, pattern, phrase, phrases
from translating.translation import VERDICTS, Translation

# What limits.py puts together.
LIMITS = phrases("""
    {value} {quantity}: at most {wanted} are asked for | {value} {quantity}: at least {wanted} are asked for
    {value} {quantity}: exactly {wanted} are asked for | {value} {quantity}: at most {wanted} is asked for
    {value} {quantity}: at least {wanted} is asked for | {value} {quantity}: exactly {wanted} is asked for
""")
QUANTITIES = phrases("""
    sectors per {request} | ways per {request} | addresses per {request} | lanes per {request}
    same-address lanes per {request} | warps at work on {request} requests | {request} requests per block
    {request} requests of a warp | {request} requests | {request} sectors | barriers per block | blocks per launch
    threads per block | blocks | threads | launches | steps
""")
# What stands in a place of a sentence: of one word, it is not told from a name in a source.
WORDS = phrases("""
    {text} ({text2}) | in row {number}, {text} | {number} bytes before the nearest one, which has {number2} bytes
    {number} bytes past the end of the nearest one, which has {number2} bytes | reads | writes | read | wrote | changed
    frees | allocates | it | wait | waits | shared | local | destination | source | first | second | {number} arrival
    {number} arrivals | small | large | few | many | numbers | registers | thread | threads | {number} threads
    {number} ranks | warp | lane | kernel launch | block | rank | ranks | term
""")
LAYERS = (phrase("compiles"), phrase("values"), phrase("checked build"), phrase("counts"))
REQUESTS = phrases("""
    global load | global store | global atomic | shared load | shared store | shared atomic | constant load
    warp operation | fence
""")
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
