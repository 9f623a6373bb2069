"""A bucket as a second place: an object for each checkpoint, which Object Lock keeps as it is.

The bucket has Object Lock and a default retention: until that is over no user can change or remove
a version that is there, this machine's credentials included. What was put on top of it since, a
newer version or a delete marker, is not asked. Arrow's S3 sends no checksum, which locked buckets
want, and lists no versions: hence boto3.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hookstream.core.errors import extra
from hookstream.seal import SealError
from hookstream.seal.note import Checkpoint, read_checkpoint

OPTIONS = ("endpoint", "region")
TIMEOUT_S = 5.0
LARGEST = 10**20


class BucketPlace:
    """`s3://BUCKET/PREFIX?region=NAME`; credentials as AWS tools find them."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        parts = urlsplit(uri)
        self._options = dict(parse_qsl(parts.query))
        if not parts.netloc or "@" in parts.netloc or set(self._options) - set(OPTIONS):
            raise SealError(f"{uri}: not s3://BUCKET/PREFIX?region=NAME&endpoint=URL")
        self._check_endpoint()
        self._bucket = parts.netloc
        self._prefix = parts.path.strip("/")
        self._client: Any = None

    def _check_endpoint(self) -> None:
        from hookstream.core.loopback import is_loopback

        try:
            import boto3  # noqa: F401
        except ImportError:
            raise SealError(f"{self.uri}: {extra('s3')}") from None
        parts = urlsplit(self._options.get("endpoint", "https://amazonaws.com"))
        secure = parts.scheme == "https" or is_loopback(parts.hostname or "")
        if parts.scheme not in ("http", "https") or not parts.hostname or not secure:
            raise SealError(f"{self.uri}: endpoint: begins with https:// and a host")

    def _opened(self) -> Any:
        """The client, once the bucket is known to lock what it gets. OSError."""
        if self._client is None:
            import boto3
            from botocore.config import Config

            with _errors():
                client = boto3.client(
                    "s3",
                    region_name=self._options.get("region"),
                    endpoint_url=self._options.get("endpoint"),
                    config=Config(
                        connect_timeout=TIMEOUT_S,
                        read_timeout=TIMEOUT_S,
                        retries={"total_max_attempts": 1},
                    ),
                )
                found = client.get_object_lock_configuration(Bucket=self._bucket)
            if "Rule" not in found["ObjectLockConfiguration"]:
                raise OSError(5, "the bucket has Object Lock, but no default retention")
            self._client = client
        return self._client

    def _folder(self, origin: str) -> str:
        """A prefix under which the newest comes first."""
        return f"{self._prefix}/{re.sub(r'[^A-Za-z0-9.]+', '-', origin)}/".lstrip("/")

    def send(self, event: bytes) -> None:
        document = json.loads(event)
        name = f"{LARGEST - document['size']:020d}-{document['size']}.json"
        client = self._opened()
        with _errors():
            client.put_object(
                Bucket=self._bucket,
                Key=self._folder(document["origin"]) + name,
                Body=event + b"\n",
                ContentType="application/json",
                ChecksumAlgorithm="SHA256",
            )

    def newest(self, origin: str) -> Checkpoint | None:
        client, prefix = self._opened(), self._folder(origin)
        with _errors():
            versions = client.list_object_versions(Bucket=self._bucket, Prefix=prefix)
            value = versions.get("Versions", [])
            if not value:
                return None
            # Versions of a key come the newest first.
            first = [one for one in value if one["Key"] == value[0]["Key"]][-1]
            kept = client.get_object(
                Bucket=self._bucket, Key=first["Key"], VersionId=first["VersionId"]
            )
            note = json.loads(kept["Body"].read())["note"]
        return read_checkpoint(str(note))


@contextmanager
def _errors() -> Iterator[None]:
    """Raise any error as an OSError of one line."""
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (Boto3Error, BotoCoreError, ClientError, ValueError, LookupError) as error:
        raise OSError(5, " ".join(str(error).split())[:200]) from None
