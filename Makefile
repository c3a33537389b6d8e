# Everything a fresh machine needs is done here: python3, a C++ compiler and make are enough.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
PYTHON ?= python3
JOBS ?= 2

venv := .venv
python := $(venv)/bin/python
athenan := $(venv)/bin/athenan
pip := $(python) -m pip -qq --disable-pip-version-check
pytest := $(python) -m pytest -n $(JOBS) --dist worksteal
core := CMakeLists.txt $(shell find cpp -not -path 'cpp/tests*' -not -path 'cpp/fuzz*' -not -name '*.md')

.PHONY: help install demo test test-slow bench lint format stubs pictures screenshots sanitize fuzz clean

help:  ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12
	@echo 'PYTHON=python3.12 chooses the Python, JOBS=8 the number of test processes.'
	@echo 'FUZZ_SECONDS=300 or FUZZ_RUNS=1000000 choose the length of each fuzzer.'

install: $(venv)/.installed  ## Set up .venv with athenan built and installed in it

demo: install  ## Learn a small game from its rules alone, and prove it by a match
	rm -rf runs/demo
	$(athenan) train $(demo_game) --run runs/demo --minutes 2 --device cpu \
	  --set evaluation.every_minutes=0.5 --set evaluation.opponent=$(demo_opponent) \
	  --set evaluation.search=ubfm-safe:expansions=50
	$(athenan) match runs/demo@expansions=50 $(demo_opponent) --matches 100
	@echo
	@echo 'It plays you:     $(athenan) serve runs/demo --open   (in a browser)'
	@echo '                  $(athenan) play --model runs/demo'
	@echo 'Its curves:       $(athenan) plot runs/demo'
	@echo 'Go on learning:   $(athenan) resume runs/demo --minutes 10'

demo_game := breakthrough:rows=6,columns=6
demo_opponent := mcts:iterations=500

test: install  ## Run the test suite
	$(pytest)

test-slow: install  ## Run the tests that take minutes
	$(pytest) -m slow

bench: install  ## Measure the speed of the games and of the searches
	$(python) benchmarks/games.py
	$(python) benchmarks/search.py
	$(python) benchmarks/evaluators.py
	$(python) benchmarks/selfplay.py --game hex:size=7 --game othello

