# gpuwise: `make help` lists what there is.
.DEFAULT_GOAL = all
BUILD ?= build
CC ?= cc
JOBS ?= $(shell nproc)

WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wcast-align -Wundef \
	-Wformat=2 -Wwrite-strings -Wvla -Wswitch-enum -Wunused-macros -Wdouble-promotion -Werror
HARDENING = -fstack-protector-strong -fPIE -D_FORTIFY_SOURCE=2
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPTIMIZE ?= -O2 -g
CPPFLAGS += -D_GNU_SOURCE -Ihandlers/engine -I.
CFLAGS += -std=c17 $(OPTIMIZE) $(WARNINGS) $(HARDENING) -MMD -MP
LDFLAGS += -pie -Wl,-z,relro,-z,now
LDLIBS = -lmicrohttpd -luv -ljansson -lsqlite3 -lz -lcrypt -lpthread -lm

ENGINE = $(wildcard handlers/engine/*.c)
HANDLERS = $(wildcard handlers/*.c)
DB = $(wildcard db/*.c)
SERVER = $(filter-out server/gen_embed.c server/main.c,$(wildcard server/*.c))
LIBRARY = $(ENGINE) $(HANDLERS) $(DB) $(SERVER)
GENERATED = $(BUILD)/gen/migrations.c $(BUILD)/gen/static.c $(BUILD)/gen/commit.c
LIBRARY_OBJECTS = $(LIBRARY:%.c=$(BUILD)/%.o) $(GENERATED:.c=.o)

# The fitting program: its parts as a library of their own, so that tests can have them.
FIT_OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(filter-out server/fit/main.c,$(wildcard server/fit/*.c)))
TEST_SOURCES = $(wildcard tests/*/test_*.c)
TEST_PROGRAMS = $(TEST_SOURCES:%.c=$(BUILD)/%)

