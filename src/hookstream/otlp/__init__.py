"""OpenTelemetry as a source: OTLP exports (JSON or protobuf), the outfiles of clients, as flat items.

`read.items` walks an export, `protobuf` decodes a request body, `outfile` reads what clients write
to a file of their own. Nothing here knows what an item means: the vendors' tables do.
"""
