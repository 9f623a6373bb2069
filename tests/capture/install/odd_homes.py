"""Homes as they are met: each client's own files with what their users keep in them.

A home is a table of paths below the home and their bytes; `"-> target"` is a link. Names, keys and
shapes are those of each client's documentation. `hooks` names the files that install edits.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

MARK = b"\xef\xbb\xbf"
Held = dict[str, bytes]

CLAUDE = b"""\
{
  // formatted by hand, do not reorder
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "permissions": {
    "allow": ["Bash(npm run test:*)", "Read(//etc/hosts)"], /* more to come */
    "deny": ["Read(./.env)"],
  },
  "env": { "URL": "https://example.com/a//b", "NOTE": "hookstream hook claude-code Stop" },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh" },
          { "type": "command", "command": "jq -r .tool_name | grep -qv rm", "timeout": 30 }
        ]
      }, // guards
      { "matcher": "Write|Edit", "hooks": [{ "type": "prompt", "prompt": "Is it safe?" }] }
    ],
    "WorktreeCreate": [{ "hooks": [{ "type": "command", "command": "make-tree" }] }],
    "Stop": []
  },
  "statusLine": { "type": "command", "command": "~/.claude/status.sh" }
}
"""
CURSOR = b"""\
{
  "version": 1,
  "hooks": {
    "beforeShellExecution": [
      { "command": "./hooks/guard.sh", "timeout": 30, "failClosed": true },
      { "command": "/opt/audit | tee -a /tmp/a", "matcher": "curl|wget" }
    ],
    "afterFileEdit": [{ "command": "./hooks/format.sh" }],
    "somethingNew": [{ "command": "later" }]
  }
}
"""
GEMINI = b"""\
{
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "mcpServers": { "demo": { "command": "node", "args": ["server.js"] } },
  "hooksConfig": { "enabled": true, "disabled": ["slow-lint"] },
  // runs one after another
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "write_file|replace",
        "sequential": true,
        "hooks": [
          { "name": "secrets", "type": "command", "command": "$GEMINI_PROJECT_DIR/check.sh",
            "timeout": 5000 }
        ]
      }
    ]
  },
  "ui": { "theme": "GitHub" }
}
"""
CODEX = b"""\
{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "^Bash$",
        "hooks": [{ "type": "command", "command": "/opt/policy --strict", "timeoutSec": 20 }]
      }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "cat > /dev/null; say done" }] }]
  }
}
"""
CODEX_TOML = b"""\
# ~/.codex/config.toml  -- mine
model = "gpt-5.5"   # the large one
instructions = '''
[not.a.table]
notify = ["no"]
'''
approval_policy = "on-request"

[features]
hooks = true

[mcp_servers.demo]
command = "node"
args = [
  "server.js", # first
]

