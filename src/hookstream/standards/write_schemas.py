"""Writes the shipped schema files: python -m hookstream.standards.write_schemas"""

from __future__ import annotations

import json
from pathlib import Path

from hookstream.standards.schema import SCHEMAS


def main() -> None:
    folder = Path(__file__).parent / "schemas"
    folder.mkdir(exist_ok=True)
    for name, build in SCHEMAS.items():
        (folder / name).write_text(json.dumps(build(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
