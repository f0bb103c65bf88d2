# The commands of the README. Each installs what it needs once and starts at once after that.
WORKERS ?= auto
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --constraint constraints.txt
# Ten times as fast as pip, which installs where uv cannot be had or cannot reach what pip can.
UV := $(BIN)/pip install --quiet uv && $(BIN)/uv pip install --quiet --python $(BIN)/python --no-config --no-sources --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest -p no:logging --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder --durations 25 --durations-min 3

# Installed already, but with a Python that is gone, or another one is asked for: make PYTHON=python3.12 setup
BROKEN := $(shell test ! -e .venv/installed || $(BIN)/python -c '' 2>/dev/null || echo yes)
AGAIN := $(if $(BROKEN)$(findstring command,$(origin PYTHON)),again)

.PHONY: again setup study demo test test-fast evidence lint types docs wheels bench mutants cuda clean

setup: .venv/installed # the first check shows that it works, has Python compile it all and keeps the untouched stubs
	@echo 'setup: trying it'
	@$(BIN)/grader check >/dev/null || test $$? -ne 3
	@echo 'Ready. Now: source .venv/bin/activate, then: grader study'

study: .venv/installed # the course in your browser
	@$(BIN)/grader study

demo: .venv/installed
	@$(BIN)/grader grade examples/class --exercise core --out results || { test $$? -eq 3 && \
	echo 'This machine cannot confine it, but this class is our own, so it is graded all the same.' && \
	$(BIN)/grader grade examples/class --exercise core --out results --unsafe-no-sandbox; }

test: .venv/installed-test
	$(PYTEST)

test-fast: .venv/installed-test # what takes long is marked `slow`; `make test` runs it too
	$(PYTEST) -m 'not slow'

evidence: .venv/installed-test # all figures of docs/judgement.md anew: before a release, and when the engine judges otherwise
	$(BIN)/grader lint --evidence all --seeds 2
	$(PYTEST) --whole tests/kit/course_content/test_suites.py tests/kit/course_content/test_wrong_files.py

lint: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: .venv/installed-test
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/kit/mypy.ini

docs: .venv/installed-test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo 'The docs as a site: build/site/index.html'

wheels: .venv/installed-wheels # the engine and the course, as wheels and sources in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m build --outdir dist packaging/attention-kit
	$(BIN)/twine check --strict dist/*

bench: .venv/installed-bench
	$(BIN)/python benchmarks/bench.py

cuda: .venv/installed-cuda # on a machine with an NVIDIA GPU; writes the CUDA columns into docs/
	$(BIN)/python benchmarks/gpu.py

mutants: .venv/installed-mutants
	$(BIN)/python tests/kit/mutants.py

.venv/installed: pyproject.toml constraints.txt $(AGAIN)
	@PYTHON='$(PYTHON)' ./install.sh
	@touch $@

.venv/installed-test: .venv/installed
	{ $(UV) --editable '.[test,oracles]'; } || $(PIP) --editable '.[test,oracles]' || \
	{ $(PIP) --editable '.[test]' && echo 'tests against transformers and onnx will be skipped'; }
	touch $@

.venv/installed-wheels: .venv/installed
	$(PIP) build twine
	touch $@

.venv/installed-bench: .venv/installed
	$(PIP) --editable '.[nbgrader]'
	touch $@

.venv/installed-cuda: .venv/installed-test
	$(PIP) --editable '.[cuda,test]'
	touch $@

.venv/installed-mutants: .venv/installed-test
	$(PIP) --editable '.[mutants]'
	touch $@

clean:
	rm -rf .venv results build dist *.egg-info