lint: install  ## Check style and types
	$(venv)/bin/ruff check
	$(venv)/bin/ruff format --check
	$(venv)/bin/mypy
	$(venv)/bin/clang-format --dry-run -Werror $(sort $(wildcard cpp/*/*.h cpp/*/*.cpp benchmarks/*.cpp))

format: install  ## Put all files into the project's style
	$(venv)/bin/ruff check --fix
	$(venv)/bin/ruff format
	$(venv)/bin/clang-format -i $(sort $(wildcard cpp/*/*.h cpp/*/*.cpp benchmarks/*.cpp))

stubs: install  ## Write the types of the C++ core for Python
	$(python) -m nanobind.stubgen -q -m athenan._core -p cpp/bindings/stubs.pat -o python/athenan/_core.pyi

pictures: install  ## Draw the games for docs/games
	$(python) docs/make_pictures.py

screenshots: install  ## Take the pictures of the page for docs/web.md (needs chromium)
	$(python) docs/make_screenshots.py

sanitize: install sanitize-memory sanitize-threads  ## Run the C++ core under ASan, UBSan and TSan

fuzz: install fuzz-tools  ## Try to break the C++ core and the readers of files, for some minutes
	@rm -f build/fuzz/*.log
	@$(MAKE) --no-print-directory -k -j $(JOBS) $(cpp_fuzzers) $(python_fuzzers)
	@cat build/fuzz/*.log | awk '/^stat::number_of_executed_units/ { inputs += $$2 } \
	  END { print inputs " inputs without a finding" }'

clean:  ## Remove everything that was made, .venv too
	rm -rf $(venv) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# The environment. The build tools live in it, so that a changed C++ file recompiles that file only.
$(venv)/.tools: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'athenan needs Python 3.11 or newer; name one with PYTHON=python3.12' >&2; exit 2; }
	@command -v $${CXX:-c++} > /dev/null || \
	  { echo 'athenan needs a C++20 compiler (g++ or clang++), and there is none' >&2; exit 2; }
	@echo 'Setting up $(venv) (a few minutes, once)'
	$(PYTHON) -m venv $(venv)
	$(pip) install --upgrade pip
	$(pip) install -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

$(venv)/.installed: $(venv)/.tools $(core)
	$(pip) install -c constraints.txt --no-build-isolation --editable '.[test,lint]'
	@touch $@

# Sanitizers and fuzzers: builds of their own under build/.
.PHONY: sanitize-memory sanitize-threads fuzz-tools
cmake := $(venv)/bin/cmake
built = $(cmake) -S . -B build/$(1) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(venv)/bin/ninja \
  -DATHENAN_SANITIZE=$(2) $(3) && $(cmake) --build build/$(1)
site_packages = $(shell $(python) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
comma := ,

# -S leaves the editable install out of sight; the sanitized core comes from build/memory/site.
sanitize-memory: install
	$(call built,memory,"address$(comma)undefined",-DATHENAN_CPP_TESTS=ON \
	  -DPython_EXECUTABLE=$(CURDIR)/$(python))
	$(venv)/bin/ctest --test-dir build/memory --output-on-failure -j $(JOBS)
	rm -rf build/memory/site && mkdir build/memory/site && cp -r python/athenan build/memory/site
	$(cmake) --install build/memory --prefix build/memory/site
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/memory/site:$(site_packages) \
	  $(python) -S -m pytest -n $(JOBS) --dist worksteal --capture=sys $(sanitized_tests)

sanitized_tests := tests/conformance tests/search/test_misuse.py tests/search/test_failing_matches.py \
  tests/games/test_lying_games.py tests/fuzz/test_programs.py

sanitize-threads: install
	$(call built,threads,thread,-DATHENAN_CPP_TESTS=ON -DATHENAN_PYTHON=OFF)
	$(venv)/bin/ctest --test-dir build/threads --output-on-failure -R threads

# One fuzzer per file of cpp/fuzz, by libFuzzer, and per topic of tests/fuzz, by Atheris, which is
# libFuzzer too. What they find lies in build/fuzz/findings; their corpora grow from run to run.
FUZZ_SECONDS ?= $(if $(FUZZ_RUNS),0,30)
cpp_fuzzers := $(patsubst cpp/%.cpp,%,$(filter-out cpp/fuzz/main.cpp,$(wildcard cpp/fuzz/*.cpp)))
python_fuzzers := $(addprefix fuzz/,models configs metrics checkpoints exports programs)
.PHONY: $(cpp_fuzzers) $(python_fuzzers)

fuzz-tools: install
	@echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' | \
	  clang++ -x c++ -fsanitize=fuzzer -o /dev/null - 2> /dev/null || \
	  { echo 'fuzzing needs clang++ with libFuzzer (Debian: clang libclang-rt-14-dev)' >&2; exit 2; }
	@$(pip) install 'atheris>=3' || \
	  { echo 'fuzzing needs Atheris, which is not to be had for this Python' >&2; exit 2; }
	$(call built,fuzz,"fuzzer-no-link$(comma)address$(comma)undefined",-DATHENAN_FUZZERS=ON \
	  -DATHENAN_PYTHON=OFF -DCMAKE_CXX_COMPILER=clang++)

fuzzed = mkdir -p build/$@/corpus build/fuzz/findings; \
  $(1) -max_total_time=$(FUZZ_SECONDS) -runs=$(or $(FUZZ_RUNS),-1) -timeout=10 -rss_limit_mb=4096 \
  -entropic=0 -print_final_stats=1 -artifact_prefix=build/fuzz/findings/$(@F)- build/$@/corpus \
  > build/$@.log 2>&1 || { tail -n 40 build/$@.log; echo 'build/$@.log: a finding'; exit 1; }; \
  sed -n 's/^stat::number_of_executed_units: */$(@F): /p' build/$@.log

$(cpp_fuzzers):
	@$(call fuzzed,build/fuzz/fuzz_$(@F))

$(python_fuzzers):
	@$(call fuzzed,PYTHONPATH=tests $(python) -m fuzz $(@F))
