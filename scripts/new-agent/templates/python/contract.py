"""Serves an agent by version 1 of the agent contract, with Python's standard library alone. task.py says what the agent does.

A run has a thread of its own, so that the handler of its request can watch the deadline and the client while the task works.
The agent does not verify on whose behalf it is asked, as that takes a library: let nobody but the gateway reach it.
"""

import hashlib
import json
import select
import signal
import socket
import threading
import time
import traceback
from collections import OrderedDict, deque
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable, Generator

MAX_BODY_BYTES = 1024 * 1024
MAX_ANSWER_BYTES = 1024 * 1024
MAX_RUNS = 128
MAX_REPEATABLE = 1000
KEEPALIVE_S = 15
# How often a handler looks whether its client is still there.
LOOK_S = 0.25


class Refused(Exception):
    """The request is refused with this status, before any work. Messages never repeat what was sent."""

    def __init__(self, status, code, message, request_id=""):
        super().__init__(message)
        self.status, self.code, self.request_id = status, code, request_id


class InvalidInputs(Exception):
    """The inputs do not fit the task's schema."""


class TaskError(Exception):
    """The run was started and failed. A code of the task's own says that the inputs are at fault."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class ClientGone(Exception):
    """There is nobody to answer."""


@dataclass(frozen=True)
class Task:
    name: str
    description: str
    inputs: dict
    outputs: dict
    # The inputs in mode DEMO where the request has none.
    sample: dict
    # Raises InvalidInputs.
    check: Callable[[dict], None]
    # Takes the inputs, yields progress, returns the outputs.
    run: Callable[[dict], Generator[dict, None, dict]]


@dataclass(frozen=True)
class Agent:
    name: str
    version: str
    description: str
    tasks: list

    def card(self):
        tasks = [
            {
                "task_type": task.name,
                "description": task.description,
                "inputs": task.inputs,
                "outputs": task.outputs,
                "examples": [task.sample],
            }
            for task in self.tasks
        ]
        about = {"name": self.name, "version": self.version, "description": self.description}
        return {**about, "contract": "agent/v1", "task_types": tasks}


@dataclass(frozen=True)
class Order:
    """A request that was accepted."""

    request_id: str
    task: Task
    inputs: dict
    warnings: list
    timeout_s: float


def accept(agent, content_type, body):
    """Turns a request into an order, or refuses it."""
    try:
        request = json.loads(body.decode("utf-8"), parse_constant=not_json)
    except (ValueError, RecursionError):
        request = None
    request_id = request.get("request_id") if isinstance(request, dict) else None
    known_id = request_id if isinstance(request_id, str) else ""

    def refuse(status, code, message):
        raise Refused(status, code, message, known_id)

    if (content_type or "").split(";")[0].strip().lower() != "application/json":
        refuse(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json.")
    if not isinstance(request, dict):
        refuse(400, "INVALID_REQUEST", "The body must be a JSON object.")
    for name in ("request_id", "task_type"):
        value = request.get(name)
        if not isinstance(value, str) or value.strip() == "" or len(value) > 256:
            refuse(400, "INVALID_REQUEST", f"{name} must be a string of 1 to 256 characters that is not blank.")
    if request.get("mode", "DEMO") not in ("DEMO", "LIVE"):
        refuse(400, "INVALID_REQUEST", "mode must be DEMO or LIVE.")
    inputs, budgets = request.get("inputs", {}), request.get("budgets", {})
    if not isinstance(inputs, dict) or not isinstance(budgets, dict):
        refuse(400, "INVALID_REQUEST", "inputs and budgets must be objects.")
    timeout_ms = budgets.get("timeout_ms", float("inf"))
    if isinstance(timeout_ms, bool) or not isinstance(timeout_ms, (int, float)) or not timeout_ms > 0:
        refuse(400, "INVALID_REQUEST", "budgets.timeout_ms must be a number above 0.")
    task = next((task for task in agent.tasks if task.name == request["task_type"]), None)
    if task is None:
        refuse(422, "UNSUPPORTED_TASK", "This agent does not know that task type.")
    warnings = []
    if inputs == {} and request.get("mode", "DEMO") == "DEMO":
        inputs, warnings = task.sample, ["The request had no inputs: the task ran on the agent's sample."]
    try:
        task.check(inputs)
    except InvalidInputs as problem:
        refuse(400, "INVALID_INPUTS", str(problem))
    return Order(request_id, task, inputs, warnings, timeout_ms / 1000)


def not_json(_name):
    raise ValueError("JSON has no NaN and no Infinity")


class Run:
    """One run, which the requests with one Idempotency-Key follow together."""

    def __init__(self, order, agent, digest, ended):
        self.order, self.agent, self.digest, self.ended = order, agent, digest, ended
        self.deadline = time.monotonic() + min(order.timeout_s, threading.TIMEOUT_MAX / 2)
        self.changed = threading.Condition()
        self.answer, self.stopped, self.followers = None, False, 1
        # A reader that is too slow misses progress, never the answer.
        self.count, self.recent = 0, deque(maxlen=64)

    def start(self):
        threading.Thread(target=self.work, daemon=True).start()

    def work(self):
        try:
            steps = self.order.task.run(self.order.inputs)
            while not self.stopped:
                try:
                    progress = next(steps)
                except StopIteration as end:
                    self.end(outputs=end.value)
                    return
                with self.changed:
                    self.count += 1
                    self.recent.append(progress)
                    self.changed.notify_all()
            steps.close()
        except TaskError as error:
            self.end(error=error)
        except Exception as defect:
            # The message of the exception may quote inputs: only where it was raised is logged.
            place = traceback.extract_tb(defect.__traceback__)[-1]
            log("error", "defect", type=type(defect).__name__, place=f"{place.filename}:{place.lineno}")
            self.end(error=TaskError("INTERNAL", "The agent failed."))
        finally:
            self.ended(self)

    def end(self, outputs=None, error=None):
        with self.changed:
            if self.answer is None and not self.stopped:
                self.answer = self.answered(outputs, error)
                self.changed.notify_all()

    def answered(self, outputs, error):
        try:
            if error is None and not isinstance(outputs, dict):
                raise ValueError("outputs are an object")
            if error is None and len(encoded(outputs)) > MAX_ANSWER_BYTES / 2:
                error = TaskError("OUTPUT_TOO_LARGE", "The outputs are too large.")
        except (TypeError, ValueError):
            error = TaskError("INVALID_OUTPUTS", "The outputs are not a JSON object.")
        order = self.order
        answer = {"request_id": order.request_id, "task_type": order.task.name, "warnings": order.warnings}
        answer["provenance"] = {"agent": self.agent.name, "version": self.agent.version}
        if error is None:
            return {**answer, "status": "ok", "ok": True, "outputs": outputs}
        failure = {"code": error.code, "message": str(error)}
        return {**answer, "status": "error", "ok": False, "outputs": {}, "error": failure}

    def next(self, seen):
        """Waits a moment for more than `seen` events. Returns the new ones, how many there are now, and the answer."""
        with self.changed:
            wait_s = min(LOOK_S, max(0, self.deadline - time.monotonic()))
            self.changed.wait_for(lambda: self.count > seen or self.answer is not None, wait_s)
            new = min(self.count - seen, len(self.recent))
            events, count = list(self.recent)[len(self.recent) - new :], self.count
            late = self.answer is None and time.monotonic() >= self.deadline
        if late:
            self.end(error=TaskError("DEADLINE_EXCEEDED", "The run was not done at its deadline."))
            self.stopped = True
        return events, count, self.answer

    def joined(self):
        """Whether one more request may follow the run: not one that is being stopped."""
        with self.changed:
            self.followers += 0 if self.stopped else 1
            return not self.stopped

    def leave(self):
        with self.changed:
            self.followers -= 1
            # Where nobody waits for the answer any more, the task is stopped at its next event.
            self.stopped = self.stopped or (self.followers == 0 and self.answer is None)


class Runs:
    """The runs under way, and the answers to repeated keys."""

    def __init__(self, agent):
        self.agent, self.lock = agent, threading.Lock()
        self.under_way, self.by_key = set(), OrderedDict()

    def run_for(self, order, key, body):
        digest = hashlib.sha256(body).digest()
        name = (order.task.name, key)
        with self.lock:
            known = self.by_key.get(name) if key else None
            if known and known.digest != digest:
                raise Refused(422, "IDEMPOTENCY_CONFLICT", "The key was used with another body.", order.request_id)
            if known and not failed_by_chance(known) and known.joined():
                return known
            if len(self.under_way) >= MAX_RUNS:
                raise Refused(429, "OVERLOADED", "The agent is at its limit of runs.", order.request_id)
            run = Run(order, self.agent, digest, self.ended)
            self.under_way.add(run)
            if key:
                self.by_key[name] = run
                self.by_key.move_to_end(name)
            while len(self.by_key) > MAX_REPEATABLE:
                self.by_key.popitem(last=False)
            run.start()
            return run

    def ended(self, run):
        with self.lock:
            self.under_way.discard(run)


def failed_by_chance(run):
    """A failure that another try may not meet is no answer to keep."""
    return run.answer is not None and run.answer.get("error", {}).get("code") in ("INTERNAL", "DEADLINE_EXCEEDED")


class Handler(BaseHTTPRequestHandler):
    # Of a client that neither sends nor reads.
    timeout = 30

    def do_GET(self):
        pages = {
            "/health": (200, {"status": "ok"}),
            "/health/ready": (503, {"status": "draining"}) if self.server.draining else (200, {"status": "ready"}),
            "/agents/card": (200, self.server.agent.card()),
        }
        if self.path in pages:
            self.send(*pages[self.path])
        elif self.path in ("/agents/run/sync", "/agents/run/stream"):
            self.send(405, refusal("", "METHOD_NOT_ALLOWED", "Runs are requested with POST."))
        else:
            self.send(404, refusal("", "NOT_FOUND", "There is nothing here."))

    def do_POST(self):
        begun = time.monotonic()
        facts = {"request_id": "", "status": 200}
        with self.server.serving():
            try:
                run = self.run_asked_for()
                facts.update(request_id=run.order.request_id, task_type=run.order.task.name)
                try:
                    answer = self.stream(run) if self.path == "/agents/run/stream" else self.sync(run)
                finally:
                    run.leave()
                facts["code"] = answer.get("error", {}).get("code")
            except Refused as error:
                facts.update(request_id=error.request_id, status=error.status, code=error.code)
                self.send(error.status, refusal(error.request_id, error.code, str(error)))
            except (ClientGone, OSError):
                facts["code"] = "CANCELLED"
        log("info", "request", **facts, duration_ms=round((time.monotonic() - begun) * 1000))

    def run_asked_for(self):
        if self.path not in ("/agents/run/sync", "/agents/run/stream"):
            raise Refused(404, "NOT_FOUND", "There is nothing here.")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise Refused(411, "INVALID_REQUEST", "The body must come with a Content-Length.")
        if int(length) > MAX_BODY_BYTES:
            raise Refused(413, "PAYLOAD_TOO_LARGE", "The body is too large.")
        body = self.rfile.read(int(length))
        order = accept(self.server.agent, self.headers.get("Content-Type"), body)
        if self.server.draining:
            raise Refused(503, "UNAVAILABLE", "The agent is shutting down.", order.request_id)
        return self.server.runs.run_for(order, self.headers.get("Idempotency-Key"), body)

    def sync(self, run):
        answer = None
        while answer is None:
            _, _, answer = run.next(run.count)
            self.stop_if_gone()
        self.send(200, answer)
        return answer

    def stream(self, run):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache, no-transform")
        self.end_headers()
        self.event("started", {"request_id": run.order.request_id, "task_type": run.order.task.name})
        seen, answer, written = 0, None, time.monotonic()
        while answer is None:
            events, seen, answer = run.next(seen)
            self.stop_if_gone()
            for progress in events:
                self.event("progress", progress)
                written = time.monotonic()
            if time.monotonic() - written > KEEPALIVE_S:
                self.write(b": keepalive\n\n")
                written = time.monotonic()
        self.event("final", answer)
        return answer

    def event(self, name, data):
        self.write(b"event: " + name.encode() + b"\ndata: " + encoded(data) + b"\n\n")

    def write(self, data):
        self.wfile.write(data)
        self.wfile.flush()

    def send(self, status, body):
        data = encoded(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(data)

    def stop_if_gone(self):
        """A client that has closed its connection is readable and sends no bytes."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
            raise ClientGone

    def send_error(self, code, message=None, explain=None):
        """What the server refuses by itself, in the contract's form: it would send a page."""
        status = 405 if code == 501 else code
        self.send(status, refusal("", "METHOD_NOT_ALLOWED" if status == 405 else "INVALID_REQUEST", "Not a request."))

    def log_message(self, *_):
        """Do not log paths and addresses."""


