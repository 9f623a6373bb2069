"""Logs as a stream on Apache Spark: python docs/spark_streaming.py LOGS LAKE CHECKPOINT KEY_FILE

LOGS is a folder with one folder per machine (a file is read once, whole). Spark keeps the state of
each machine in its checkpoint, from which the next run goes on.
Needs pip install '.[spark]' in a clone, and Java 17.
"""

import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyspark.sql import Row, SparkSession
from pyspark.sql.functions import col, to_date
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming import StatefulProcessor

from hookstream.lake.rows import schema
from hookstream.pipeline.state import State, normalise
from hookstream.redaction import Redactor
from hookstream.redaction.keys import load_key

NOW = "2026-03-01T12:00:00Z"  # the time of records that have none
logs, lake, checkpoint, key_file = sys.argv[1:]
key = load_key(key_file)


def lines(batches):
    """Files to lines; the machine is the file's folder."""
    for batch in batches:
        for file in batch.to_pylist():
            path = Path(unquote(urlsplit(file["path"]).path))
            offset = 0
            rows = []
            for line in file["content"].splitlines(keepends=True):
                rows.append(
                    {
                        "machine": path.parent.name,
                        "source": path.name,
                        "offset": offset,
                        "line": line,
                    }
                )
                offset += len(line)
            yield pa.RecordBatch.from_pylist(rows, LINES)


LINES = pa.schema(
    [
        ("machine", pa.string()),
        ("source", pa.string()),
        ("offset", pa.int64()),
        ("line", pa.binary()),
    ]
)


class Machine(StatefulProcessor):
    """One machine's log in its order; its state is one value of bytes."""

    def init(self, handle):
        self.saved = handle.getValueState("state", "data binary")
        self.redactor = Redactor("hash", pseudonym_key=key)

    def handleInputRows(self, key_row, rows, timers):  # noqa: N802
        found = sorted(
            (row.asDict() for row in rows), key=lambda row: (row["source"], row["offset"])
        )
        if self.saved.exists():
            state = State.load(bytes(self.saved.get()[0]), key, NOW, redactor=self.redactor)
        else:
            state = State(key, NOW, redactor=self.redactor)
        events, state = normalise(pa.RecordBatch.from_pylist(found, LINES), state)
        self.saved.update((state.dump(),))
        for event in events.to_pylist():
            yield Row(**event)

    def close(self):
        pass


spark = (
    SparkSession.builder.appName("hookstream")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.sql.timestampType", "TIMESTAMP_NTZ")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
files = (
    spark.readStream.format("binaryFile")
    .option("recursiveFileLookup", "true")
    .option("pathGlobFilter", "*.jsonl")
    .schema("path string, modificationTime timestamp_ltz, length long, content binary")
    .load(logs)
)
events = (
    files.mapInArrow(lines, from_arrow_schema(LINES))
    .groupBy("machine")
    .transformWithState(
        statefulProcessor=Machine(),
        outputStructType=from_arrow_schema(schema(), prefer_timestamp_ntz=True),
        outputMode="Append",
        timeMode="None",
    )
)
(
    events.withColumn("date", to_date(col("timestamp")))
    .writeStream.format("parquet")
    .partitionBy("date", "tool")
    .option("checkpointLocation", checkpoint)
    .trigger(availableNow=True)
    .start(lake)
    .awaitTermination()
)
spark.stop()
