"""./lab completion: what makes a shell complete the words after ./lab."""

import shlex
from argparse import SUPPRESS, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from building import prepare
from commands.test import ROOMS
from exercises import folder, page
from shared import chapters, completion
from shared.arguments import Commands
from shared.chapters import ROOT
from shared.completion import FILES, Words
from shared.console import Failure

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
        description="Prints a script that makes a shell complete commands, options, chapters,\n"
        "stages and exercises after ./lab. To have it in each new shell, add a line, with\n"
        "the path of this checkout in place of the dot:\n\n"
        "  bash  in ~/.bashrc                   source <(./lab completion bash)\n"
        "  zsh   in ~/.zshrc                    source <(./lab completion zsh)\n"
        "  fish  in ~/.config/fish/config.fish  ./lab completion fish | source",
        formatter_class=RawDescriptionHelpFormatter,
        program_arguments="WORDS",
    )
    parser.add_argument("shell", metavar="SHELL", nargs="?", choices=list(SCRIPTS), help="bash, zsh or fish")
    parser.add_argument("--words", action="store_true", help=SUPPRESS)


def run(options: Namespace) -> int:
    if options.words:  # the scripts ask
        values = {"CHAPTER": chapter_names, "STAGE": stage_names, "EXERCISE": exercise_names, "NAME": preset_names}
        for line in completion.complete(options.commands, values, options.program_arguments):
            print(line)
        return 0
    if not options.shell or options.program_arguments:
        options.error(f"for which shell? {', '.join(SCRIPTS)}")
    print(script(options.shell), end="")
    return 0


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
