"""Starts the agent: python3 services/minimal/main.py, then http://127.0.0.1:8099. HOST and PORT change the address."""

import os

from contract import serve
from task import AGENT

if __name__ == "__main__":
    serve(
        AGENT,
        host=os.environ.get("HOST", "127.0.0.1"),
        port=int(os.environ.get("PORT", "8099")),
        grace_s=int(os.environ.get("SHUTDOWN_GRACE_MS", "10000")) / 1000,
    )
