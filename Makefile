# Everything one does with a checkout of rulescript. `make` alone lists it.
#
# Each target makes its own virtual environment in .venv when there is none, or when the one there was made
# by another Python. Use another Python with `make test PYTHON=python3.12`. Written for GNU make 3.81, which is
# what macOS has.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= 2
# Every process that a test starts imports rulescript: with bytecode on disk that takes a tenth of the time, so these
# two write it even where the environment forbids it.
PYTEST := PYTHONDONTWRITEBYTECODE= HYPOTHESIS_PROFILE=fast $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

# The version of the Python in use and of the one in .venv; when they differ, .venv is made anew.
VERSION := -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
WANTED := $(shell $(PYTHON) $(VERSION))
MADE_BY := $(shell $(BIN)/python $(VERSION))

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-browser bench strength fuzz lint docs-check references clean check-python stale

help: ## list what there is to make
	@echo "rulescript: what there is to make"
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

demo: $(STAMP) ## a short tour: check, play, test and print a game
	@$(BIN)/python -m rulescript.cli.demo

test: lint ## lint, types and all tests, quickly
	@$(PYTEST)

test-long: $(STAMP) ## what takes minutes: all forms of every game with every pair of options
	@$(PYTEST) -m long

test-browser: $(STAMP) ## look at a printed reference with a real browser (needs chromium, and npm for axe-core)
	@[ -f node_modules/axe-core/axe.min.js ] || npm install --silent --no-save --no-package-lock axe-core
	@RULESCRIPT_BROWSER=$${RULESCRIPT_BROWSER:-1} $(BIN)/python -m pytest -q -p no:cacheprovider tests/docgen/test_browser.py

references: $(STAMP) ## print the references of all games into references/
	@$(BIN)/python -m rulescript.docgen.references references docs/cookbook/05-combat-table.rules.md

lint: $(STAMP) ## style and types
	@$(BIN)/ruff check --quiet --output-format=concise .
	@$(BIN)/ruff format --quiet --check . || { echo "some files are not formatted: run $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/mypy --no-error-summary

bench: $(STAMP) ## how fast it is
	@$(BIN)/python -m tests.benchmarks

strength: $(STAMP) ## how well the bots play, up to an hour a game (ARGS=--quick: a few games)
	@$(BIN)/python -m tests.benchmarks.strength $(ARGS)

fuzz: $(STAMP) ## throw damaged and made-up text at it
	@$(BIN)/python -m tests.fuzz

docs-check: $(STAMP) ## the examples in the docs work, and the paths they name exist
	@if [ -d tests/docs ]; then $(BIN)/python -m pytest -q tests/docs; else echo "there is no tests/docs yet"; fi

clean: ## take away everything that was made here, .venv too
	@rm -rf $(VENV) node_modules build dist references .demo .fuzz .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	@find rulescript tests -name __pycache__ -type d -prune -exec rm -rf {} +

check-python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
	  echo "rulescript needs Python 3.11 or newer, and there is no '$(PYTHON)' here." >&2; \
	  echo "Install one, or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "rulescript needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1)." >&2; \
	  echo "Name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }

# Installed anew when pyproject.toml changes, or when .venv belongs to another Python or is broken.
ifneq ($(MADE_BY),$(WANTED))
$(STAMP): stale
endif

$(STAMP): pyproject.toml | check-python
	@if [ "$(MADE_BY)" != "$(WANTED)" ]; then \
	  echo "making $(VENV) with Python $(WANTED)"; rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); fi
	@echo "installing rulescript and what it needs"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)
