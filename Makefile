# Everything a person or a machine does with this repository. Needs Python 3.11 or newer and make.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
TRAIN := .venv-train
CORES := $(shell getconf _NPROCESSORS_ONLN)
# Wheels only, but for the project itself: a missing wheel is an error here, never a compiler run.
PIP := -m pip --disable-pip-version-check --quiet install --only-binary :all: --constraint constraints.txt

# Training stays on this machine: no version, font or analytics look-up, nothing installed behind
# our back, settings kept inside the environment.
TRAIN_ENV := YOLO_OFFLINE=1 YOLO_AUTOINSTALL=0 YOLO_VERBOSE=0 \
	YOLO_CONFIG_DIR=$(CURDIR)/$(TRAIN)/settings OMP_NUM_THREADS=$(CORES)

.PHONY: help setup setup-dev setup-train demo test cover check format test-train bench soak train evaluate
.DELETE_ON_ERROR:

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: $(VENV)/.installed ## the environment the program runs in
setup-dev: $(VENV)/.installed-dev ## the same with tests, linter and type checker
setup-train: $(TRAIN)/.installed ## the environment with torch, ultralytics and the renderer (6 GB)

demo: setup ## play a recorded game on the live dashboard (NO_BROWSER=1: no window)
	NO_BROWSER=$(NO_BROWSER) $(VENV)/bin/arbitre demo

test: setup-dev ## all tests that need no training environment
	$(VENV)/bin/python -m pytest -m "not soak" $(ARGS)

cover: setup-dev ## which lines and branches of the engine and the eyes no test runs
	$(VENV)/bin/python -m pytest -m "not soak" --cov=engine --cov=vision --cov-branch \
		--cov-report=term-missing:skip-covered --cov-fail-under=90 $(ARGS)

check: setup-dev ## linter, format and types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

format: setup-dev ## lay the code out
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

test-train: setup-train ## two training steps, export, and the same boxes from both runtimes
	$(TRAIN_ENV) $(TRAIN)/bin/python -m pytest tests/train $(ARGS)

bench: setup ## times and memory against their limits, into models/results/bench.csv
	$(VENV)/bin/arbitre-lab benchmark $(ARGS)

soak: setup-dev ## the tests that run long
	$(VENV)/bin/python -m pytest -m soak $(ARGS)

train: setup-train ## train the networks anew (hours)
	$(TRAIN_ENV) $(TRAIN)/bin/arbitre-lab train $(or $(ARGS),all)

evaluate: setup-train ## measure the networks, into models/results/
	$(TRAIN_ENV) $(TRAIN)/bin/arbitre-lab evaluate $(ARGS)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(TRAIN)/bin/python:
	$(PYTHON) -m venv $(TRAIN)

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(VENV)/bin/python $(PIP) --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(VENV)/bin/python $(PIP) --editable ".[dev]"
	touch $@

$(TRAIN)/.installed: pyproject.toml constraints.txt .ci/train_requirements.py | $(TRAIN)/bin/python
	$(TRAIN)/bin/python .ci/train_requirements.py > $(TRAIN)/requirements.txt
	$(TRAIN)/bin/python $(PIP) --requirement $(TRAIN)/requirements.txt
	$(TRAIN)/bin/python $(PIP) --no-deps --editable .
	$(TRAIN)/bin/python -c "import cv2"
	touch $@
