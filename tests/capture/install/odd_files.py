"""Configuration files as they are met: what a client writes, and what people do to it."""

from __future__ import annotations

import json

MARK = b"\xef\xbb\xbf"
THEIRS = {
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/guard --strict"}]}
        ],
        "Stop": [{"hooks": [{"type": "command", "command": "notify-send 'done' || true"}]}],
    },
    "model": "opus",
}
COMMENTED = """\
// settings of one person
{
    /* the model
       to use */
    "model": "opus", // for now
    "permissions": { "allow": ["Bash(ls:*)", "Read(//etc/**)"], },
    "hooks": {
        // guards
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "/opt/guard" }] }, // one
            // { "matcher": "Write" }
        ], // end of guards
        "Stop": [], /* none yet */
    },
    "env": { "URL": "https://example.com/a//b" }
}
// end
"""
TABS = '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'

GROUPED = {
    "absent": None,
    "empty": b"",
    "blank": b"\n  \n",
    "empty object": b"{}",
    "empty object with newline": b"{}\n",
    "open empty object": b"{\n}\n",
    "one line": b'{"model":"opus","hooks":{}}',
    "one line with hooks": json.dumps(THEIRS).encode(),
    "as a client writes it": json.dumps(THEIRS, indent=2).encode(),
    "four spaces": json.dumps(THEIRS, indent=4).encode() + b"\n",
    "comments and trailing commas": COMMENTED.encode(),
    "CRLF": COMMENTED.replace("\n", "\r\n").encode(),
    "byte-order mark": MARK + json.dumps(THEIRS, indent=2).encode(),
    "mark, CRLF and tabs": MARK + TABS.replace("\n", "\r\n").encode(),
    "tabs": TABS.encode(),
    "no newline at the end": TABS.rstrip().encode(),
    "only a comment inside": b"{\n  // nothing yet\n}\n",
    "comment on the same line": b"{ /* nothing */ }",
    "comments around": b"// head\n{}\n// tail",
    "other scripts": '{\n  "Üß": "\\u00e9 日本 \\ud83d\\ude00",\n  "hooks": {}\n}\n'.encode(),
    "escapes in keys": b'{"\\u0068ooks": {"Pre\\u0054oolUse": []}}',
    "deep": b'{"x": ' + b"[" * 60 + b"]" * 60 + b"}",
    "hooks first": b'{\n  "hooks": {\n    "Stop": [\n    ]\n  },\n  "z": 1\n}\n',
    "big numbers": b'{"a": 12345678901234567890123, "b": 1e400, "c": -0.0}',
    "mixed line ends": b'{\r\n  "a": 1,\n  "b": 2\r\n}\n',
}
BROKEN = {
    "cut off": b'{"hooks": {"PreToolUse": [',
    "not JSON": b"model = opus\n",
    "two documents": b"{} {}",
    "single quotes": b"{'hooks': {}}",
    "a list": b"[]",
    "a word": b"null",
    "hooks is a list": b'{"hooks": []}',
    "hooks twice": b'{"hooks": {}, "hooks": {}}',
    "an event is an object": b'{"hooks": {"PreToolUse": {}, "preToolUse": {}, "BeforeTool": {}, '
    b'"pre_run_command": {}}}',
    "not UTF-8": b'{"a": "\xff\xfe"}',
    "UTF-16": '{"hooks": {}}'.encode("utf-16"),
    "raw newline in a string": b'{"a": "b\nc"}',
    "nested too deeply": b'{"x": ' + b"[" * 5000 + b"]" * 5000 + b"}",
}
