"""What the agent does: its card, its task and a sample. contract.py serves it."""

import re

from contract import Agent, InvalidInputs, Task, TaskError

# Words between two progress events. A run can be cancelled at each.
REPORT_EVERY = 1000


def check(inputs):
    """Raises InvalidInputs for inputs that do not fit the schema in the card. Messages name fields, never values."""
    if set(inputs) - {"text"}:
        raise InvalidInputs("inputs has a field that the task does not know.")
    text = inputs.get("text")
    if not isinstance(text, str) or not 1 <= len(text) <= 100_000:
        raise InvalidInputs("/text must be a string of 1 to 100000 characters.")


def run(inputs):
    """Yields progress and returns the outputs."""
    words = re.findall(r"\w+", inputs["text"])
    if not words:
        raise TaskError("NO_WORDS", "The text has no words.")
    longest = ""
    for before, word in enumerate(words):
        if before % REPORT_EVERY == 0:
            yield {"message": "words", "completed": before, "total": len(words)}
        if len(word) > len(longest):
            longest = word
    return {"words": len(words), "longest": longest}


AGENT = Agent(
    name="minimal",
    version="0.1.0",
    description="Counts the words of a text.",
    tasks=[
        Task(
            name="MINIMAL",
            description="Counts the words of a text",
            inputs={
                "type": "object",
                "required": ["text"],
                "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 100_000}},
                "additionalProperties": False,
            },
            outputs={
                "type": "object",
                "required": ["words", "longest"],
                "properties": {"words": {"type": "integer", "minimum": 1}, "longest": {"type": "string"}},
                "additionalProperties": False,
            },
            sample={"text": "the quick brown fox jumps over the lazy dog"},
            check=check,
            run=run,
        )
    ],
)
