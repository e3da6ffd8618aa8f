"""An agent whose runs last, so that the check sees deadlines and clients that leave. Needs contract.py on its path."""

import os
import time

from contract import Agent, Task, serve


def run(_inputs):
    for done in range(20):
        yield {"completed": done, "total": 20}
        time.sleep(0.1)
    return {"done": True}


TASK = Task("SLOW", "Takes its time", {"type": "object"}, {"type": "object"}, {}, lambda inputs: None, run)
AGENT = Agent("slow", "0.1.0", "Takes its time.", [TASK])

serve(AGENT, "127.0.0.1", int(os.environ["PORT"]), grace_s=10)
