"""OpenTelemetry as a source: OTLP exports (JSON or protobuf) and the files of clients, flat.

`items` walks an export, `protobuf` decodes a request body, `outfile` reads what clients write
to a file of their own, `records` makes Records of them. What an item means the tables know.
"""
