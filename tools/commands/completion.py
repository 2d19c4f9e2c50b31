"""./lab completion: what makes a shell complete the words after ./lab. They are read from the parsers of the commands, so that
they are always what these take. Argparse has no public way to ask a parser for its options; the fields used here are the ones
that its own --help uses."""

import shlex
from argparse import SUPPRESS, Action, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from building import prepare
from commands.test import ROOMS
from exercises import folder, page
from shared import chapters
from shared.arguments import Commands, Parser, split_at_dashes
from shared.chapters import ROOT
from shared.console import Failure

FILES = ":files"  # in place of words: the shell knows which files there are

Words: TypeAlias = dict[str, str]  # and what each means, or an empty text

LINES = """\
  ~/.bashrc                   source <(./lab completion bash)
  ~/.zshrc                    source <(./lab completion zsh)
  ~/.config/fish/config.fish  ./lab completion fish | source"""

# Each hands the words of the command line to `lab completion --words`, and takes what that prints. LAB is the path of lab,
# and not what the user has typed: that may be another program of this name.
BASH = """\
_lab_of_cuda_chapters() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o default 2> /dev/null
        else
            COMPREPLY+=("${line%%$'\\t'*}")
        fi
    done < <(LAB completion --words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _lab_of_cuda_chapters lab
"""
ZSH = """\
_lab_of_cuda_chapters() {
    local line word means
    local -a found
    for line in ${(f)"$(LAB completion --words -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)"}; do
        if [[ $line == :files ]]; then
            _files
            return
        fi
        word=${line%%$'\\t'*} means=${line#*$'\\t'}
        found+=("${word//:/\\\\:}${means:+:$means}")
    done
    _describe -V lab found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _lab_of_cuda_chapters lab
"""
FISH = """\
function __lab_of_cuda_chapters
    set --local words (commandline --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor)
    for line in (LAB completion --words -- $words[2..] 2> /dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline --current-token)
        else
            echo $line
        end
    end
end
complete --command lab --no-files --keep-order --arguments '(__lab_of_cuda_chapters)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "completion",
        arguments="SHELL",
        summary="make the Tab key complete what\nfollows ./lab",
        usage="./lab completion bash|zsh|fish",
        description="Prints a script that makes a shell complete commands, options, chapters, stages and exercises after "
        "./lab. To have it in each new shell, add the last column of a line below to the file in its first, with the path "
        "of this checkout in place of the dot.",
        epilog=LINES,
        program_arguments="WORDS",
    )
    parser.add_argument("shell", metavar="SHELL", nargs="?", choices=list(SCRIPTS), help="bash, zsh or fish")
    parser.add_argument("--words", action="store_true", help=SUPPRESS)


def run(options: Namespace) -> None:
    if options.words:  # the scripts ask
        for line in complete(options.commands, options.program_arguments):
            print(line)
        return
    if not options.shell or options.program_arguments:
        options.error(f"for which shell? {', '.join(SCRIPTS)}")
    print(script(options.shell), end="")


def script(shell: str) -> str:
    """What the shell is to read."""
    path = str(ROOT / "lab")
    quoted = shlex.quote(path) if shell != "fish" else "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return SCRIPTS[shell].replace("LAB", quoted, 1)


def chapter_names(command: str, before: Sequence[str]) -> Words:
    """Chapters that are not named yet, and what the command takes in a chapter's place."""
    names = [name for name in chapters.discover(ROOT) if name not in before]
    if command == "test":
        names += [room for room in ROOMS if room not in before]
    of_others = exercise_names(command, before) if command == "watch" else {FILES: ""} if command == "sass" else {}
    return dict.fromkeys(names, "") | of_others


def stage_names(command: str, before: Sequence[str]) -> Words:
    """The stages of the chapters that are named."""
    if before and page.is_exercise(before[0]):
        return {}
    try:
        chosen = chapters.choose(ROOT, before[:1] if command == "sass" else before)  # which may have a stage already
    except Failure:  # there is no such chapter, and so it has no stages
        return {}
    return dict.fromkeys((stage for chapter in chosen for stage in chapters.stages(ROOT, chapter)), "")


def exercise_names(command: str, before: Sequence[str]) -> Words:
    """Their numbers; the learner's file will do as well."""
    names = {exercise.number: exercise.short_name for exercise in folder.discover(ROOT)}
    return {name: says for name, says in names.items() if name not in before} | {FILES: ""}


def preset_names(command: str, before: Sequence[str]) -> Words:
    return dict.fromkeys(prepare.presets(), "")


# By what stands for an argument in --help: the words for it, after a command and the arguments before it. FILES among them:
# where no other word fits, it may be a file.
VALUES: Mapping[str, Callable[[str, Sequence[str]], Words]] = {
    "CHAPTER": chapter_names,
    "STAGE": stage_names,
    "EXERCISE": exercise_names,
    "NAME": preset_names,
}


def complete(commands: Mapping[str, Parser], words: Sequence[str]) -> list[str]:
    """The words that the last one of a command line may become, each with a tab and its meaning, or FILES. words: what
    follows ./lab."""
    *before, begun = _without_equals_signs(words)
    option, equals, value = begun.partition("=")
    if begun.startswith("--") and equals:
        found = _candidates(commands, [*before, option], value)
        return [line if line == FILES else f"{option}={line}" for line in found]
    return _candidates(commands, before, begun)


def _without_equals_signs(words: Sequence[str]) -> list[str]:
    """--build=x is three words to bash, and one to other shells. Here bash's become two."""
    *before, last = words or [""]
    return [*(word for word in before if word != "="), "" if last == "=" else last]


def _candidates(commands: Mapping[str, Parser], before: Sequence[str], begun: str) -> list[str]:
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
            return _fitting(stage_names(command, _arguments(parser, own_words)), begun)
        return [FILES]
    if given and (option := _option(parser, given[-1])) and option.nargs != 0:
        return _of_action(command, [], option, begun)
    if begun.startswith("-"):
        return _fitting(_options(parser, given), begun)
    so_far = _arguments(parser, given)
    following = _following(parser, len(so_far))
    return _of_action(command, so_far, following, begun) if following else []


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
        if name.startswith("--") and action not in taken and action.help != SUPPRESS
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
        if action.option_strings or action.help == SUPPRESS:
            continue
        if count == 0 or action.nargs == "*":
            return action
        count -= 1
    return None


def _of_action(command: str, so_far: Sequence[str], action: Action, begun: str) -> list[str]:
    """The words for an argument, or for the value of an option."""
    if action.choices:
        return _fitting(dict.fromkeys(map(str, action.choices), ""), begun)
    if action.type is Path:
        return [FILES]
    words = VALUES[str(action.metavar)](command, so_far) if action.metavar in VALUES else {}
    fitting = _fitting({word: says for word, says in words.items() if word != FILES}, begun)
    return [FILES] if FILES in words and not fitting else fitting


def _fitting(words: Words, begun: str) -> list[str]:
    """Those that begin with what is there already, each with its meaning on one line."""
    return [f"{word}\t{' '.join(says.split())}" for word, says in words.items() if word.startswith(begun)]
