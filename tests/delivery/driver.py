"""A follower in a process of its own that can be killed:
driver.py TMP SOURCE [PORT] [--lake | --delta] [--once]."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from delivery.far import Far  # noqa: E402
from delivery.stage import delivery, jsonl  # noqa: E402
from hookstream.delivery.follow import Plan, follow  # noqa: E402
from hookstream.sinks import open_sink  # noqa: E402


def main() -> None:
    tmp, source, *rest = sys.argv[1:]
    plans = [jsonl(Path(tmp) / "out")]
    for word in rest:
        if word.isdigit():
            far = Far()
            far.port = int(word)
            plans.append(far.plan)
    if "--lake" in rest or "--delta" in rest:
        uri = f"{'parquet' if '--lake' in rest else 'delta'}:{tmp}/lake"
        plans.append(Plan(uri, lambda: open_sink(uri), flush_s=0.05))
    ending = follow(
        delivery(
            Path(tmp),
            [source],
            plans,
            commit_records=16,
            segment_bytes=50_000,
            once="--once" in rest,
        ),
        (Path(tmp) / "begun").touch,
    )
    print(ending.totals, ending.waiting)


if __name__ == "__main__":
    main()