[projects."/home/dev/project"]
trust_level = "trusted"
"""
COPILOT = b"""\
{
  "version": 1,
  "hooks": {
    "preToolUse": [
      { "type": "command", "timeoutSec": 15,
        "bash": "./policy.sh", "powershell": ".\\\\policy.ps1" }
    ],
    "sessionEnd": [{ "type": "command", "command": "echo bye >> ~/log", "cwd": "." }]
  }
}
"""
COPILOT_OWN = b"""\
{
  "version": 1,
  "disableAllHooks": false,
  "hooks": {}
}
"""
WINDSURF = b"""\
{
  "hooks": {
    "pre_run_command": [
      { "command": "python3 /opt/guard.py", "show_output": true },
      { "command": "cd /tmp && ./log", "show_output": false, "working_directory": "/tmp" }
    ],
    "post_cascade_response_with_transcript": [{ "command": "collect" }]
  }
}
"""
DEVIN = b"""\
{
  // the team's model
  "agent": { "model": "opus" },
  "hooks": {
    "PreToolUse": [
      { "matcher": "^exec$", "hooks": [{ "type": "command", "command": "./scripts/check.sh" }] }
    ],
    "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "Is it done?" }] }]
  }
}
"""
ANTIGRAVITY = b"""\
{
  "lint": {
    "enabled": true,
    "PreToolUse": [
      { "matcher": "run_command", "hooks": [{ "type": "command", "command": "./guard.py" }] }
    ],
    "Stop": [{ "command": "./bye.sh" }]
  }
}
"""
AUGGIE = b"""\
{
  "model": "sonnet4.5",
  "toolPermissions": [{ "toolName": "launch-process", "permission": { "type": "ask-user" } }],
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "launch-process",
        "hooks": [{ "type": "command", "command": "/opt/guard.sh", "timeout": 5000 }],
        "metadata": { "includeUserContext": true }
      }
    ],
    "Notification": []
  }
}
"""
OPENCLAW = b"""\
// the gateway of one person
{
  gateway: { mode: 'local', port: 0x4a3f, bind: "loopback", }, /* plain keys */
  agents: { defaults: { workspace: '~/claw', timeoutSeconds: +600, } },
  plugins: {
    allow: ['memory-core', "telegram",], // what may load
    entries: { "telegram": { enabled: true, config: { chat: 'a\\
b' } } },
    load: { paths: ["~/mine"] },
  },
}
"""
KIMI = b"""\
# formatted by hand
default_model = "kimi-code/kimi-for-coding"

[providers.kimi]
type = "kimi"
base_url = 'https://example.com/v1'  # ours

# guards: keep this one first
[[hooks]]
event = "PreToolUse"
matcher = "Bash"
command = "~/.kimi-code/guard.sh"  # a team's own
timeout = 30

[[hooks]]
event = "Stop"
command = 'jq -r .session_id | tee -a /tmp/a'

[models."kimi-code/kimi-for-coding"]
provider = "kimi"
capabilities = [
  "thinking",
  "tool_use",
]
note = '''
[[hooks]]
is said in this text only
'''
"""
VIBE = b"""\
# a team's own, first
[[hooks]]
name = "guard"
type = "pre_tool"
match = "re:bash|write.*"
command = "~/.vibe/guard.sh && true"
strict = true

[[hooks]]
name = "review"
type = "post_agent"
command = 'review --fast'
"""
SCRIPT = b"#!/bin/bash\n# a team's own\njq -e .taskId > /dev/null && echo '{\"cancel\": false}'\n"
PLUGIN = b"export const Mine = async () => ({ event: async () => {} });\n"


@dataclass(frozen=True)
class Setup:
    """One client's home; `empty` is the same client used but without hooks."""

    hooks: tuple[str, ...]
    full: Held
    empty: Held = field(default_factory=dict)


SETUPS = {
    "claude-code": Setup(
        (".claude/settings.json",),
        {
            ".claude/settings.json": CLAUDE,
            ".claude/settings.local.json": b'{"hooks": {"Stop": []}}',
            ".claude.json": b'{"numStartups": 7}',
        },
        {".claude.json": b"{}"},
    ),
    "cursor": Setup((".cursor/hooks.json",), {".cursor/hooks.json": CURSOR}),
    "gemini-cli": Setup(
        (".gemini/settings.json",),
        {".gemini/settings.json": GEMINI, ".gemini/GEMINI.md": b"# Rules\n"},
        {".gemini/settings.json": b'{\n  "ui": {}\n}'},
    ),
    "codex": Setup(
        (".codex/hooks.json", ".codex/config.toml"),
        {".codex/hooks.json": CODEX, ".codex/config.toml": CODEX_TOML},
        {".codex/config.toml": b'model = "gpt-5.5"\n'},
    ),
    "copilot": Setup(
        (".copilot/hooks/zz-hookstream.json", ".copilot/hooks/policy.json"),
        {
            ".copilot/hooks/zz-hookstream.json": COPILOT_OWN,
            ".copilot/hooks/policy.json": COPILOT,
            ".copilot/config.json": b'// Settings belong in settings.json.\n{"staff": false}\n',
        },
        {".copilot/config.json": b"{}"},
    ),
    "windsurf": Setup(
        (".codeium/windsurf/hooks.json", ".codeium/hooks.json"),
        {".codeium/windsurf/hooks.json": WINDSURF, ".codeium/hooks.json": WINDSURF},
        {".codeium/windsurf/mcp_config.json": b"{}"},
    ),
    "qwen-code": Setup(
        (".qwen/settings.json",),
        {".qwen/settings.json": CLAUDE.replace(b"CLAUDE", b"QWEN"), ".qwen/QWEN.md": b"# Rules\n"},
        {".qwen/settings.json": b'{"$version": 3}'},
    ),
    "cline": Setup(
        (),
        {
            ".cline/hooks/PreToolUse": SCRIPT,
            ".cline/hooks/notes.txt": b"why\n",
            ".cline/data/state.json": b"{}",
        },
        {".cline/data/state.json": b"{}"},
    ),
    "kimi-code": Setup(
        (".kimi-code/config.toml",),
        {".kimi-code/config.toml": KIMI, ".kimi-code/mcp.json": b'{"mcpServers": {}}'},
        {".kimi-code/config.toml": b'default_model = "k"\n'},
    ),
    "devin": Setup(
        (".config/devin/config.json",),
        {".config/devin/config.json": DEVIN, ".config/devin/AGENTS.md": b"# Rules\n"},
        {".config/devin/config.json": b"{}"},
    ),
    "antigravity": Setup(
        (".gemini/config/hooks.json",),
        {
            ".gemini/config/hooks.json": ANTIGRAVITY,
            ".gemini/antigravity-cli/settings.json": b"{}",
        },
        {".gemini/antigravity-cli/settings.json": b"{}"},
    ),
    "grok-build": Setup(
        (),
        {
            ".grok/config.toml": b'model = "g"\n',
            ".grok/hooks/guard.json": b'{"hooks": {"PreToolUse": [{"matcher": "Bash",\n'
            b'  "hooks": [{"type": "command", "command": "./guard.sh", "timeout": 3}]}]}}\n',
        },
        {".grok/config.toml": b'model = "g"\n'},
    ),
    "droid": Setup(
        (".factory/settings.json",),
        {
            ".factory/settings.json": CLAUDE.replace(b"CLAUDE", b"DROID"),
            ".factory/AGENTS.md": b"# Rules\n",
        },
        {".factory/settings.json": b"{}"},
    ),
    "goose": Setup(
        (),
        {
            ".config/goose/config.yaml": b"GOOSE_MODE: smart_approve\n",
            ".agents/plugins/mine/hooks/hooks.json": b'{"hooks": {}}',
        },
        {".config/goose/config.yaml": b"GOOSE_MODE: auto\n"},
    ),
    "qoder": Setup(
        (".qoder/settings.json",),
        {".qoder/settings.json": CLAUDE.replace(b"CLAUDE", b"QODER")},
        {".qoder/settings.json": b"{}"},
    ),
    "auggie": Setup(
        (".augment/settings.json",),
        {".augment/settings.json": AUGGIE, ".augment/session.json": b"{}"},
        {".augment/session.json": b"{}"},
    ),
    "mistral-vibe": Setup(
        (".vibe/hooks.toml",),
        {".vibe/hooks.toml": VIBE, ".vibe/config.toml": b'active_model = "devstral"\n'},
        {".vibe/config.toml": b'active_model = "devstral"\n'},
    ),
    "pi": Setup(
        (),
        {
            ".pi/agent/settings.json": b'{"defaultProvider": "anthropic"}',
            ".pi/agent/extensions/mine.ts": b"export default function (pi) {}\n",
        },
        {".pi/agent/settings.json": b"{}"},
    ),
    "openclaw": Setup((".openclaw/openclaw.json",), {".openclaw/openclaw.json": OPENCLAW}),
    "opencode": Setup(
        (),
        {
            ".config/opencode/opencode.json": b'{"$schema": "https://opencode.ai/config.json"}',
            ".config/opencode/plugin/mine.js": PLUGIN,
        },
        {".config/opencode/opencode.json": b"{}"},
    ),
    "kilo": Setup(
        (),
        {
            ".config/kilo/kilo.json": b'{"permission": {"bash": "ask"}}',
            ".config/kilo/plugin/mine.js": PLUGIN,
        },
        {".config/kilo/kilo.json": b"{}"},
    ),
}


def tabbed(data: bytes) -> bytes:
    """Each two blanks of indentation as a tab."""
    out = []
    for line in data.split(b"\n"):
        bare = line.lstrip(b" ")
        out.append(b"\t" * ((len(line) - len(bare)) // 2) + bare)
    return b"\n".join(out)


FORMS: dict[str, Callable[[bytes], bytes]] = {
    "as written": lambda data: data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "byte-order mark": lambda data: MARK + data,
    "tabs": tabbed,
    "mark, CRLF, tabs, no last newline": lambda data: (
        MARK + tabbed(data).rstrip().replace(b"\n", b"\r\n")
    ),
}


def lay(home: Path, held: Held, form: Callable[[bytes], bytes], hooks: tuple[str, ...]) -> None:
    """Puts a setup into a home; only the files that install edits take the form."""
    for name, data in held.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(form(data) if name in hooks else data)
        if data.startswith(b"#!"):
            path.chmod(0o755)


def link_files(home: Path) -> None:
    """Every file moves into a dotfiles folder and is a link there, through a second link."""
    store = home / "dotfiles"
    for path in [path for path in sorted(home.rglob("*")) if path.is_file()]:
        kept = store / path.relative_to(home)
        kept.parent.mkdir(parents=True, exist_ok=True)
        path.rename(kept)
        second = kept.with_name(kept.name + ".link")
        second.symlink_to(kept.name)
        path.symlink_to(os.path.relpath(second, path.parent))


def link_folders(home: Path) -> None:
    """Every dot folder moves into a dotfiles folder and is a link to it, as `stow` leaves them."""
    store = home / "dotfiles"
    store.mkdir()
    for path in [path for path in sorted(home.iterdir()) if path.is_dir() and path != store]:
        path.rename(store / path.name)
        path.symlink_to(f"dotfiles/{path.name}")


PLACES: dict[str, Callable[[Path], None]] = {
    "plain files": lambda home: None,
    "linked files": link_files,
    "linked folders": link_folders,
}
