"""The commands of a bundle: those of `hookstream` that a laptop needs, on the standard library.

    python3 hookstream.pyz install --all
    python3 hookstream.pyz hook | wrap | install | uninstall | status | serve | ship | --version

It runs isolated (-I -S -B), and what `install` registers starts Python so. `python3 hookstream.pyz`
itself does not: sitecustomize and PYTHONPATH have run before this file, which starts a second,
isolated process but cannot undo what they did. `python3 -I -S hookstream.pyz` is isolated at once,
as is `./hookstream.pyz`.
`install` runs from the unpacked code, for that is what launchers name.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import NoReturn

from hookstream.capture.install.manifest import base_interpreter, own
from hookstream.core.errors import HookstreamError

OPTIONS = ("-I", "-S", "-B")
INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run the command; its exit status. User errors are one line on stderr."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        if not (sys.flags.isolated and sys.flags.no_site):
            run_in(_root(), argv)
        return _run(argv)
    except HookstreamError as error:
        return _fail(str(error), error.code)
    except ImportError as error:
        return _fail(f"{error.name} is not in a bundle; the installed package can do this", 2)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        return _fail(f"{error.strerror or type(error).__name__}{where}", 2)


def _run(argv: list[str]) -> int:
    """Hooks first: they load nothing of the other commands."""
    if argv[:2] == ["hook", "--command"]:
        run_unpacked(argv)
    if argv[:1] == ["hook"]:
        from hookstream.capture.hook.main import main as hook

        return hook(argv[1:])
    if argv[:1] == ["wrap"]:
        from hookstream.capture.wrap.main import main as wrap

        wrap(argv[1:])
    if argv[:1] == ["ship"]:
        from hookstream.delivery.ship import main as ship

        return ship(argv[1:])
    from hookstream.bundle.options import parser

    arguments = parser().parse_args(argv)
    command = {
        "install": install,
        "uninstall": uninstall,
        "status": status,
        "serve": serve,
    }[arguments.command]
    return command(arguments, argv)


def install(arguments: Namespace, argv: list[str]) -> int:
    """Unpack the bundle, then install from there; remove an older one when the new one is
    installed."""
    from hookstream.capture.install import launcher, registration, unpack

    managed = arguments.scope == "managed"
    # A wrong request is to leave no trace.
    registration.chosen_clients(arguments.vendors, arguments.every, arguments.scope)
    if not arguments.dry_run:
        run_unpacked(argv, managed)
    before = unpack.in_use(managed)
    code = registration.install(
        arguments.vendors,
        arguments.every,
        arguments.scope,
        arguments.dry_run,
        arguments.wrap,
        arguments.telemetry,
        arguments.telemetry_url,
        arguments.mod,
    )
    if not arguments.dry_run:
        launcher.write_command(_root(), managed)
        unpack.prune([_root(), *([before] if before else [])], managed)
    return code


def uninstall(arguments: Namespace, _: list[str]) -> int:
    from hookstream.capture.install import registration

    return registration.uninstall(
        arguments.vendors,
        arguments.every,
        arguments.scope,
        arguments.dry_run,
        arguments.purge,
        arguments.purge_log,
    )


def status(arguments: Namespace, argv: list[str]) -> int:
    from hookstream.capture.install import registration
    from hookstream.capture.install.homes import InstallFolders
    from hookstream.capture.install.registered import installable
    from hookstream.capture.install.status import report
    from hookstream.capture.install.status_text import table
    from hookstream.delivery.state import of_user

    _run_installed(argv)
    named = arguments.vendors
    chosen = [registration.agent_named(name) for name in named] if named else installable()
    answer = report(chosen, InstallFolders())
    answer["deliveries"] = of_user()
    if arguments.format == "json":
        import json

        print(json.dumps(answer, indent=1))
        return 0
    print(table(answer, events=bool(named), absent=arguments.every or bool(named)), end="")
    return 0


def serve(arguments: Namespace, argv: list[str]) -> int:
    if arguments.print_unit:
        from hookstream.capture.collector.unit import unit

        print(unit([word for word in argv[1:] if word != "--print-unit"]), end="")
        return 0
    from hookstream.capture.collector.options import Options
    from hookstream.capture.collector.serve import serve as run

    http = None if arguments.http == "off" else arguments.http
    run(
        Options(
            arguments.socket,
            http,
            arguments.token_file,
            arguments.log,
            arguments.tls_cert,
            arguments.tls_key,
            arguments.max_body,
            tuple(arguments.name or ()),
            log_format=arguments.log_format,
            log_level=arguments.log_level,
        )
    )
    return 0


def run_unpacked(argv: list[str], managed: bool = False) -> None:
    """Continue in the unpacked code, unless this is it. Raises HookstreamError."""
    from hookstream.capture.install import launcher
    from hookstream.capture.install.unpack import LIB, unpack

    bundle = own()
    if bundle is None:
        raise HookstreamError("this is not a bundle: use the command `hookstream`")
    root, manifest = bundle
    if root.is_file():
        run_in(unpack(root, manifest, managed), argv)
    if root.parent != launcher.folder(managed) / LIB:
        raise HookstreamError(
            "this copy belongs to another installation: run `python3 hookstream.pyz install`, the "
            "file itself"
        )


def _run_installed(argv: list[str]) -> None:
    """Continue in the unpacked code if this very bundle is installed: launchers name that."""
    from hookstream.capture.install.unpack import installed, is_whole

    bundle = own()
    if bundle is None or not bundle[0].is_file():
        return
    for folder in (*installed(), *installed(managed=True)):
        if folder.name == bundle[1].name and is_whole(folder, bundle[1]):
            run_in(folder, argv)


def run_in(bundle: Path, argv: list[str]) -> NoReturn:
    """The same command by another process, isolated, in the place of this one."""
    words = [base_interpreter(), *OPTIONS, str(bundle), *argv]
    if os.name == "nt":  # exec would give the shell its prompt back at once
        import subprocess

        sys.exit(subprocess.call(words))
    sys.stdout.flush()
    os.execv(words[0], words)  # noqa: S606


def _root() -> Path:
    bundle = own()
    if bundle is None:
        raise HookstreamError("this is not a bundle: use the command `hookstream`")
    return bundle[0]


def _fail(text: str, code: int) -> int:
    from hookstream.core.logs import say_error

    say_error(text)
    return code
