"""OpenTelemetry as a source: OTLP exports (JSON or protobuf) and the files of clients, flat.

`items` walks an export, `protobuf` decodes a request body, `outfile` reads the files that
clients write, `records` makes Records of them. The tables give an item its meaning.
"""
