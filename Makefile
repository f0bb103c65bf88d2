# The commands of the README. Each installs what it needs once and starts at once after that.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test lint types bench mutants clean

setup: .venv/installed
	@echo 'Ready. Now: source .venv/bin/activate, then: grader watch'

demo: .venv/installed
	$(BIN)/grader grade examples/class --exercise core --out results

test: .venv/installed-test
	$(BIN)/python -m pytest

lint: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: .venv/installed-test
	$(BIN)/mypy

bench: .venv/installed-bench
	$(BIN)/python benchmarks/bench.py

mutants: .venv/installed-mutants
	$(BIN)/python tests/kit/mutants.py

.venv/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt torch numpy
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	touch $@

.venv/installed-test: .venv/installed
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[test]'
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[oracles]' || echo 'tests against transformers and onnx will be skipped'
	touch $@

.venv/installed-bench: .venv/installed
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[nbgrader]'
	touch $@

.venv/installed-mutants: .venv/installed-test
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[mutants]'
	touch $@

clean:
	rm -rf .venv results build *.egg-info
