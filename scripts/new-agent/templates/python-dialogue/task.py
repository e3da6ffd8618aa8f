"""What the agent does: it books a table, in a dialogue. contract.py serves it.

The agent keeps nothing: each turn gets the state of the dialogue and answers with the next one, which the gateway keeps.

    FILLING -> READY -> EXECUTED        FILLING, READY -> CANCELLED        FILLING -> UNSUPPORTED
"""

import re
import uuid

from contract import Agent, InvalidInputs, Task
from turn import ANSWER, FIRST_TURN, TURN, check_turn

MOST_PEOPLE = 20
# After so many turns that say nothing new the dialogue gives up.
MAX_FILL_TURNS = 5

WORDS = {
    "en": {
        "people": "For how many people?",
        "time": "At what time, such as 19:30?",
        "bad_people": f"We have tables for 1 to {MOST_PEOPLE} people.",
        "bad_time": "A time is written like 19:30.",
        "show": "A table for {people} at {time}. Shall I book it?",
        "booked": "Booked: a table for {people} at {time}.",
        "cancelled": "Cancelled. Nothing was booked.",
        "unsupported": "I can only book tables, for so many people at some time.",
        "yes": "Confirm",
        "no": "Cancel",
    },
    "ko": {
        "people": "몇 분이세요?",
        "time": "몇 시로 할까요? (예: 19:30)",
        "bad_people": f"1명부터 {MOST_PEOPLE}명까지 예약할 수 있습니다.",
        "bad_time": "시간은 19:30처럼 적어 주세요.",
        "show": "{time}, {people}명 자리입니다. 예약할까요?",
        "booked": "{time}, {people}명 자리를 예약했습니다.",
        "cancelled": "취소했습니다. 예약된 것은 없습니다.",
        "unsupported": "인원과 시간을 알려 주시면 테이블을 예약해 드립니다.",
        "yes": "확인",
        "no": "취소",
    },
}

# Only a message that says nothing else confirms or cancels.
YES = {"yes", "y", "ok", "okay", "sure", "confirm", "네", "예", "응", "확인", "좋아요"}
NO = {"no", "n", "cancel", "stop", "never mind", "아니요", "아니", "취소", "그만"}


def run(inputs):
    """Takes one turn. A generator, as all tasks are: a slow one yields progress."""
    yield {"message": "turn"}
    message = inputs["message"].strip()
    words = WORDS["ko" if inputs["locale"].startswith("ko") else "en"]
    state = begun(inputs["state"])
    said = re.sub(r"[.!~\s]+$", "", message.lower())
    if said in NO and (state["stage"] == "READY" or state["slots"] or said in ("cancel", "취소")):
        return answer(state, "CANCELLED", words["cancelled"], "DONE")
    if state["stage"] == "READY" and said in YES:
        return execute(state, words)
    filled, problem = found(message, state, words)
    if filled:
        # Another booking than the one that was shown: its confirmation counts for nothing else.
        state = {**state, "slots": {**state["slots"], **filled}, "id": str(uuid.uuid4()), "idle": 0}
    elif message:
        state = {**state, "idle": state["idle"] + 1}
    missing = [slot for slot in ("people", "time") if slot not in state["slots"]]
    if problem or missing:
        if state["idle"] >= MAX_FILL_TURNS:
            return answer(state, "UNSUPPORTED", words["unsupported"], "DONE")
        return answer(state, "FILLING", problem or words[missing[0]], "ASK", missing)
    buttons = [words["yes"], words["no"]]
    return answer(state, "READY", words["show"].format(**state["slots"]), "CONFIRM", buttons=buttons)


def begun(state):
    """The state that a turn goes on with: a new one, where the last dialogue is over."""
    if state is None or state.get("stage") not in ("FILLING", "READY"):
        return {"stage": "FILLING", "slots": {}, "id": "", "idle": 0}
    return state


def found(message, state, words):
    """What a message says of the slots, and what is wrong with it."""
    filled = {}
    time = re.search(r"\b(\d{1,2}):(\d{2})\b", message)
    if time:
        if int(time[1]) > 23 or int(time[2]) > 59:
            return {}, words["bad_time"]
        filled["time"] = f"{int(time[1]):02d}:{time[2]}"
    people = re.search(r"\d+", re.sub(r"\d{1,2}:\d{2}", "", message))
    if people:
        if not 1 <= int(people[0][:4]) <= MOST_PEOPLE:
            return filled, words["bad_people"]
        filled["people"] = int(people[0])
    return {slot: value for slot, value in filled.items() if state["slots"].get(slot) != value}, None


def execute(state, words):
    """Your system is called here. A turn may be repeated with the same state, and so the same id: it must book once."""
    effect = {"id": state["id"], "kind": "booking", **state["slots"]}
    return answer(state, "EXECUTED", words["booked"].format(**state["slots"]), "DONE", effects=[effect])


def answer(state, stage, message, next_action, missing=(), buttons=(), effects=()):
    said = {
        "state": {**state, "stage": stage, "missing": list(missing)},
        "message": message,
        "next_action": next_action,
    }
    if buttons:
        said["ui_hint"] = {"buttons": list(buttons)}
    if effects:
        said["effects"] = list(effects)
    return said


def check(inputs):
    """Raises InvalidInputs. The state is what the agent has answered with, unless somebody else asks."""
    check_turn(inputs)
    state = inputs["state"] or {}
    if state.get("stage") not in ("FILLING", "READY"):
        return
    slots = state.get("slots")
    if not isinstance(slots, dict) or not isinstance(state.get("id"), str) or not isinstance(state.get("idle"), int):
        raise InvalidInputs("/state is not a state of this dialogue.")
    if not isinstance(slots.get("people", 1), int) or not isinstance(slots.get("time", ""), str):
        raise InvalidInputs("/state/slots is not a state of this dialogue.")
    if state["stage"] == "READY" and set(slots) != {"people", "time"}:
        raise InvalidInputs("/state/slots is not a state of this dialogue.")


AGENT = Agent(
    name="minimal",
    version="0.1.0",
    description="Books a table, in a dialogue.",
    tasks=[
        Task(
            name="MINIMAL_TURN",
            description="Books a table",
            inputs=TURN,
            outputs=ANSWER,
            sample=FIRST_TURN,
            check=check,
            run=run,
        )
    ],
)
