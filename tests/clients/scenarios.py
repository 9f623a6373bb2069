"""What the scripted model says in each scenario, in terms of kinds of tools.

A turn is what one model request gets: `text`, `tools` (kind and arguments; the client's module
turns them into its own tools) or `error` (an HTTP status); `times` repeats it, 0 for ever. Kinds:
shell(command), write(path, content), read(path), edit(path, old, new), mcp(tool, text),
subagent(prompt, turns). No command prints a time, a size or an address, so that two runs agree.
"""

from dataclasses import dataclass, field
from typing import Any

Turn = dict[str, Any]


def call(kind: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return kind, arguments


def shell(command: str) -> tuple[str, dict[str, Any]]:
    return call("shell", command=command)


@dataclass
class Scenario:
    """A prompt and its turns; a policy hook refuses `deny`, and `secrets` must not leak."""

    name: str
    prompt: str
    turns: list[Turn]
    deny: str | None = None
    secrets: dict[str, str] = field(default_factory=dict)


def fake_secrets() -> dict[str, str]:
    """Values with the form of credentials, put together here so that no file holds one."""
    return {
        "aws_id": "AK" + "IA" + "Q3EGFAKE" + "7EXAMPLE",
        "aws_secret": "fakeWJalrXUtn" + "FEMIK7MDENGbPx" + "RfiCYEXAMPLEKEY",
        "github": "gh" + "p_" + "Fake00aA11bB22cC33dD44eE55fF66gG77hH",
        "openai": "s" + "k-" + "proj-" + "fakeFakefakeFakefakeFakefakeFake0123456789",
        "password": "hunter2" + "-fake-" + "correct-horse",
        "key_body": "MIIB" + "fakekey" * 7,
    }


def settings_file(secrets: dict[str, str]) -> str:
    head, tail = "-----BEGIN " + "RSA PRIVATE KEY-----", "-----END " + "RSA PRIVATE KEY-----"
    return (
        f"OPENAI_API_KEY={secrets['openai']}\n"
        f"DATABASE_URL=postgres://app:{secrets['password']}@db.internal/app\n"
        f"{head}\n{secrets['key_body']}\n{tail}\n"
    )


def with_secrets() -> Scenario:
    values = fake_secrets()
    commands = (
        f"echo 'Authorization: Bearer {values['github']}'; "
        f"echo AWS_ACCESS_KEY_ID={values['aws_id']} AWS_SECRET_ACCESS_KEY={values['aws_secret']}"
    )
    turns: list[Turn] = [
        {"tools": [shell(commands)]},
        {"tools": [call("write", path="settings.env", content=settings_file(values))]},
        {"tools": [call("read", path="settings.env")]},
        {"text": "Stored."},
    ]
    return Scenario("secrets", "Store the service settings.", turns, secrets=values)


TOOLS: list[Turn] = [
    {"text": "I will look around.", "tools": [shell("ls")]},
    {"tools": [call("write", path="notes.txt", content="alpha\nbeta\n")]},
    {"tools": [call("read", path="notes.txt")]},
    {"tools": [call("edit", path="notes.txt", old="beta", new="gamma")]},
    {"tools": [shell("cat missing-file.txt; exit 3")]},
    {"tools": [call("mcp", tool="echo", text="hi there")]},
    {"tools": [call("mcp", tool="fail", text="x")]},
    {"tools": [shell("echo one"), shell("echo two")]},
    {"text": "Finished the exercise."},
]
DELEGATED: list[Turn] = [
    {"tools": [shell("find . -name '*.py' | wc -l")]},
    {"text": "There is one python file."},
]
SUBAGENT: list[Turn] = [
    {
        "text": "I will delegate this.",
        "tools": [call("subagent", prompt="count the python files", turns=DELEGATED)],
    },
    {"text": "The sub-agent found one file."},
]
DENY: list[Turn] = [
    {"tools": [shell("ls")]},
    {"tools": [shell("rm -rf build")]},
    {"tools": [shell("echo afterwards")]},
    {"text": "One step was refused."},
]
LOOP: list[Turn] = [
    {"tools": [shell("python3 missing_script.py")], "times": 6},
    {"text": "I give up."},
]
MODEL_ERROR: list[Turn] = [
    {"tools": [shell("ls")]},
    {"error": 500, "text": "scripted server error"},
    {"tools": [shell("echo recovered")]},
    {"error": 400, "text": "scripted bad request", "times": 0},
]

# What `hooks/meddler.js` changes: a mod of Claude Code.
MEDDLED = Scenario(
    "meddled",
    "Work through the list.",
    [
        {"tools": [shell("echo c01 plain")]},
        {"tools": [shell("echo c02 deny")]},
        {"tools": [shell("echo c03 answer")]},
        {"tools": [shell("echo c04 rewrite")]},
        {"tools": [shell("echo c05 mask")]},
        {"tools": [shell("echo c06; exit 3")]},
        {"text": "That is all."},
    ],
)
SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("plain", "Say hello.", [{"text": "Hello."}]),
        Scenario("tools", "Do the small file exercise.", TOOLS),
        Scenario("loop", "Make the tests pass.", LOOP),
        Scenario("deny", "Clean up the build folder.", DENY, deny="rm -rf build"),
        Scenario("subagent", "Use a sub-agent to count the files.", SUBAGENT),
        with_secrets(),
        Scenario("model-error", "Work with an unreliable model.", MODEL_ERROR),
    )
}