def refusal(request_id, code, message):
    error = {"code": code, "message": message}
    return {"request_id": request_id, "ok": False, "status": "error", "outputs": {}, "warnings": [], "error": error}


def encoded(value):
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def log(level, message, **facts):
    known = {name: value for name, value in facts.items() if value is not None}
    print(encoded({"level": level, "msg": message, **known}).decode(), flush=True)


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, address, agent):
        super().__init__(address, Handler)
        self.agent, self.runs, self.draining = agent, Runs(agent), False
        self.changed, self.requests = threading.Condition(), 0

    @contextmanager
    def serving(self):
        with self.changed:
            self.requests += 1
        try:
            yield
        finally:
            with self.changed:
                self.requests -= 1
                self.changed.notify_all()

    def drain(self, grace_s):
        """Refuses new runs, lets those under way end, and stops."""
        self.draining = True
        with self.changed:
            self.changed.wait_for(lambda: self.requests == 0, grace_s)
        self.shutdown()


def serve(agent, host, port, grace_s):
    """Serves until SIGTERM or SIGINT."""
    with Server((host, port), agent) as server:

        def stop(*_):
            # The signal's handler runs in the thread that serves, which must go on meanwhile.
            threading.Thread(target=server.drain, args=[grace_s], daemon=True).start()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        log("info", "listening", url=f"http://{host}:{server.server_address[1]}")
        server.serve_forever(poll_interval=0.1)
