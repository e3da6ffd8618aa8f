#!/usr/bin/env python3
"""An agent for version 1 of the agent contract. Uses only Python's standard library.

    python3 agent.py          then: http://127.0.0.1:8090, task type WORD_COUNT
"""

import json
import os
import select
import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TASK = "WORD_COUNT"
SAMPLE = {"text": "the quick brown fox jumps over the lazy dog"}
MAX_BODY_BYTES = 1024 * 1024


class Refused(Exception):
    """The request is refused with a 4xx status, before any work."""

    def __init__(self, status, code, message, request_id=""):
        super().__init__(message)
        self.status, self.code, self.request_id = status, code, request_id


class TaskError(Exception):
    """The run was started and failed."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def count_words(inputs):
    """The task: yields progress and returns outputs. `pause_ms` makes the run longer, for testing."""
    counts = {}
    words = inputs["text"].split()
    for done, word in enumerate(words):
        counts[word] = counts.get(word, 0) + 1
        yield {"done": done + 1, "of": len(words)}
        time.sleep(inputs.get("pause_ms", 0) / 1000)
    return {"words": len(words), "counts": counts}


CARD = {
    "name": "word-count",
    "version": "1.0.0",
    "description": "Counts the words of a text.",
    "contract": "agent/v1",
    "task_types": [
        {
            "task_type": TASK,
            "inputs": {
                "type": "object",
                "required": ["text"],
                "properties": {"text": {"type": "string"}, "pause_ms": {"type": "number", "minimum": 0}},
            },
            "outputs": {"type": "object", "required": ["words", "counts"]},
            "examples": [SAMPLE],
        }
    ],
}


def accept(content_type, body):
    """Turns a request into a run, or refuses it. Messages never repeat what was sent."""
    media_type = (content_type or "").split(";")[0].strip().lower()
    try:
        request = json.loads(body.decode("utf-8"))
    except ValueError:
        request = None
    request_id = request.get("request_id") if isinstance(request, dict) else None
    known_id = request_id if isinstance(request_id, str) else ""
    if media_type != "application/json":
        raise Refused(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json.", known_id)
    if not isinstance(request, dict):
        raise Refused(400, "INVALID_REQUEST", "The body must be a JSON object.")
    for name in ("request_id", "task_type"):
        if not isinstance(request.get(name), str) or request[name].strip() == "":
            raise Refused(400, "INVALID_REQUEST", f"{name} must be a string that is not blank.", known_id)
    if request["task_type"] != TASK:
        raise Refused(422, "UNSUPPORTED_TASK", "This agent does not know that task type.", known_id)
    inputs = request.get("inputs", {})
    if not isinstance(inputs, dict):
        raise Refused(400, "INVALID_REQUEST", "inputs must be an object.", known_id)
    warnings = []
    if inputs == {} and request.get("mode", "DEMO") == "DEMO":
        inputs, warnings = SAMPLE, ["There were no inputs: this is the agent's sample."]
    pause_ms = inputs.get("pause_ms", 0)
    if not isinstance(inputs.get("text"), str) or not isinstance(pause_ms, (int, float)) or not 0 <= pause_ms <= 1000:
        raise Refused(400, "INVALID_INPUTS", "inputs do not fit the schema in the card.", known_id)
    budgets = request.get("budgets")
    timeout_ms = budgets.get("timeout_ms") if isinstance(budgets, dict) else None
    deadline = time.monotonic() + timeout_ms / 1000 if isinstance(timeout_ms, (int, float)) else float("inf")
    return {"request_id": request_id, "inputs": inputs, "deadline": deadline, "warnings": warnings}


def execute(run, on_progress):
    """Executes the run. Returns the body of the sync answer, which is also the data of the terminal event."""
    answer = {"request_id": run["request_id"], "task_type": TASK, "warnings": run["warnings"]}
    try:
        steps = count_words(run["inputs"])
        while True:
            try:
                on_progress(next(steps))
            except StopIteration as end:
                return {**answer, "status": "ok", "ok": True, "outputs": end.value}
            if time.monotonic() > run["deadline"]:
                raise TaskError("DEADLINE_EXCEEDED", "The run was not done at its deadline.")
    except TaskError as error:
        failure = {"code": error.code, "message": str(error)}
        return {**answer, "status": "error", "ok": False, "outputs": {}, "error": failure}


class ClientGone(Exception):
    pass


class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        pages = {"/health": {"status": "ok"}, "/health/ready": {"status": "ready"}, "/agents/card": CARD}
        page = pages.get(self.path)
        self.answer(200, page) if page else self.answer(404, refusal("", "NOT_FOUND", "There is nothing here."))

    def do_POST(self):
        try:
            run = self.accepted()
            if self.path == "/agents/run/stream":
                self.stream(run)
            else:
                self.answer(200, execute(run, lambda progress: self.stop_if_gone()))
        except Refused as error:
            self.answer(error.status, refusal(error.request_id, error.code, str(error)))
        except (ClientGone, ConnectionError):
            pass  # The client is gone, so there is nobody to answer.

    def accepted(self):
        if self.path not in ("/agents/run/sync", "/agents/run/stream"):
            raise Refused(404, "NOT_FOUND", "There is nothing here.")
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_BYTES:
            raise Refused(413, "PAYLOAD_TOO_LARGE", "The body is too large.")
        return accept(self.headers.get("Content-Type"), self.rfile.read(length))

    def answer(self, status, body):
        data = json.dumps(body).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, run):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache, no-transform")
        self.end_headers()
        self.event("started", {"request_id": run["request_id"], "task_type": TASK})
        self.event("final", execute(run, lambda progress: self.event("progress", progress)))

    def event(self, name, data):
        self.stop_if_gone()
        self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode("utf-8"))
        self.wfile.flush()

    def stop_if_gone(self):
        """A disconnected client is readable and returns no bytes."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
            raise ClientGone

    def log_message(self, *_):
        """Do not log paths and addresses."""


def refusal(request_id, code, message):
    error = {"code": code, "message": message}
    return {"request_id": request_id, "ok": False, "status": "error", "outputs": {}, "warnings": [], "error": error}


if __name__ == "__main__":
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8090")))
    with ThreadingHTTPServer(address, Agent) as server:
        print(f"http://{address[0]}:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass
