"""What may stand at the end of a command line: read from the parsers of the commands, so that it is always what they take.

Argparse has no public way to ask a parser for its options; the fields used here are the ones that its own --help uses."""

import argparse
from argparse import Action
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from shared.arguments import Parser, split_at_dashes

FILES = ":files"  # in place of words: the shell knows which files there are

Words: TypeAlias = dict[str, str]  # and what each means, or an empty text
# By what stands for an argument in --help, such as CHAPTER: the words for it, after a command and the arguments before it.
# FILES among them: where no other word fits, it may be a file.
Values: TypeAlias = Mapping[str, Callable[[str, Sequence[str]], Words]]


def complete(commands: Mapping[str, Parser], values: Values, words: Sequence[str]) -> list[str]:
    """The words that the last one of a command line may become, each with a tab and its meaning, or FILES. words: what
    follows ./lab."""
    *before, begun = _without_equals_signs(words)
    option, equals, value = begun.partition("=")
    if begun.startswith("--") and equals:
        found = _candidates(commands, values, [*before, option], value)
        return [line if line == FILES else f"{option}={line}" for line in found]
    return _candidates(commands, values, before, begun)


def _without_equals_signs(words: Sequence[str]) -> list[str]:
    """--build=x is three words to bash, and one to other shells. Here bash's become two."""
    *before, last = words or [""]
    return [*(word for word in before if word != "="), "" if last == "=" else last]


def _candidates(commands: Mapping[str, Parser], values: Values, before: Sequence[str], begun: str) -> list[str]:
    if not before or list(before) == ["help"]:
        names = {name: parser.summary for name, parser in commands.items()}
        own = {} if before else {"help": "all commands, or one", "--help": "", "--version": "version and commit"}
        return _fitting(names | own, begun)
    command, *given = before
    if command not in commands:
        return []
    parser = commands[command]
    if "--" in given and parser.program_arguments:
        own_words, for_program = split_at_dashes(given)
        if for_program[-1:] == ["--stage"]:
            return _fitting(values["STAGE"](command, _arguments(parser, own_words)), begun)
        return [FILES]
    if given and (option := _option(parser, given[-1])) and option.nargs != 0:
        return _of_action(values, command, [], option, begun)
    if begun.startswith("-"):
        return _fitting(_options(parser, given), begun)
    so_far = _arguments(parser, given)
    following = _following(parser, len(so_far))
    return _of_action(values, command, so_far, following, begun) if following else []


def _option(parser: Parser, word: str) -> Action | None:
    return parser._option_string_actions.get(word)


def _options(parser: Parser, given: Sequence[str]) -> Words:
    """The options that may be added to those that are given."""
    taken = {action for word in given if (action := _option(parser, word.partition("=")[0]))}
    for group in parser._mutually_exclusive_groups:
        if taken & set(group._group_actions):
            taken |= set(group._group_actions)
    found = {
        name: action.help or ""
        for name, action in parser._option_string_actions.items()
        if name.startswith("--") and action not in taken and action.help != argparse.SUPPRESS
    }
    return found | ({"--": "what follows is for the program"} if parser.program_arguments else {})


def _arguments(parser: Parser, given: Sequence[str]) -> list[str]:
    """The words that are no option and no option's value."""
    arguments = []
    is_value = False
    for word in given:
        option = _option(parser, word.partition("=")[0])
        if not is_value and not option:
            arguments.append(word)
        is_value = not is_value and option is not None and option.nargs != 0 and "=" not in word
    return arguments


def _following(parser: Parser, count: int) -> Action | None:
    """What comes after so many arguments."""
    for action in parser._actions:
        if action.option_strings or action.help == argparse.SUPPRESS:
            continue
        if count == 0 or action.nargs == "*":
            return action
        count -= 1
    return None


def _of_action(values: Values, command: str, so_far: Sequence[str], action: Action, begun: str) -> list[str]:
    """The words for an argument, or for the value of an option."""
    if action.choices:
        return _fitting(dict.fromkeys(map(str, action.choices), ""), begun)
    if action.type is Path:
        return [FILES]
    words = values[str(action.metavar)](command, so_far) if action.metavar in values else {}
    fitting = _fitting({word: says for word, says in words.items() if word != FILES}, begun)
    return [FILES] if FILES in words and not fitting else fitting


def _fitting(words: Words, begun: str) -> list[str]:
    """Those that begin with what is there already, each with its meaning on one line."""
    return [f"{word}\t{' '.join(says.split())}" for word, says in words.items() if word.startswith(begun)]
