"""Says what an order costs: python3 agent/agent.py, then http://127.0.0.1:8090. contract.py serves it."""

import os

from contract import Agent, InvalidInputs, Task, TaskError, serve

# What one costs.
PRICES = {"chair": 120, "desk": 340, "lamp": 45}


def check(inputs):
    """Raises InvalidInputs for inputs that do not fit the schema below. Messages name fields, never values."""
    if set(inputs) - {"item", "quantity"}:
        raise InvalidInputs("inputs has a field that the task does not know.")
    item, quantity = inputs.get("item"), inputs.get("quantity")
    if not isinstance(item, str) or not 1 <= len(item) <= 100:
        raise InvalidInputs("/item must be a string of 1 to 100 characters.")
    if type(quantity) is not int or not 1 <= quantity <= 1000:
        raise InvalidInputs("/quantity must be a whole number from 1 to 1000.")


def run(inputs):
    """Yields progress and returns the outputs."""
    item, quantity = inputs["item"], inputs["quantity"]
    if item not in PRICES:
        raise TaskError("UNKNOWN_ITEM", "There is no such item.")
    yield {"message": "quote"}
    cost = PRICES[item] * quantity
    quote = {"item": item, "quantity": quantity, "cost": cost}
    return {"quote": quote, "summary": f"{quantity} × {item}: {cost}."}


AGENT = Agent(
    name="quotes",
    version="0.1.0",
    description="Says what an order costs.",
    tasks=[
        Task(
            name="QUOTE",
            description="What an order costs",
            inputs={
                "type": "object",
                "required": ["item", "quantity"],
                "properties": {
                    "item": {"type": "string", "minLength": 1, "maxLength": 100},
                    "quantity": {"type": "integer", "minimum": 1, "maximum": 1000},
                },
                "additionalProperties": False,
            },
            outputs={"type": "object", "required": ["quote", "summary"]},
            sample={"item": "desk", "quantity": 2},
            check=check,
            run=run,
        )
    ],
)

if __name__ == "__main__":
    serve(
        AGENT,
        host=os.environ.get("HOST", "127.0.0.1"),
        port=int(os.environ.get("PORT", "8090")),
        grace_s=int(os.environ.get("SHUTDOWN_GRACE_MS", "10000")) / 1000,
    )
