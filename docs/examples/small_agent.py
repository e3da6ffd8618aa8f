#!/usr/bin/env python3
"""A whole agent with Python's standard library: python3 small_agent.py, then http://127.0.0.1:8090, task WORD_COUNT."""
import json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TASK, SAMPLE = "WORD_COUNT", {"text": "the quick brown fox"}
INPUTS = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
CARD = {"name": "word-count", "version": "1.0.0", "contract": "agent/v1", "description": "Counts the words of a text.",
        "task_types": [{"task_type": TASK, "inputs": INPUTS, "outputs": {"type": "object"}, "examples": [SAMPLE]}]}
PAGES = {"/health": {"status": "ok"}, "/health/ready": {"status": "ready"}, "/agents/card": CARD}

def work(inputs):
    """The task: yields progress, returns outputs. Change this, the constants above and what `accept` says of inputs."""
    words = inputs["text"].split()
    for done in range(len(words)):
        yield {"done": done + 1, "of": len(words)}
    return {"words": len(words)}

class Refused(Exception): """A 4xx answer before any work: its status, code and message, which never repeats what was sent."""

def failure(request_id, code, message, **more):
    error = {"code": code, "message": message}
    return {"request_id": request_id, "ok": False, "status": "error", "outputs": {}, "warnings": [], "error": error, **more}

def accept(request, path, media_type):
    if path not in ("/agents/run/sync", "/agents/run/stream"):
        raise Refused(404, "NOT_FOUND", "Nothing is here.")
    if media_type != "application/json":
        raise Refused(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json.")
    if not all(isinstance(request.get(name), str) and request[name].strip() for name in ("request_id", "task_type")):
        raise Refused(400, "INVALID_REQUEST", "The body needs request_id and task_type, and neither may be blank.")
    if request["task_type"] != TASK:
        raise Refused(422, "UNSUPPORTED_TASK", "This agent does not know that task type.")
    inputs = request.get("inputs", {})
    if inputs == {} and request.get("mode", "DEMO") == "DEMO":
        return SAMPLE, ["There were no inputs: this is the agent's sample."]
    if not isinstance(inputs, dict) or not isinstance(inputs.get("text"), str):
        raise Refused(400, "INVALID_INPUTS", "inputs do not fit the schema in the card.")
    return inputs, []

class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send(*((200, PAGES[self.path]) if self.path in PAGES else (404, failure("", "NOT_FOUND", "Nothing is here."))))
    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        except ValueError:
            request = None
        request = request if isinstance(request, dict) else {}
        request_id = request["request_id"] if isinstance(request.get("request_id"), str) else ""
        try:
            inputs, warnings = accept(request, self.path, (self.headers.get("Content-Type") or "").split(";")[0].lower())
        except Refused as refused:
            return self.send(refused.args[0], failure(request_id, *refused.args[1:]))
        streamed, steps = self.path.endswith("stream"), work(inputs)
        deadline = time.monotonic() + (request.get("budgets") or {}).get("timeout_ms", 1e9) / 1000
        answer = failure(request_id, "DEADLINE_EXCEEDED", "The run was not done at its deadline.", task_type=TASK)
        if streamed:
            self.send(200, "started", {"request_id": request_id, "task_type": TASK})
        try:
            while time.monotonic() < deadline:  # Writing to a client that has gone raises, which ends the run.
                progress = next(steps)
                streamed and self.event("progress", progress)
        except StopIteration as end:
            answer = {**answer, "status": "ok", "ok": True, "outputs": end.value, "warnings": warnings}
            del answer["error"]
        self.event("final", answer) if streamed else self.send(200, answer)
    def event(self, name, data):
        self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
    def send(self, status, body, first=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/event-stream" if first else "application/json")
        self.send_header("Cache-Control", "no-cache, no-transform")
        self.end_headers()
        self.event(body, first) if first else self.wfile.write(json.dumps(body).encode())
    log_message = lambda *_: None  # Paths and addresses are not logged.

server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8090"))), Agent)
print(f"http://{server.server_address[0]}:{server.server_address[1]}", flush=True)
server.serve_forever()
