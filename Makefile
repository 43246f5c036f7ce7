SHELL := /bin/bash
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/node_modules/.bin:$(PATH)
STAMP := node_modules/.stamp
MANIFESTS := package.json pnpm-workspace.yaml pnpm-lock.yaml scripts/bootstrap.sh $(wildcard services/*/package.json shared/*/package.json infra/*/package.json patches/*)

.DEFAULT_GOAL := help
.PHONY: help install playground studio demo images package compose compose-down test test-full test-long debian-packages nats-versions flagd frameworks async-graphql helm oldest-node fuzz hunt hunt-attacks faults drill scale bench worlds plans-versus beside-library beside-one-server written check lint typecheck format clean

help: ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(STAMP): $(MANIFESTS)
	@scripts/bootstrap.sh
	@pnpm install --frozen-lockfile --reporter=append-only
	@touch $@

# The page that routers serve for trying operations.
PLAYGROUND := shared/playground/dist/index.html
$(PLAYGROUND): $(STAMP) $(shell find shared/playground/src shared/trace-viewer/src shared/operation-views/src shared/incremental-delivery/src shared/event-streams/src shared/rollouts/src shared/built-page/src -type f)
	@node shared/playground/src/main.ts

# The page that registries serve at /studio.
STUDIO := shared/studio/dist/index.html
$(STUDIO): $(STAMP) $(shell find shared/studio/src shared/operation-views/src shared/trace-viewer/src shared/values/src shared/built-page/src shared/contracts/src -type f)
	@node shared/studio/src/main.ts

playground: $(PLAYGROUND) ## build the page that a router serves at / in dev mode, for trying operations

studio: $(STUDIO) ## build the page that a registry serves at /studio, on which people see and change graphs

install: $(STAMP) $(PLAYGROUND) $(STUDIO) ## set everything up under this folder, with `switchyard` in .tools/bin

demo: $(STAMP) $(PLAYGROUND) $(STUDIO) ## run a federated graph of real subgraphs with a feature flag, and print what to try
	@node infra/demo/src/main.ts $(DEMO_ARGS)

test: $(STAMP) ## run the tests: four to eight minutes on two cores, no containers, no browser
	@scripts/servers.sh
	@node scripts/run-tests.ts

test-full: $(STAMP) $(PLAYGROUND) $(STUDIO) ## all of `test`, and the long runs: every command, faults, load, containers, a browser, subgraph frameworks
	@$(SIDE_BY_SIDE) $(TEST_PROGRAMS)
	@node scripts/run-tests.ts --full

test-long: $(STAMP) $(PLAYGROUND) $(STUDIO) ## all of `test-full`, with whole lists of cases and long draws where the others take samples (an hour and more)
	@$(SIDE_BY_SIDE) $(TEST_PROGRAMS) async-graphql
	@node scripts/run-tests.ts --long

# What the long runs need on the machine. All but the packages of Debian is downloaded and built below this folder.
TEST_PROGRAMS := debian-packages nats-versions flagd frameworks helm oldest-node
debian-packages:
	@scripts/servers.sh
	@scripts/browser.sh
	@scripts/containers.sh
nats-versions flagd frameworks async-graphql helm oldest-node: $(STAMP)
	@scripts/$@.sh

# Make for targets that do not need each other; each shows what it wrote when it is done.
SIDE_BY_SIDE = $(MAKE) --no-print-directory --jobs=4 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

package: $(STAMP) ## write an npm package with everything in it, below .package; see docs/install.md
	@node --disable-warning=ExperimentalWarning infra/package/src/main.ts

images: ## build the container images (NODE_IMAGE=… for another base); see docs/docker.md
	@infra/docker/build-images.sh

compose: ## run everything in containers: two of each service behind a load balancer, with the demo's graph (DASHBOARDS=yes); see docs/docker.md
	@DASHBOARDS=$(DASHBOARDS) infra/docker/compose.sh up

compose-down: ## stop that; VOLUMES=yes also removes logs, keys and the graph
	@infra/docker/compose.sh down $(if $(VOLUMES),--volumes)

fuzz: $(STAMP) ## run the random tests with a seed from the clock, printed first (SEED=… RUNS=… TESTS=…)
	@node scripts/fuzz.ts $(TESTS)

hunt: $(STAMP) ## try inputs that once held a router up, and random ones (INPUTS=… SEED=… ONLY=…); see infra/hunt
	@node infra/hunt/src/main.ts $(if $(INPUTS),--inputs $(INPUTS)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only '$(ONLY)')

hunt-attacks: $(STAMP) ## carry out known attacks on a router while somebody else goes on asking (DURATION=… in seconds, ONLY=…)
	@node infra/hunt/src/attacks/main.ts $(if $(DURATION),--seconds $(DURATION)) $(if $(ONLY),--only '$(ONLY)')

faults: $(STAMP) ## break one thing after the other under a running set-up, and write what happened into docs/faults.md (ONLY=…)
	@scripts/servers.sh
	@scripts/faults.sh
	@scripts/nats-versions.sh
	@node infra/faults/src/main.ts $(if $(ONLY),--only '$(ONLY)')

drill: $(STAMP) ## kill, stop, restart and upgrade what runs in Compose under load, and write what clients noticed into docs/faults.md (ONLY=…)
	@scripts/servers.sh
	@scripts/containers.sh
	@node infra/faults/src/drill/main.ts $(if $(ONLY),--only '$(ONLY)')

scale: $(STAMP) ## measure how Switchyard grows, and write the tables of docs/scale.md (ONLY=…)
	@scripts/servers.sh
	@node infra/scale/src/main.ts $(if $(ONLY),--only '$(ONLY)')

bench: $(STAMP) ## compare CPU per request with other gateways and of compositions, and write docs/performance.md and docs/scale.md (BENCH_ARGS='--rounds 1 --seconds 1', --help); see there
	@node --disable-warning=ExperimentalWarning infra/bench/bench.ts $(or $(BENCH_ARGS),--write)
	@node shared/composition/bench/compose.ts $(if $(BENCH_ARGS),,--write)

worlds: $(STAMP) ## compare 10,000 random graphs with one server each (SEED=… WORLDS=…); prints every difference
	@node shared/corpus/src/generated/fuzz.ts

plans-versus: $(STAMP) ## plan generated operations beside the planner of another router, which npm installs below .cache (VERSUS_ARGS='--sizes 10x120 --operations 500')
	@node shared/engine/bench/versus.ts $(VERSUS_ARGS)

beside-library: $(STAMP) ## compose random graphs by our composer and by a library, and print what no class explains (SEED=… SETS=…)
	@node shared/composition/differential/main.ts

beside-one-server: $(STAMP) ## compare 100,000 events that a router delivers in random graphs with what one server answers (SEED=… EVENTS=… WORKERS=… SHARE_BY=…)
	@node services/router/test/subscriptions/beside-one-server/main.ts

written: $(STAMP) ## write again what is made from declarations in the code: tables of pages, schemas, the reference of commands
	@node docs/src/write-pages.ts
	@node services/router/src/config/write-published-schema.ts
	@node services/cli/src/reference/main.ts
	@node shared/request-trace/src/main.ts
	@node infra/helm/src/write-generated.ts
	@node services/registry/src/api-types/write-api-types.ts

check: $(STAMP) $(PLAYGROUND) $(STUDIO) ## what CI runs: lint, directions of imports, formatting, types, test-full
	@$(SIDE_BY_SIDE) lint typecheck $(TEST_PROGRAMS)
	@node scripts/run-tests.ts --full

lint: $(STAMP) ## oxlint with type information, who may import whom (dependency-cruiser.config.ts), and the formatting
	@oxlint --type-aware --deny-warnings
	@depcruise --config dependency-cruiser.config.ts --output-type err-long services shared infra docs scripts
	@biome format

typecheck: $(STAMP) $(PLAYGROUND) $(STUDIO) ## TypeScript, strict
	@tsc --noEmit && tsc --noEmit -p shared/trace-viewer && tsc --noEmit -p shared/playground && tsc --noEmit -p shared/operation-views && tsc --noEmit -p shared/studio

format: $(STAMP) ## write the formatting
	@biome format --write

clean: ## remove everything that a build or a run left behind
	rm -rf node_modules services/*/node_modules shared/*/node_modules infra/*/node_modules shared/playground/dist shared/studio/dist .tools .switchyard .demo .cache .hunt .package
