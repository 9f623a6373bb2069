"""A stdio MCP server with two tools: `echo` returns its text, `fail` always reports an error."""

import json
import sys

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOLS = [
    {"name": "echo", "description": "Return the text", "inputSchema": SCHEMA},
    {"name": "fail", "description": "Always fail", "inputSchema": SCHEMA},
]


def answer(method, params):
    if method == "initialize":
        version = params.get("protocolVersion", "2025-06-18")
        info = {"name": "demo", "version": "1.0.0"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        failed = params["name"] == "fail"
        text = "demo failure" if failed else f"echo: {params.get('arguments', {}).get('text')}"
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if message.get("id") is not None and message.get("method"):
        result = answer(message["method"], message.get("params") or {})
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
