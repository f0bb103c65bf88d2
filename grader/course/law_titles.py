"""Titles of the checks that a suite can take ready-made, see `grader.suites.laws`; pages read them without torch."""

from grader.texts import Text, translated

LAW_TITLES: dict[str, Text] = {
    "device": translated("Whatever is made on the way is made on the device of the inputs."),
    "inputs_unchanged": translated("What is passed in is left as it was: tensors, lists and dicts."),
    "memory_layout": translated(
        "The layout of the inputs in memory does not matter: transposed, sliced and expanded tensors work as well."
    ),
    "gradient": translated("Gradients flow back to the inputs as the formula says."),
    "remembers_nothing": translated(
        "Nothing is remembered: a call gives the same result whatever was called before, and earlier results stay."
    ),
    "keywords": translated("Every argument can be passed by its name."),
    "train_and_eval": translated("Training mode and evaluation mode give the same result."),
    "lengths": translated("Lengths around 16, 32, 64 and 128 are no special case."),
    "refuses_when_made": translated("Wrong sizes are refused with a ValueError when the object is made."),
}
