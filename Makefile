# Two commands do everything on a fresh machine with Python 3.11 and make: `make book` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
INSTALLED := .venv/.installed
RELEASED := _build/.released
# One thread per process: several processes run at a time, and more threads than cores make all of them crawl.
export OMP_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What make installs comes first, whatever environment the caller has active.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help book serve test quick demo release bench clean

help: ## Show this list
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' Makefile

$(INSTALLED): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed, found '$(PYTHON)'. Say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up .venv (once, a few minutes: torch is large)"
	@test -x $(BIN)/python || "$(PYTHON)" -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --progress-bar on --constraint constraints.txt "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet --progress-bar on --constraint constraints.txt --editable '.[dev]'
	@touch $@

# homeworks/ is generated from solutions/; what is committed there is what this writes.
$(RELEASED): $(INSTALLED) nbgrader_config.py $(wildcard solutions/*/*.ipynb) $(wildcard homeworks/*/*.ipynb) $(wildcard lmkit/grading/*.py)
	@$(BIN)/python -m lmkit.grading.release
	@mkdir -p _build && touch $@

release: $(RELEASED) ## Write the students' notebooks in homeworks/ from solutions/

book: $(RELEASED) ## Build the book with its homework release; prints where to open it
	@$(BIN)/python book/build.py

serve: book ## Build the book and serve it at http://127.0.0.1:8000
	@$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory _build/html

test: book ## Check the style, run every test, compare every chapter's output with a second run
	@$(BIN)/ruff format --check . && $(BIN)/ruff check .
	@$(BIN)/python -m pytest -n auto --dist loadgroup tests
	@$(BIN)/python -m pytest -n auto --dist loadfile --nbval --nbval-cell-timeout 120 -p no:cacheprovider _build/notebooks

quick: $(INSTALLED) ## Run only the fast tests
	@$(BIN)/python -m pytest -n auto -m 'not slow' tests

demo: $(INSTALLED) ## Autograde a class of made-up students with nbgrader and print their grades
	@$(BIN)/python -m lmkit.grading.demo

bench: $(INSTALLED) ## Measure against the peers; a table, and _build/bench.json
	@$(BIN)/python -m tests.bench

clean: ## Remove everything that make produced, the environment included
	rm -rf .venv _build lmkit.egg-info .pytest_cache .ruff_cache .hypothesis
