"""The hook beside ours: appends what the client sent to a file, answers nothing, exits 0.

Usage: recorder.py FILE EVENT [PAYLOAD]     payload on standard input, or as the last argument
"""

import json
import os
import sys

file, event = sys.argv[1:3]
raw = sys.argv[3] if len(sys.argv) > 3 else sys.stdin.buffer.read().decode("utf-8-sig")
line = json.dumps({"event": event, "payload": json.loads(raw)}).encode() + b"\n"
handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
os.write(handle, line)  # one write, so that hooks running side by side do not mix lines
