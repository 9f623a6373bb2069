"""The centre of a fleet: POST /ship by credential, machine by machine, and what `ship` sends."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from collector_runner import Collector, served
from forged import event

pytestmark = pytest.mark.long

TOKENS = {name: f"{name}-{'t' * 24}" for name in ("laptop-1", "laptop-2", "shared", "gone")}
STREAM = "a" * 32


def line(number: int, machine_id: str = "machine-1") -> bytes:
    own = {"machine_id": machine_id, "call_id": f"c{number}"}
    return json.dumps({"event_id": str(number), "metadata": {"dev.hookstream": own}}).encode()


def digest(name: str) -> str:
    return "sha256:" + sha256(TOKENS[name].encode()).hexdigest()


def credentials(home) -> Path:
    path = home.path / "machines"
    path.write_text(
        "# name credential state\n"
        f"laptop-1 {digest('laptop-1')}\n"
        f"laptop-2 {digest('laptop-2')}\n"
        f"laptop-3 {digest('gone')} revoked 2026-11-20T00:00:00Z\n"
        f"* {digest('shared')}\n"
    )
    path.chmod(0o600)
    return path


@pytest.fixture
def centre(home):
    fleet = home.path / "fleet"
    options = {"machines": str(credentials(home)), "fleet": str(fleet), "socket": "off"}
    with Collector(home, **options) as running:
        running.fleet = fleet
        yield running


def ship(centre, token: str, lines: list[bytes], records: str, **headers: str):
    given = {
        "Authorization": f"Bearer {TOKENS.get(token, token)}",
        "Content_Encoding": "gzip",
        "Content_Type": "application/x-ndjson",
        "Hookstream_Stream": STREAM,
        "Hookstream_Records": records,
        **headers,
    }
    body = gzip.compress(b"".join(one + b"\n" for one in lines))
    status, said = centre.post("/ship", body, **given)
    return status, json.loads(said) if said else None


def log(centre, machine: str) -> list[bytes]:
    return (centre.fleet / machine / "agent-hooks.jsonl").read_bytes().splitlines()


def rows(home, centre) -> dict[str, dict]:
    from hookstream.capture.collector.fleet.seen import machines

    return {one["machine"]: one for one in machines(str(centre.fleet / "fleet.db"))}


def test_lines_arrive_byte_for_byte_and_a_repeated_request_adds_nothing(home, centre) -> None:
    lines = [line(n) for n in range(3)]
    assert ship(centre, "laptop-1", lines, "0-2") == (
        200,
        {"taken": 3, "duplicates": 0, "foreign": 0},
    )
    assert ship(centre, "laptop-1", lines, "0-2")[1] == {"taken": 0, "duplicates": 3, "foreign": 0}
    assert ship(centre, "laptop-1", [lines[2], line(3)], "2-3")[1]["taken"] == 1
    assert log(centre, "laptop-1") == [*lines, line(3)]
    row = rows(home, centre)["laptop-1"]
    assert (row["lines"], row["duplicates"], row["skipped"], row["streams"]) == (4, 4, 0, 1)
    assert time.time() - row["last_seen"] < 60


def test_another_line_under_a_place_that_is_taken_is_kept(centre) -> None:
    """Two machines made from one disk image send the same stream and places."""
    ship(centre, "laptop-1", [line(0)], "0")
    assert ship(centre, "laptop-1", [line(7)], "0")[1]["taken"] == 1
    assert log(centre, "laptop-1") == [line(0), line(7)]


def test_places_that_were_never_sent_are_counted(home, centre) -> None:
    ship(centre, "laptop-1", [line(0)], "0")
    ship(centre, "laptop-1", [line(5), line(6), line(9)], "5-6,9")
    assert rows(home, centre)["laptop-1"]["skipped"] == 4 + 2


def test_the_credential_names_the_machine_whatever_the_sender_says(centre) -> None:
    ship(centre, "laptop-1", [line(0)], "0", Hookstream_Machine="laptop-2")
    assert log(centre, "laptop-1") == [line(0)]
    assert not (centre.fleet / "laptop-2").exists()


def test_machines_behind_a_shared_token_keep_their_names(centre) -> None:
    for name in ("one", "two"):
        taken = ship(centre, "shared", [line(0, f"id-{name}")], "0", Hookstream_Machine=name)
        assert taken[0] == 200
    assert log(centre, "one") == [line(0, "id-one")]
    assert log(centre, "two") == [line(0, "id-two")]


@pytest.mark.parametrize("name", ["", "../out", ".hidden", "a/b", "x" * 65, "é"])
def test_a_shared_token_needs_a_name_that_is_one(centre, name: str) -> None:
    given = {"Hookstream_Machine": name.encode("utf-8").decode("latin-1")} if name else {}
    assert ship(centre, "shared", [line(0)], "0", **given)[0] == 400


def test_a_revoked_machine_is_refused_and_the_others_go_on(home, centre) -> None:
    assert ship(centre, "gone", [line(0)], "0")[0] == 403
    assert ship(centre, "laptop-1", [line(0)], "0")[0] == 200
    path = credentials(home)
    path.write_text(path.read_text().replace(digest("laptop-1"), digest("laptop-1") + " revoked"))
    assert ship(centre, "laptop-1", [line(1)], "1")[0] == 403
    assert ship(centre, "laptop-2", [line(0, "machine-2")], "0")[0] == 200


def test_nobody_known_is_refused_and_a_broken_file_of_credentials_changes_nothing(
    home, centre
) -> None:
    assert ship(centre, "nobody-at-all-known", [line(0)], "0")[0] == 401
    assert ship(centre, centre.token, [line(0)], "0")[0] == 401, "the collector's own token"
    credentials(home).write_text("laptop-1 plain-text-token\n")
    assert ship(centre, "laptop-1", [line(0)], "0")[0] == 200


@pytest.mark.parametrize("machine", ["laptop-1", "gone", "shared"])
@pytest.mark.parametrize(
    "path", ["/hook/codex", "/aos", "/v1/logs", "/v1/traces", "/v1/metrics", "/v1%2Flogs"]
)
def test_a_machines_token_opens_no_other_path(centre, machine: str, path: str) -> None:
    own = {"Authorization": f"Bearer {TOKENS[machine]}"}
    assert centre.post(path, {"host.name": "laptop-2"}, **own)[0] == 401
    assert centre.post("/health", b"", "GET", **own)[0] == 401
    assert not list(centre.fleet.rglob("*.jsonl"))


def test_the_collectors_own_token_may_not_be_a_machines(home) -> None:
    """Else whoever has it could write to the other doors, where no line has an owner."""
    token = home.path / "token"
    token.write_text(TOKENS["shared"])
    token.chmod(0o600)
    options = {"machines": str(credentials(home)), "fleet": str(home.path / "fleet")}
    with pytest.raises(AssertionError, match="own token"):
        Collector(home, **options, token_file=str(token), socket="off").__enter__()


@pytest.mark.parametrize("records", ["", "1", "3-1", "0-1,1", "x", "0-999999999999", "-1"])
def test_places_that_do_not_fit_the_lines_are_refused(centre, records: str) -> None:
    assert ship(centre, "laptop-1", [line(0), line(1)], records)[0] == 400
    assert not (centre.fleet / "laptop-1").exists()


def test_half_a_line_and_a_body_that_is_no_gzip_are_refused(centre) -> None:
    body = gzip.compress(line(0))
    given = {"Authorization": f"Bearer {TOKENS['laptop-1']}", "Content_Encoding": "gzip",
             "Hookstream_Stream": STREAM, "Hookstream_Records": "0"}  # fmt: skip
    assert centre.post("/ship", body, **given)[0] == 400
    assert centre.post("/ship", b"no gzip\n", **given)[0] == 400
    assert centre.post("/ship", b"", "GET", **given)[0] == 405


def test_a_machine_that_sends_too_much_waits_and_the_others_do_not(home) -> None:
    fleet = home.path / "fleet"
    options = {"machines": str(credentials(home)), "fleet": str(fleet), "machine_rate": 1024}
    with Collector(home, socket="off", **options) as centre:
        centre.fleet = fleet
        noise = os.urandom(12 << 10).hex().encode()  # does not compress below half
        answers = [ship(centre, "laptop-1", [noise], str(n))[0] for n in range(5)]
        assert answers[0] == 200
        assert answers[-1] == 429
        assert ship(centre, "laptop-2", [line(0)], "0")[0] == 200


def test_probes_need_no_token_and_without_credentials_there_is_no_such_path(home) -> None:
    import urllib.request

    with Collector(home, socket="off") as plain:
        with urllib.request.urlopen(f"{plain.url}/healthz", timeout=10) as reply:
            assert reply.status == 200
        assert ship(plain, plain.token, [line(0)], "0")[0] == 404


def test_every_worker_answers_for_all_of_them(home) -> None:
    """/metrics, whichever process is asked; read by Prometheus' own parser."""
    from prometheus_client.parser import text_string_to_metric_families

    fleet = home.path / "fleet"
    options = {"machines": str(credentials(home)), "fleet": str(fleet), "workers": 2}
    with Collector(home, socket="off", **options) as centre:
        for name, token in (("1", "laptop-1"), ("2", "laptop-2"), ("1", "gone")):
            ship(centre, token, [line(0, f"id-{name}")], "0")
        sums: dict[str, float] = {}

        def counted() -> bool:
            sums.clear()
            text = centre.post("/metrics", b"", "GET")[1].decode()
            for family in text_string_to_metric_families(text):
                for one in family.samples:
                    sums[one.name] = sums.get(one.name, 0) + one.value
            refused = sums.get("hookstream_collector_refused_total")
            return sums.get("hookstream_fleet_lines_total") == 2 and refused == 1

        until(counted)
        assert sums["hookstream_fleet_machines"] == 2
        assert sums["hookstream_fleet_machines_silent"] == 0