# Harnesses for libFuzzer; with replay.c instead of libFuzzer they check the kept inputs in `make test`.
HARNESSES = $(wildcard tests/fuzz/fuzz_*.c)
FUZZERS = $(HARNESSES:%.c=$(BUILD)/%)
REPLAYERS = $(HARNESSES:tests/fuzz/fuzz_%.c=$(BUILD)/tests/fuzz/replay_%)
FORMATTED = $(wildcard $(foreach d,server server/fit handlers handlers/engine db tests tests/*,$(d)/*.c $(d)/*.h))

# The same sources with other compilers and flags, each in a folder of its own.
ASAN = BUILD=$(BUILD)/asan OPTIMIZE="-O1 -g $(SANITIZE)"
TSAN = BUILD=$(BUILD)/tsan OPTIMIZE="-O1 -g -fsanitize=thread -fno-omit-frame-pointer"
FUZZ = BUILD=$(BUILD)/fuzz CC=clang OPTIMIZE="-O1 -g -fsanitize=fuzzer-no-link $(SANITIZE)"
PARALLEL = $(MAKE) -s -j$(JOBS)
export GPUWISE_BUILD = $(abspath $(BUILD))

PREFIX ?= /usr/local

# What `gpuwise version` calls these sources: by git, where they have their history.
COMMIT ?= $(shell [ -e .git ] && git describe --always --dirty --abbrev=12 2>/dev/null)

# The open half of the measurements, and the program that scores predictions of it.
TRUTH ?= ../shared/ground-truth
SCORE ?= ../shared/score/score.py
DATE ?= # of a fit, as 2026-11-30; none: that of the last fit stays

.PHONY: all help run test tsan check torture bench accuracy fit image image-test deps format lint install clean
.PHONY: programs units fuzzers FORCE
all: $(BUILD)/gpuwise $(BUILD)/gpuwise.1 ## builds the program, build/gpuwise, and its manual page

help: ## prints this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

run: ## installs what is missing, builds, creates the database, serves on 127.0.0.1:8080
	@tests/deps.sh run
	@$(PARALLEL) all
	$(BUILD)/gpuwise serve

test: ## installs what is missing, runs every test under the address and undefined behaviour sanitizers
	@tests/deps.sh run test
	@$(PARALLEL) all $(BUILD)/fit tests/node_modules/.package-lock.json
	@$(PARALLEL) $(ASAN) programs
	@tests/run.sh $(BUILD)/asan

tsan: ## runs the tests of workers, publisher and sockets under the thread sanitizer
	@tests/deps.sh run test
	@$(PARALLEL) $(TSAN) programs
	@tests/run.sh $(BUILD)/tsan server api

check: tsan ## tsan, lint, 20 seconds of fuzzing per harness, and the container
	@tests/deps.sh run test check image
	@$(PARALLEL) all
	@$(PARALLEL) $(FUZZ) fuzzers
	@TEST_SECONDS_MAX=1500 tests/run.sh $(BUILD) tests/lint/lint.sh tests/fuzz/fuzz.sh tests/image/image-test.sh

torture: ## half an hour: long fuzzing, long load on the sanitized program
	@tests/deps.sh run test check
	@$(PARALLEL) $(ASAN) programs
	@$(PARALLEL) $(FUZZ) fuzzers
	@TEST_SECONDS_MAX=3600 FUZZ_SECONDS=600 LOAD_SECONDS=600 tests/run.sh $(BUILD)/asan tests/fuzz/fuzz.sh tests/torture/load.mjs

bench: all ## requests a second and CPU a request beside nginx with a static file
	@tests/bench/bench.sh $(BUILD)/gpuwise

accuracy: all ## scores predictions of the measurements in TRUTH with SCORE, prints the table
	@tests/deps.sh run accuracy
	@tests/accuracy/accuracy.sh $(BUILD)/gpuwise "$(TRUTH)" "$(SCORE)" tests/accuracy/score.txt

fit: $(BUILD)/fit ## fits migrations/calibration.csv to the measurements in TRUTH, cross-validates
	@$(BUILD)/fit run "$(TRUTH)" migrations/calibration.csv tests/accuracy/cross_validation.txt "$(DATE)"
	@$(PARALLEL) all $(BUILD)/fit

image: ## builds the container image gpuwise with docker or podman
	@tests/image/image.sh

image-test: ## builds and runs the container on Debian 13, without a Docker engine
	@tests/deps.sh test image
	@TEST_SECONDS_MAX=1500 tests/run.sh $(BUILD) tests/image/image-test.sh

deps: ## installs the Debian and npm packages of all targets
	@tests/deps.sh run test check image
	@$(MAKE) -s tests/node_modules/.package-lock.json

format: ## lays out the C files with clang-format
	@tests/deps.sh check
	@clang-format -i $(FORMATTED)

lint: ## layout, compiler warnings of clang, clang-tidy, cppcheck, shellcheck
	@tests/deps.sh run check
	@TEST_SECONDS_MAX=1500 tests/run.sh $(BUILD) tests/lint/lint.sh

install: all ## installs program and manual page below DESTDIR and PREFIX (/usr/local)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/doc/gpuwise"
	install -m 0755 $(BUILD)/gpuwise "$(DESTDIR)$(PREFIX)/bin/gpuwise"
	install -m 0644 $(BUILD)/gpuwise.1 "$(DESTDIR)$(PREFIX)/share/man/man1/gpuwise.1"
	install -m 0644 LICENSE README.md "$(DESTDIR)$(PREFIX)/share/doc/gpuwise"

clean: ## removes what was built
	rm -rf $(BUILD)

programs: all $(BUILD)/fit $(TEST_PROGRAMS) $(REPLAYERS)

# The C tests alone: all that is needed is what `make` needs, and prove. The container's test stage uses it.
units: programs
	prove --exec tests/run_one.sh $(sort $(TEST_PROGRAMS) $(REPLAYERS))

fuzzers: $(FUZZERS)

FORCE:

tests/node_modules/.package-lock.json: tests/package-lock.json tests/.npmrc
	cd tests && npm ci --no-progress --loglevel=error && touch node_modules/.package-lock.json

$(BUILD)/gpuwise: $(BUILD)/server/main.o $(BUILD)/libgpuwise.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/gpuwise.1: $(BUILD)/gpuwise
	$< man > $@.tmp && mv $@.tmp $@

$(BUILD)/libgpuwise.a: $(LIBRARY_OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/libfit.a: $(FIT_OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/fit: $(BUILD)/server/fit/main.o $(BUILD)/libfit.a $(BUILD)/libgpuwise.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/gen_embed: server/gen_embed.c handlers/engine/hash.h
	@mkdir -p $(@D)
	$(CC) -std=c17 -O1 -Wall -Wextra -Werror -o $@ $<

$(BUILD)/gen/migrations.c: $(BUILD)/gen_embed $(sort $(wildcard migrations/*))
	@mkdir -p $(@D)
	$(BUILD)/gen_embed EMBEDDED_MIGRATION $(filter-out $<,$^) > $@.tmp && mv $@.tmp $@

$(BUILD)/gen/static.c: $(BUILD)/gen_embed $(sort $(wildcard static/*.*))
	@mkdir -p $(@D)
	$(BUILD)/gen_embed EMBEDDED_STATIC $(filter-out $<,$^) > $@.tmp && mv $@.tmp $@

$(BUILD)/gen/commit.c: FORCE
	@mkdir -p $(@D)
	@printf '#include "server/version.h"\nconst char VERSION_COMMIT[] = "%s";\n' "$(COMMIT)" > $@.tmp
	@if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -O0 -g0 -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/tests/fit/%: $(BUILD)/tests/fit/%.o $(BUILD)/libfit.a $(BUILD)/libgpuwise.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libgpuwise.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/libgpuwise.a
	$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(BUILD)/libgpuwise.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.SECONDARY:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
