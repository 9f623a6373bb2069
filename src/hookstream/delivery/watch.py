"""--metrics, --metrics-otlp, --log-format, --log-level: how a long-running command is watched."""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookstream.core.logs import LOG, set_up

if TYPE_CHECKING:
    from hookstream.delivery.follow import Follower
    from hookstream.delivery.metrics import Figures, Ready


@dataclass(frozen=True)
class Watched:
    """The options of watching: where figures go ([HOST:]PORT to serve, a URL to send to), the
    format of log lines, and the command."""

    metrics: str | None = None
    otlp: str | None = None
    log_format: str = "text"
    log_level: str = "info"
    command: str = "follow"

    def begin(self) -> None:
        """Set up logging. HookstreamError for an unknown level or format."""
        set_up(self.log_format, self.log_level)

    def opened(self, follower: Follower) -> None:
        """Publish figures of a starting follower. HookstreamError for an address in use."""
        from hookstream.delivery.figures import ready, samples

        self.show(lambda: samples(follower), lambda: ready(follower))

    def show(self, samples: Figures, ready: Ready) -> None:
        """Serve and send_metrics figures if asked for."""
        if self.metrics is not None:
            from hookstream.delivery.metrics import serve_metrics

            host, port = serve_metrics(self.metrics, samples, ready)
            LOG.info("metrics on http://%s:%d/metrics", host, port)
        if self.otlp is not None:
            from hookstream.delivery.metrics import send_metrics

            service = f"hookstream-{self.command}"
            atexit.register(send_metrics(self.otlp, samples, service))


def say(text: str) -> None:
    """Log a message of a running follower."""
    LOG.warning(text.removeprefix("hookstream: "))
