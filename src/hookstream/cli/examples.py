"""Two examples of each command: what its --help, its page and the manual end with."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, str]] = {
    "install": ("install --all --dry-run", "install claude-code codex"),
    "uninstall": ("uninstall cursor", "uninstall --all --purge"),
    "status": ("status", "status --all --format json"),
    "wrap": (
        "wrap claude-code PreToolUse -- ./guard.py",
        "wrap cursor --log /var/log/hookstream -- python3 guard.py",
    ),
    "serve": ("serve", "serve --http 0.0.0.0:4718 --machines machines.json --fleet fleet"),
    "backfill": ("backfill --since 7d", "backfill claude-code --to parquet:lake"),
    "vendors": ("vendors", "vendors codex --format markdown"),
    "run": ("run hooks.jsonl --to parquet:lake", "run --follow hooks.jsonl --config run.toml"),
    "validate": ("validate out/agent-hooks.jsonl", "validate out --standard aarts"),
    "replay": ("replay out/dead-letters.jsonl", "replay --to jsonl:kept --config run.toml"),
    "demo": ("demo", "demo --keep demo-out"),
    "config": ("config show", "config check run.toml"),
    "config show": ("config show", "config show --format json"),
    "config check": ("config check run.toml", "config check --policy policy.toml"),
    "query": (
        "query denies --since 7d",
        'query "select tool, count(*) from denies group by 1" lake',
    ),
    "queries": ("queries", "queries | grep session"),
    "cost": ("cost --since 7d", "cost lake --by project --format csv"),
    "report": ("report --since 24h", "report lake --format html --out report.html"),
    "detect": (
        "detect lake --rules mine --rules pack --since 24h",
        "detect lake --new kubectl_delete --rules mine",
    ),
    "alert": ("alert lake --config alerts.toml", "alert lake --config alerts.toml --once"),
    "ui": ("ui", "ui lake --port 8080 --no-browser"),
    "share": ("share 11111111 session.html lake", "share 11111111 session.html"),
    "mcp": ("mcp lake", "mcp out/agent-hooks.jsonl"),
    "export": ("export lake lake.duckdb", "export lake lake.duckdb --force"),
    "views": ("views", "views > views.sql"),
    "digest": ("digest lake --file prompt.txt", "digest lake --exact --format json"),
    "resolve": (
        "resolve user-0123456789abcdef",
        "resolve machine-0123456789abcdef --roster hosts.txt",
    ),
    "bundle": ("bundle hookstream.pyz", "bundle /srv/www/hookstream.pyz"),
    "ship": (
        "ship https://collector.example:4718 --token-file token",
        "ship https://collector.example:4718 hooks.jsonl --once",
    ),
    "machines": (
        "machines list /srv/fleet",
        "machines add machines.json laptop-7",
    ),
    "machines list": ("machines list /srv/fleet", "machines list /srv/fleet --format json"),
    "machines add": (
        "machines add machines.json laptop-7",
        "machines add machines.json laptop-7 --id machine-0123456789abcdef",
    ),
    "machines register": (
        "machines register machines.json laptop-7 machine-0123456789abcdef",
        "machines register machines.json ci-1 machine-1111111111111111",
    ),
    "machines ids": ("machines ids /srv/fleet", "machines ids /srv/fleet/laptop-7"),
    "machines revoke": (
        "machines revoke machines.json laptop-7",
        "machines revoke machines.json ci-1",
    ),
    "tables": ("tables lake", "tables lake --rebuild"),
    "compact": ("compact lake", "compact lake --target-mb 256"),
    "verify": ("verify out --key seal.pub", "verify lake --event ID --proof proof.json"),
    "retain": (
        "retain lake --max-age 365d --dry-run",
        "retain lake --content-max-age 30d",
    ),
    "hold": ("hold lake case-7 --session ID", "hold lake case-7 --release"),
    "completion": ("completion bash", "completion fish"),
}


def text_of(command: str) -> str:
    """The examples of a command as the last lines of its help; empty for a command without."""
    lines = EXAMPLES.get(command, ())
    return "\n".join(["Examples:", *(f"  hookstream {line}" for line in lines)]) if lines else ""
