"""--metrics, --metrics-otlp, --log-format, --log-level: how a long-running command is watched."""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookstream.logs import LOG, set_up

if TYPE_CHECKING:
    from hookstream.delivery.follow import Follower
    from hookstream.metrics.samples import Figures, Ready


@dataclass(frozen=True)
class Watched:
    """Where figures go ([HOST:]PORT to serve, a URL to send to), how log lines look, and which
    command it is."""

    metrics: str | None = None
    otlp: str | None = None
    log_format: str = "text"
    log_level: str = "info"
    command: str = "follow"

    def begin(self) -> None:
        """Set up logging. HookstreamError for a word that is none."""
        set_up(self.log_format, self.log_level)

    def opened(self, follower: Follower) -> None:
        """Figures of a follower that is about to run. HookstreamError for an address in use."""
        from hookstream.delivery.figures import ready, samples

        self.show(lambda: samples(follower), lambda: ready(follower))

    def show(self, samples: Figures, ready: Ready) -> None:
        """Serve and send figures where that was asked for."""
        if self.metrics is not None:
            from hookstream.metrics.prometheus import serve

            host, port = serve(self.metrics, samples, ready)
            LOG.info("metrics on http://%s:%d/metrics", host, port)
        if self.otlp is not None:
            from hookstream.metrics.otlp import send

            service = f"hookstream-{self.command}"
            atexit.register(send(self.otlp, samples, service))


def say(text: str) -> None:
    """What a follower says while it works."""
    LOG.warning(text.removeprefix("hookstream: "))