def test_a_collector_whose_disk_takes_nothing_is_not_ready(tmp_path) -> None:
    from hookstream.capture.collector.figures import trouble_at

    assert trouble_at(str(tmp_path)) == ""
    assert trouble_at(str(tmp_path / "none" / "log.jsonl"))


# the shipper


def log_lines(count: int, first: int = 0) -> list[bytes]:
    return [line(n) for n in range(first, first + count)]


def shipper(home, centre, log_path: Path, *more: str, token: str = "laptop-1") -> subprocess.Popen:
    words = [centre.url, str(log_path), "--state", str(home.path / "spool"), *more]
    code = "import sys; from hookstream.delivery.ship import main; sys.exit(main(sys.argv[1:]))"
    env = served(home, {"HOOKSTREAM_TOKEN": TOKENS[token]})
    return subprocess.Popen(
        [sys.executable, "-c", code, *words], env=env, stderr=subprocess.PIPE, text=True
    )


def until(true, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def test_ship_sends_a_log_byte_for_byte(home, centre) -> None:
    path = home.path / "agent-hooks.jsonl"
    lines = [*log_lines(700), b"no JSON at all", b'{"half": "a lin']
    path.write_bytes(b"\n".join(lines[:-1]) + b"\n\n")
    process = shipper(home, centre, path, "--once")
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 0, said
    assert "delivered 701" in said
    missing = shipper(home, centre, home.path / "none.jsonl", "--once")
    assert "none.jsonl: no such file or folder" in missing.communicate(timeout=60)[1]
    assert missing.returncode == 2
    assert log(centre, "laptop-1") == lines[:-1]
    # and nothing twice
    with path.open("ab") as file:
        file.write(line(9000) + b"\n")
    assert shipper(home, centre, path, "--once").wait(60) == 0
    assert log(centre, "laptop-1") == [*lines[:-1], line(9000)]


def test_a_refused_line_is_a_dead_letter_and_the_rest_arrives(home, centre) -> None:
    from hookstream.delivery import dead_letters

    path = home.path / "agent-hooks.jsonl"
    lines = log_lines(40)
    forged = json.dumps(event("laptop-2", 99)).encode()
    path.write_bytes(b"".join(one + b"\n" for one in [*lines[:20], forged, *lines[20:]]))
    process = shipper(home, centre, path, "--once")
    said = process.communicate(timeout=60)[1]
    assert "delivered 40, dropped 0, dead 1" in said
    assert log(centre, "laptop-1") == lines
    (file,) = (home.path / "spool").rglob("dead/*.db")
    (letter,) = dead_letters.read(file)
    assert json.loads(letter.row.event)["event_id"].endswith("99")
    assert "belongs to another credential" in letter.row.reason
    assert f"1 refused: {letter.row.reason}; kept in {file}" in said
    assert rows(home, centre)["laptop-1"]["foreign_lines"] == 1


def test_ship_resumes_after_kills_of_both_sides(home) -> None:
    fleet = home.path / "fleet"
    path = home.path / "agent-hooks.jsonl"
    path.write_bytes(b"")
    options = {"machines": str(credentials(home)), "fleet": str(fleet), "workers": 2}
    lines = log_lines(1200)
    with Collector(home, socket="off", **options) as centre:
        centre.fleet = fleet
        process = shipper(home, centre, path, "--linger", "0")
        for n in range(0, 1200, 100):
            with path.open("ab") as file:
                file.write(b"".join(one + b"\n" for one in lines[n : n + 100]))
            time.sleep(0.1)
            if n in (300, 700):
                process.kill()
                process.communicate()
                process = shipper(home, centre, path, "--linger", "0")
            if n == 500:
                for child in children(centre.process.pid):
                    os.kill(child, signal.SIGKILL)
        until(lambda: (fleet / "laptop-1" / "agent-hooks.jsonl").exists())
        until(lambda: set(log(centre, "laptop-1")) == set(lines))
        process.terminate()
        assert process.wait(20) in (0, 3)
        process.stderr.close()
        found = log(centre, "laptop-1")
        assert list(dict.fromkeys(found)) == lines, "in order, none missing, none altered"


def children(pid: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_full_spool_drops_its_oldest_lines_and_counts_them(home) -> None:
    """The collector is away; the log goes on, and what was dropped is known at both ends."""
    path = home.path / "agent-hooks.jsonl"
    long = [json.dumps({"n": n, "text": "x" * 4000}).encode() for n in range(1500)]
    path.write_bytes(b"".join(one + b"\n" for one in long))
    fleet = home.path / "fleet"
    options = {"machines": str(credentials(home)), "fleet": str(fleet), "socket": "off"}
    with Collector(home, **options) as centre:
        url = centre.url
    process = shipper(home, centre, path, "--spool-bytes", str(2 << 20), "--linger", "0")
    spool = home.path / "spool" / "spool"
    until(lambda: len(list(spool.glob("*.seg"))) > 1 and 0 not in segments(spool))
    until(lambda: read_of(home) == 1500)
    assert sum(one.stat().st_size for one in spool.glob("*.seg")) < 3 << 20
    with Collector(home, **{**options, "http": url.removeprefix("http://")}) as centre:
        centre.fleet = fleet
        until(lambda: (fleet / "laptop-1" / "agent-hooks.jsonl").exists())
        until(lambda: log(centre, "laptop-1")[-1:] == [long[-1]])
        process.terminate()
        said = process.communicate(timeout=30)[1]
        found = log(centre, "laptop-1")
    lost = 1500 - len(found)
    assert lost > 500
    assert set(found) <= set(long)
    assert f"dropped {lost}" in said
    assert rows(home, centre)["laptop-1"]["skipped"] == lost


def error_of(home) -> str:
    """Why the shipper's sink does not deliver."""
    from hookstream.delivery.state import read

    sinks = read(home.path / "spool")["sinks"].values()
    return " ".join(one.get("last_error", "") for one in sinks)


def segments(folder: Path) -> list[int]:
    return [int(one.stem, 16) for one in folder.glob("*.seg")]


def read_of(home) -> int:
    from hookstream.delivery.state import read

    return read(home.path / "spool").get("read", 0)


def test_the_shipper_needs_the_standard_library_only(home, centre) -> None:
    """A laptop has Python and nothing else."""
    path = home.path / "agent-hooks.jsonl"
    path.write_bytes(line(1) + b"\n")
    source = Path(__file__).parents[3] / "src"
    words = [centre.url, str(path), "--state", str(home.path / "spool"), "--once"]
    code = f"import sys; sys.path.insert(0, {str(source)!r})\n"
    code += "from hookstream.delivery.ship import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *words],
        env={**served(home), "HOOKSTREAM_TOKEN": TOKENS["laptop-1"]},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert log(centre, "laptop-1") == [line(1)]


def certificates(folder: Path) -> dict[str, str]:
    """A CA, a server certificate and one of a laptop, made for this test."""
    from datetime import UTC, datetime, timedelta
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    now = datetime.now(UTC)
    made: dict[str, str] = {}
    authority_key = ec.generate_private_key(ec.SECP256R1())
    authority = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test CA")])
    for name in ("ca", "server", "laptop"):
        is_ca = name == "ca"
        key = authority_key if is_ca else ec.generate_private_key(ec.SECP256R1())
        subject = authority if is_ca else x509.Name(
            [x509.NameAttribute(NameOID.COMMON_NAME, f"{name}.corp.example")]
        )  # fmt: skip
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(authority)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        )
        if name == "server":
            names = [x509.IPAddress(ip_address("127.0.0.1"))]
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        data = builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        for kind, content in (("pem", data), ("key", private)):
            path = folder / f"{name}.{kind}"
            path.write_bytes(content)
            path.chmod(0o600)
            made[f"{name}.{kind}"] = str(path)
    return made


def test_a_client_certificate_names_the_machine(home) -> None:
    """Without one, and with a token that nobody knows, the line waits; nothing is dropped."""
    pem = certificates(home.path)
    (home.path / "machines").write_text("laptop-7 cert:laptop.corp.example\n")
    (home.path / "machines").chmod(0o600)
    fleet = home.path / "fleet"
    path = home.path / "agent-hooks.jsonl"
    path.write_bytes(line(1) + b"\n")
    options = {
        "machines": str(home.path / "machines"), "fleet": str(fleet), "socket": "off",
        "tls_cert": pem["server.pem"], "tls_key": pem["server.key"], "client_ca": pem["ca.pem"],
    }  # fmt: skip
    with Collector(home, **options) as centre:
        centre.fleet = fleet
        assert centre.url.startswith("https://")
        words = ["--ca-file", pem["ca.pem"]]
        without = shipper(home, centre, path, *words, token="gone")
        until(lambda: "HTTP 401" in error_of(home))
        without.kill()
        without.communicate()
        own = ["--cert-file", pem["laptop.pem"], "--key-file", pem["laptop.key"], "--once"]
        process = shipper(home, centre, path, *words, *own, token="gone")
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 0, said
        assert log(centre, "laptop-7") == [line(1)]


@pytest.mark.long
def test_a_small_fleet_with_kills_and_a_full_disk_loses_nothing() -> None:
    """The load test, small: it ends 1 where a line is missing, altered or out of order."""
    script = Path(__file__).parents[3] / "benchmarks" / "fleet" / "load.py"
    words = ["--machines", "20", "--rate", "200", "--seconds", "4", "--trouble", "1.5"]
    done = subprocess.run(
        [sys.executable, str(script), *words, "--kills", "0.02", "--linger", "0.5"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    cells = [cell.strip() for cell in done.stdout.split("|")]
    assert int(cells[2]) > 600
    assert cells[3:5] == ["0", "0"]
