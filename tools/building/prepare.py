"""What every command that builds does first: the set-up, then the build."""

import json
from argparse import Namespace
from collections.abc import Sequence

from building import backend, setup
from building.backend import Backend
from building.build import Build
from shared import arguments, chapters, console
from shared.chapters import ROOT
from shared.console import EXIT_USAGE, Failure

CUDA_PRESETS = ("cuda", "ci")


def prepare(
    options: Namespace,
    targets: Sequence[str],
    where: Backend | None = None,
    tests: bool = False,
    at_first: Sequence[str] | None = None,
) -> Build:
    """Installs what is missing, and builds the targets, or at first only some of
    them. Without a backend, on the one that the options ask for."""
    builds = arguments.folder_of_builds(options)
    if not where and _asks_for_toolkit(options):  # what only root can install is told before much is downloaded
        setup.ensure(not backend.has_gpu(), tests, not options.no_install, builds, _chapters(targets))
    where = where or backend_for(options)
    setup.ensure(where.preset not in CUDA_PRESETS, tests, not options.no_install, builds, _chapters(targets))
    build = Build(ROOT, where, builds)
    build.make(targets if at_first is None else at_first)
    return build


def _chapters(targets: Sequence[str]) -> Sequence[str] | None:
    """The chapters that the targets belong to; None where one belongs to no chapter, or to all."""
    named = [target.removesuffix("_tests") for target in targets]
    return named if set(named) <= set(chapters.discover(ROOT)) else None


def backend_for(options: Namespace) -> Backend:
    """The backend that the options ask for, once the toolkit is installed where they ask for that too."""
    if _asks_for_toolkit(options):
        setup.install_cuda(not options.no_install)
    return backend.choose(options.backend)


def _asks_for_toolkit(options: Namespace) -> bool:
    return getattr(options, "install_cuda", False) and (options.backend != "cuda" or backend.has_gpu())


def of_preset(name: str) -> Backend:
    """The backend that a preset's name asks for."""
    if name in ("cpu", "cuda"):
        return backend.choose(name)
    if name not in (names := presets()):
        raise Failure(f"there is no preset '{console.quoted(name)}'; the presets: {', '.join(names)}", EXIT_USAGE)
    if name not in CUDA_PRESETS:
        return Backend(name)
    return backend.with_host_compiler(name, backend.find_nvcc())


def presets() -> list[str]:
    """The names of the presets that can be built."""
    described = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    return [preset["name"] for preset in described if not preset.get("hidden")]
