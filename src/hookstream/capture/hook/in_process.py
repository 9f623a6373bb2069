"""The work of a hook in its own process: no collector answered, or a wrap's recorder does it."""

from __future__ import annotations

import gc
import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# Modules that hooks and wraps import in the middle of their work; a test runs both.
MODULES = """capture.allowed capture.collector.intake capture.hook.appender capture.hook.client
capture.hook.failures capture.hook.launch capture.hook.lines capture.hook.main
capture.hook.read_so_far capture.hook.reasons capture.hook.registered capture.keys
capture.log.append capture.log.rotation capture.log.tail capture.wrap.child capture.wrap.dedupe
capture.wrap.events capture.wrap.main capture.wrap.record capture.wrap.relay capture.wrap.verdicts
core.identity redaction.digest redaction.filters.example redaction.filters.public redaction.keys
redaction.mail shell.managers standards.artifacts"""


class LazyPattern:
    """A pattern that is compiled at its first use: a run uses few of the thousand it imports."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._arguments = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = self.__dict__.get("_compiled")
        if compiled is None:
            compiled = self._compiled = compile_now(*self._arguments)
        value = self.__dict__[name] = getattr(compiled, name)
        return value


compile_now = re.compile


def compile_lazily() -> None:
    """Let every `re.compile` of this process wait for its pattern's first use."""
    re.compile = LazyPattern  # type: ignore[assignment]


def run_in_process(
    words: list[str], options: list[str], began: tuple[int, float], data: bytes, ended: bool
) -> NoReturn:
    """Run the hook and end the process. `data` is what the client has read of the payload; `began`
    is when, by the clock (ns) and by the monotonic one (s): the receipt time that the collector
    got, so that an event that both recorded has one id, and the time to end in."""
    gc.disable()
    compile_lazily()
    is_running = False  # from then on the hook itself answers, whatever happens
    try:
        from hookstream.capture.hook.main import main
        from hookstream.capture.hook.read_so_far import PreReadHook
        from hookstream.capture.hook.request import HookRequest, iso

        if not words or words[0][:1] == "-":
            os._exit(main(words))
        request = HookRequest(options + words)
        request.now = request.now or iso(began[0])
        hook = PreReadHook(request, data, ended, began[1])
        is_running = True
        hook.run()
    except BaseException as error:
        if not is_running:
            from hookstream.capture.hook.failures import last_resort

            last_resort(options + words, error, data, ended)
    finally:
        os._exit(0)


def load_all(vendor: str) -> None:
    """Import every module that a hook or a wrap of that vendor's reaches: their bytecode is written
    where it is missing or out of date."""
    compile_lazily()
    for name in MODULES.split():
        __import__(f"hookstream.{name}")
    from hookstream.capture.wrap.verdicts import contract_of
    from hookstream.normalizers import compiled
    from hookstream.redaction import Redactor
    from hookstream.redaction.extract import EXTRACTORS
    from hookstream.redaction.scanner import Scanner

    compiled(vendor)
    contract_of(vendor, None)
    Redactor("hash", pseudonym_key=bytes(32), scanner=Scanner(engine="python"))
    for module in EXTRACTORS:
        __import__(f"hookstream.redaction.extract.{module}")
