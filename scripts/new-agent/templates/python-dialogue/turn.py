"""The inputs and outputs of a task that holds a dialogue, by the agent contract: DialogueTurn and DialogueAnswer."""

from contract import InvalidInputs

TURN = {
    "type": "object",
    "required": ["state", "message", "history", "locale"],
    "additionalProperties": False,
    "properties": {
        "state": {"type": ["object", "null"]},
        "message": {"type": "string"},
        "history": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["role", "text"],
                "additionalProperties": False,
                "properties": {"role": {"enum": ["user", "assistant"]}, "text": {"type": "string"}},
            },
        },
        "locale": {"type": "string"},
    },
}

ANSWER = {
    "type": "object",
    "required": ["state", "message", "next_action"],
    "additionalProperties": False,
    "properties": {
        "state": {"type": "object"},
        "message": {"type": "string", "minLength": 1},
        "next_action": {"enum": ["ASK", "CONFIRM", "ASK_CONTINUE", "DONE"]},
        "ui_hint": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"buttons": {"type": "array", "items": {"type": "string"}}},
        },
        "effects": {"type": "array", "items": {"type": "object", "required": ["id", "kind"]}},
    },
}

FIRST_TURN = {"state": None, "message": "", "history": [], "locale": "en"}


def check_turn(inputs):
    """Raises InvalidInputs for inputs that are not a DialogueTurn. Messages name fields, never values."""
    if set(inputs) != set(TURN["required"]):
        raise InvalidInputs("inputs must have state, message, history and locale, and nothing else.")
    if not isinstance(inputs["state"], (dict, type(None))):
        raise InvalidInputs("/state must be an object or null.")
    if not isinstance(inputs["message"], str) or not isinstance(inputs["locale"], str):
        raise InvalidInputs("/message and /locale must be strings.")
    history = inputs["history"]
    if not isinstance(history, list) or not all(is_entry(entry) for entry in history):
        raise InvalidInputs("/history must be a list of entries with role and text.")


def is_entry(entry):
    if not isinstance(entry, dict) or set(entry) != {"role", "text"}:
        return False
    return entry["role"] in ("user", "assistant") and isinstance(entry["text"], str)
