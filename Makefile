# make demo: sets everything up and judges the dialogues that ship. make test: the test suite.
# make fuzz N=100000: the property tests on so many cases.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SETUP := pyproject.toml constraints.txt hatch_build.py

.PHONY: demo test fuzz lint clean

demo: $(VENV)/.run
	$(BIN)/evidial demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

# The contract's algebra on N composed talks; a counterexample is made simple and printed as a dialogue.
N ?= 10000
LANGUAGE ?= en zh
fuzz: $(VENV)/.dev
	EVIDIAL_FUZZ=$(N) EVIDIAL_FUZZ_LANGUAGE="$(LANGUAGE)" $(BIN)/python -m pytest -q -x tests/anchors/test_anchors_algebra.py

# ruff, the layers (import-linter) and the rule files
lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/evidial lint

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# Editable, so that an edit to the rules or the code needs no new install.
$(VENV)/.run: $(SETUP) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: $(SETUP) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,cluster,report,app]'
	touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) build dist evidial-demo .pytest_cache .hypothesis .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
