# PawSignal. `make help` lists what can be done; everything else installs what it needs first.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LLM := .venv-llm
HEADS := .venv-heads
WORKERS ?= 2  # processes that tests run in; each has its own databases

.DEFAULT_GOAL := help
.PHONY: help setup run run-fake-model test test-llm train-heads check format lock browser clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

setup: $(STAMP) ## make .venv with everything pinned, and the command .venv/bin/pawsignal

$(STAMP): requirements/dev.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "PawSignal needs Python 3.11 ($(PYTHON) was not found). Set PYTHON=/path/to/python3.11."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(STAMP)

run: setup ## start the service with sample data on 127.0.0.1:8000
	$(BIN)/pawsignal seed-demo --if-empty
	$(BIN)/pawsignal serve

run-fake-model: setup ## the same with a fake model server behind it, on 127.0.0.1:9009
	$(BIN)/pawsignal seed-demo --if-empty
	$(BIN)/python -m tests.fakes.model_server & fake=$$!; trap 'kill $$fake' EXIT INT TERM; \
	  OPENAI_BASE_URL=http://127.0.0.1:9009/v1 OPENAI_API_KEY=fake PAWSIGNAL_MODEL=fake $(BIN)/pawsignal serve

test: setup ## all tests (SQLite always; PostgreSQL and Chromium when they are here)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

test-llm: setup $(LLM)/.installed ## the conversation suite against a real, small model (builds its server once, minutes)
	$(BIN)/python -m bench.real_model --python $(LLM)/bin/python

$(LLM)/.installed: requirements/llm.lock
	$(PYTHON) -m venv $(LLM)
	$(LLM)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/llm.lock
	@touch $(LLM)/.installed

train-heads: setup $(HEADS)/.installed ## train the heads that look at a message a second time (scikit-learn, two minutes)
	$(BIN)/python -m bench.train_heads $(HEADS)/lib/python3*/site-packages --write

$(HEADS)/.installed: requirements/heads.lock
	$(PYTHON) -m venv $(HEADS)
	$(HEADS)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/heads.lock
	@touch $(HEADS)/.installed

check: setup ## format, lint, strict types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## rewrite the code in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## pin every dependency again, with hashes
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	  --extra dev --output-file requirements/dev.lock pyproject.toml

clean: ## forget the environment and the caches, not your data
	rm -rf $(VENV) $(LLM) $(HEADS) .mypy_cache .ruff_cache .pytest_cache
