# Code Mode for Jupyter. `make help` lists the targets.
# Everything Python goes into .venv; stamp files there make a second run quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED ?= ../shared
DATA := conformance model-view field-cases vectors
CODEX_PACKAGE := @openai/codex@0.171.0-linux-x64
CODEX ?= $(wildcard .build/codex/node_modules/@openai/codex/vendor/*/bin/codex-code-mode-host)
export CODEMODE_CODEX_HOST ?= $(abspath $(CODEX))

# Tests start hundreds of processes; without its byte code kept, each compiles what it imports.
unexport PYTHONDONTWRITEBYTECODE

# From Debian: the browser with a font, what Playwright's driver is linked with, and the tour's git.
TEST_PACKAGES := chromium fonts-dejavu-core libatomic1 git

# What an editable install is made from: Python is used in place, while the extension is built and
# copied. Folders are named too, for a file that was removed.
EXTENSION := labextension/.yarnrc.yml $(wildcard labextension/*.json labextension/yarn.lock) \
    $(shell find labextension/src labextension/style -not -path '*/schemas*') \
    $(wildcard kernel/codemode_kernel/schemas/*.json)
INSTALLED_FROM := pyproject.toml $(wildcard kernel/kernelspec/*) $(EXTENSION)

# The extension's own tools; Node is one of the packages in .venv.
JLPM := cd labextension && PATH="$(abspath $(BIN)):$$PATH" jlpm

ROOT_FLAG := $(if $(filter 0,$(shell id -u)),--allow-root)
HEADLESS := $(if $(filter Linux,$(shell uname)),$(if $(DISPLAY)$(WAYLAND_DISPLAY),,--no-browser))

.PHONY: help lab test check bench lint format build schemas data codex clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

# notebooks/codemode_config.json has the tour's one gate rule; README.md, "The gate", explains it.
lab: export JUPYTER_CONFIG_PATH := $(CURDIR)/notebooks$(if $(JUPYTER_CONFIG_PATH),:$(JUPYTER_CONFIG_PATH))
lab: $(VENV)/.lab ## open the tour notebook in JupyterLab
	$(BIN)/jupyter lab $(ROOT_FLAG) $(HEADLESS) --LabApp.default_url=/lab/tree/notebooks/01-tour.ipynb

test: $(VENV)/.dev ## run every test, the browser ones too (PYTEST_ARGS="-k word" narrows it)
	scripts/debian-packages $(TEST_PACKAGES)
	scripts/run-tests $(BIN)/pytest $(PYTEST_ARGS)

check: $(VENV)/.dev ## run the quick tests, about a minute and a half
	$(BIN)/pytest -q -n 2 --dist loadfile -m "not slow and not browser" $(PYTEST_ARGS)

bench: $(VENV)/.dev ## measure against ipykernel and, with CODEX=PATH, the Codex host
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

lint: $(VENV)/.dev ## ruff and mypy, eslint and prettier
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(JLPM) lint

format: $(VENV)/.dev ## rewrite the code as ruff, eslint and prettier like it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(JLPM) format

watch: $(VENV)/.dev ## rebuild the extension at every change; reload JupyterLab's page to see it
	cd kernel && ../$(BIN)/jupyter-builder develop codemode_kernel --overwrite
	$(JLPM) watch

build: $(VENV)/.dev ## sdist and wheel into dist/
	rm -rf dist
	$(BIN)/python -m build

schemas: $(VENV)/.dev ## write the JSON Schemas of what the kernel gives to others
	$(BIN)/python -m codemode_kernel.schemas

data: ## refresh tests/data from $(SHARED)
	@for part in $(DATA); do \
	    rm -rf tests/data/$$part && cp -R --no-preserve=mode $(SHARED)/$$part tests/data/$$part || exit 1; \
	done

codex: ## fetch the Codex CLI's own host into .build/codex, for comparison (large)
	npm install --no-save --no-audit --no-fund --prefix .build/codex $(CODEX_PACKAGE)
	@find $(CURDIR)/.build/codex -name codex-code-mode-host -type f

clean: ## remove what the other targets made
	rm -rf $(VENV) .build dist test-results .mypy_cache .ruff_cache .pytest_cache
	rm -rf kernel/codemode_kernel/labextension $(addprefix labextension/,node_modules .yarn lib lib-test src/schemas)

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -c 'import ensurepip' 2>/dev/null || scripts/debian-packages python3-venv
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.lab: $(VENV)/.made $(INSTALLED_FROM)
	$(BIN)/pip install --quiet --editable '.[lab]'
	touch $@

$(VENV)/.dev: $(VENV)/.made $(INSTALLED_FROM)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.lab
