"""A policy hook: refuses a tool call whose payload holds TEXT, otherwise says nothing.

Usage: policy.py TEXT     exit status 2 and the reason on stderr, which all clients here take
"""

import json
import sys

if sys.argv[1] in json.dumps(json.load(sys.stdin), ensure_ascii=False):
    print("refused by the test policy", file=sys.stderr)
    sys.exit(2)
