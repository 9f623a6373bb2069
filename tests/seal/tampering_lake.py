"""Random tampering of a sealed lake: parts and rows, where `tampering` has lines."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hookstream.lake.compaction import compact
from hookstream.seal.sealed import LAKE, SEALS

from .retaining import DAY_S, new_operator, retain
from .stage import Stage
from .tampering import Tampering, Victim, sizes_up_to


class LakeVictim(Victim):
    """A sealed lake with closed epochs, through a compaction and a retention."""

    name = LAKE

    def __init__(self, tmp: Path) -> None:
        self.stage = Stage(tmp / "victim", "parquet", tables=False)
        folder = self.stage.folder
        self.stage.write(batches=3, count=9)
        self.older = self._taken(folder)
        compact(folder)
        self.operator = new_operator(tmp / "operator.pem")
        self.stage.write(batches=1, count=9)
        retain(self.stage, self.operator, max_age_s=9 * DAY_S)
        self.stage.write(batches=2, count=9)
        self.files = self._taken(folder)
        self.now = self.stage.clock.now
        self.parts = sorted(name for name in self.files if name.endswith(".parquet"))
        head = int(self.files[f"{SEALS}/{LAKE}/checkpoint"].split(b"\n")[1])
        self.against = sizes_up_to(head, LAKE, self.stage.second, tmp / "against.jsonl")
        other = Stage(tmp / "other", "parquet", tables=False)
        other.written = 500
        other.write(batches=2, count=9)
        self.foreign = self._taken(other.folder)


class LakeTampering(Tampering):
    """One random change of a lake at a time."""

    victim: LakeVictim
    log = LAKE

    def _part(self, folder: Path) -> Path:
        return folder / self.random.choice(self.victim.parts)

    def _aged(self, path: Path) -> None:
        """A part that is newer than the checkpoint counts as not sealed yet."""
        os.utime(path, (1, 1))

    def by_flipping_a_bit(self, folder: Path) -> None:
        path = self._part(folder)
        data = bytearray(path.read_bytes())
        data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
        path.write_bytes(bytes(data))

    def by_removing_a_part(self, folder: Path) -> None:
        self._part(folder).unlink()

    def by_copying_a_part(self, folder: Path) -> None:
        path = self._part(folder)
        other = path.with_name(f"part-{self.random.randrange(10**5):05d}-again.parquet")
        shutil.copyfile(path, other)
        self._aged(other)

    def by_swapping_parts(self, folder: Path) -> None:
        one, other = (folder / name for name in self.random.sample(self.victim.parts, 2))
        held = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(held)

    def by_moving_a_part(self, folder: Path) -> None:
        path = self._part(folder)
        place = folder / self.random.choice(("date=2026-04-01", "date=2026-03-02")) / "tool=x"
        place.mkdir(parents=True, exist_ok=True)
        path.rename(place / path.name)
        # The rows are there, under a date or tool that is not theirs.

    def by_a_part_of_another_lake(self, folder: Path) -> None:
        names = [name for name in self.victim.foreign if name.endswith(".parquet")]
        name = self.random.choice(names)
        path = folder / name
        if self.random.random() < 0.5:
            path = self._part(folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.victim.foreign[name])
        self._aged(path)

    def by_editing_rows(self, folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self._part(folder)
        with pq.ParquetFile(path) as file:
            table = file.read()
        at = self.random.randrange(len(table))
        rest = [n for n in range(len(table)) if n != at]
        kind = self.random.randrange(4)
        if kind == 0:
            table = table.take(rest)
        elif kind == 1:
            table = table.take([*range(len(table)), at])
        else:
            name = ("agent_hooks", "command")[kind - 2]
            values = table.column(name).to_pylist()
            values[at] = (values[at] or "").replace("ls", "rm") + " "
            place = table.schema.get_field_index(name)
            table = table.set_column(place, name, pa.array(values, pa.string()))
        if kind > 1 and self.random.random() < 0.5:  # as a compaction would name it
            path.unlink()
            path = path.with_name(f"part-{self.random.randrange(10**5):05d}-new.parquet")
        pq.write_table(table, path)
        self._aged(path)

    def by_an_older_part(self, folder: Path) -> None:
        """What compaction or retention has taken, back again."""
        names = [name for name in self.victim.older if name.endswith(".parquet")]
        name = self.random.choice([one for one in names if one not in self.victim.files])
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(self.victim.older[name])
        self._aged(folder / name)
