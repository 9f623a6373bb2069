"""OpenTelemetry as a source: OTLP exports (JSON or protobuf) and the files of clients, flat.

`items` walks an export, `protobuf` decodes a request body, `records` makes Records of both and of
the files that clients write. The tables give an item its meaning.
"""
