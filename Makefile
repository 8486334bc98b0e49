# Everything a newcomer or CI needs. Only Python 3.11 with venv has to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help play test check bench docs clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

play: $(VENV)/installed ## play in the terminal
	@$(BIN)/skerry play $(ARGS)

test: check $(VENV)/installed-bench ## run every check that CI runs
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: $(VENV)/installed-dev ## lint, formatting, types and import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-bench ## measure speed beside OpenSpiel
	$(BIN)/skerry bench --peers --sizes $(ARGS)

docs: $(VENV)/installed ## draw the boards of the docs anew
	$(BIN)/python docs/pictures.py

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "skerry needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "the venv module is missing: apt-get install python3-venv"; exit 1; }

# One stamp per extra, so that playing does not install what only tests need.
$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-%: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev$(if $(filter bench,$*),$(comma)bench)]'
	@touch $@ $(VENV)/installed

comma := ,
