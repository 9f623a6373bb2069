"""A policy hook: refuses a tool call whose payload holds TEXT, otherwise says nothing.

Usage: policy.py TEXT            exit status 2 and the reason on stderr, which most clients take
       policy.py TEXT --json     an answer in JSON, which Cline takes
       policy.py TEXT --decision another, which Mistral Vibe takes
"""

import json
import sys

if sys.argv[1] in json.dumps(json.load(sys.stdin), ensure_ascii=False):
    if "--json" in sys.argv:
        print(json.dumps({"cancel": True, "errorMessage": "refused by the test policy"}))
        sys.exit(0)
    if "--decision" in sys.argv:
        print(json.dumps({"decision": "deny", "reason": "refused by the test policy"}))
        sys.exit(0)
    print("refused by the test policy", file=sys.stderr)
    sys.exit(2)
