"""words/accounts.toml, compiled by `python -m hookstream.redaction.compile`."""

# ruff: noqa
# fmt: off
GENERIC = frozenset('dev user users root runner ubuntu node vscode app work admin home shared public default codespace gitpod vagrant docker ec2-user centos debian fedora alpine git build builder ci jenkins runneradmin circleci travis agent claude codex copilot coder developer test tester guest nobody www www-data linuxbrew me you username yourname your-name name example jovyan sandbox container project workspace opam rust python deploy service linux administrator someone xxx all'.split())
