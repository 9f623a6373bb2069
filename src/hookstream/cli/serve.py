"""wrap, serve: a policy hook with its decision recorded, and the resident collector."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hookstream.cli.help import GroupedHelp
from hookstream.core.errors import HookstreamError

UNIT_OPTIONS = ("socket", "token_file", "log", "tls_cert", "tls_key")


class Raw(GroupedHelp):
    """A command that leaves everything after the first `--` untouched, options included."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta["command"] = args[at + 1 :]
            args = args[:at]
        return super().parse_args(ctx, args)


def register(app: typer.Typer) -> None:
    app.command(cls=Raw)(wrap)
    app.command()(serve)


def wrap(
    ctx: typer.Context,
    vendor: Annotated[str, typer.Argument(help="Vendor of the hook.")],
    event: Annotated[str | None, typer.Argument(help="The native event.")] = None,
    log: Annotated[str | None, typer.Option(help="Log file or folder.")] = None,
) -> None:
    """Run a policy hook (after --) and record its decision. Its answer is passed through."""
    from hookstream.capture.wrap.main import main

    command: list[str] = ctx.meta.get("command", [])
    if not command:
        raise HookstreamError("wrap: no command; hookstream wrap VENDOR [EVENT] -- CMD")
    words = [vendor, *([event] if event else []), *(["--log", log] if log else [])]
    main([*words, "--", *command])


def serve(
    socket: Annotated[
        str | None, typer.Option(help="Path of the Unix socket for hooks, or off.")
    ] = None,
    http: Annotated[str, typer.Option(help="HOST:PORT, or off.")] = "127.0.0.1:4718",
    token_file: Annotated[
        str | None,
        typer.Option(help="File with the bearer token, mode 0600 (default: HOOKSTREAM_TOKEN)."),
    ] = None,
    log: Annotated[str | None, typer.Option(help="Log file or folder.")] = None,
    tls_cert: Annotated[str | None, typer.Option(help="Certificate chain, PEM.")] = None,
    tls_key: Annotated[str | None, typer.Option(help="Its private key, PEM.")] = None,
    max_body: Annotated[
        int, typer.Option(min=1024, help="Maximum size of a request in bytes.")
    ] = 16 * 2**20,
    name: Annotated[list[str] | None, typer.Option(help="Additional host name to accept.")] = None,
    machines: Annotated[
        str | None, typer.Option(help="Credentials of machines that may ship (docs/shipping.md).")
    ] = None,
    fleet: Annotated[
        str | None, typer.Option(help="Folder for their logs, one folder per machine.")
    ] = None,
    client_ca: Annotated[
        str | None, typer.Option(help="CAs of client certificates (mTLS), PEM.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Number of processes.")] = 1,
    machine_rate: Annotated[
        int | None, typer.Option(min=1024, help="Bytes per second that a machine may ship.")
    ] = None,
    otlp_grpc: Annotated[
        str | None, typer.Option(help="HOST:PORT for OTLP over gRPC (usually 127.0.0.1:4317).")
    ] = None,
    log_format: Annotated[str, typer.Option(help="text | json (standard error)")] = "text",
    log_level: Annotated[str, typer.Option(help="debug | info | warning | error")] = "info",
    metrics_otlp: Annotated[
        str | None, typer.Option(help="Send figures by OTLP/HTTP to this URL.")
    ] = None,
    print_unit: Annotated[bool, typer.Option(help="Print a systemd user unit.")] = False,
) -> None:
    """Collect from hooks, plugins, agents and machines into a log."""
    options: dict[str, Any] = {
        "socket": socket,
        "http": None if http == "off" else http,
        "token_file": token_file,
        "log": log,
        "tls_cert": tls_cert,
        "tls_key": tls_key,
        "machines": machines,
        "fleet": fleet,
        "client_ca": client_ca,
        "otlp_grpc": otlp_grpc,
        "metrics_otlp": metrics_otlp,
    }
    if print_unit:
        from hookstream.capture.collector.unit import unit

        words = [] if http == "127.0.0.1:4718" else ["--http", http]
        for key in (*UNIT_OPTIONS, "machines", "fleet", "client_ca", "otlp_grpc", "metrics_otlp"):
            if options[key] is not None:
                words += [f"--{key.replace('_', '-')}", options[key]]
        for one in name or ():
            words += ["--name", one]
        if workers > 1:
            words += ["--workers", str(workers)]
        if log_format != "text":
            words += ["--log-format", log_format]
        if log_level != "info":
            words += ["--log-level", log_level]
        print(unit(words), end="")
        return
    from hookstream.capture.collector.options import Options
    from hookstream.capture.collector.serve import serve as run

    options |= {"workers": workers, "machine_rate": machine_rate}
    options |= {"log_format": log_format, "log_level": log_level}
    run(Options(**options, body_limit=max_body, names=tuple(name or ())))
