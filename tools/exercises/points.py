"""What a file is worth: `./lab grade` counts it, and the instructor's edition of a handout says it in a table."""

from exercises.folder import LAYERS, Exercise
from exercises.judge import SOLVED


def possible(exercise: Exercise) -> int:
    return int(exercise.task.front["points"])


def worth(exercise: Exercise, category: str) -> int:
    """All points if the file is solved. Else, by the layer in which it fails, a part of them for each layer that it passes and
    the starter does not; 0 if there is no layer of that name."""
    if category == SOLVED:
        return possible(exercise)
    layers = judged(exercise)
    if category not in layers:
        return 0
    of_starter = layers.index(exercise.task.front["fails"])
    passed = max(0, layers.index(category) - of_starter)
    return possible(exercise) * passed // (len(layers) - of_starter)


def judged(exercise: Exercise) -> tuple[str, ...]:
    """The layers that the exercise has."""
    return LAYERS if exercise.task.limits or exercise.host else LAYERS[:-1]
