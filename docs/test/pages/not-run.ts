/**
 * Commands of the pages that no test types in, each with the reason and, where there is one, what shows that
 * it works. A command that is gone from its page fails a test, so that this list does not outlive it.
 */
export type NotRun = {
  readonly page: string
  /** What the commands begin with. */
  readonly commands: readonly string[]
  readonly reason: string
}

const CONTAINERS = 'needs a container engine: infra/docker/test/suites runs the images and Compose'

export const NOT_RUN: readonly NotRun[] = [
  {
    page: 'README.md',
    commands: ['make demo', 'make test', 'make install', 'export PATH='],
    reason: 'sets up and tests the checkout in which this test runs; infra/demo/test runs the demo',
  },
  {
    page: 'README.md',
    commands: [
      'make compose',
      'curl -s localhost:4000/graphql -H \'content-type: application/json\' -d \'{"query":"{ products',
      'infra/docker/compose.sh',
      'make compose-down',
    ],
    reason: CONTAINERS,
  },
  {
    page: 'README.md',
    commands: ['switchyard config rollback shop'],
    reason: 'asks at a terminal: infra/e2e/test/product-rules/cases/revisions.ts rolls back with --force',
  },
  {
    page: 'docs/history.md',
    commands: [''],
    reason: 'needs a shop with a flag: infra/e2e/test/history.full.test.ts runs them on NATS and Redis',
  },
  { page: 'docs/docker.md', commands: [''], reason: CONTAINERS },
  { page: 'docs/observability.md', commands: ['make compose'], reason: CONTAINERS },
  {
    page: 'docs/kubernetes.md',
    commands: [''],
    reason: 'needs a cluster: infra/helm/test renders and checks the chart',
  },
  { page: 'docs/install.md', commands: ['npm publish'], reason: 'needs a registry to publish to' },
  {
    page: 'docs/install.md',
    commands: ['npm install', 'npx switchyard'],
    reason: 'needs the package: infra/package/test installs it in this way, and runs these commands',
  },
  {
    page: 'docs/performance.md',
    commands: ['make bench'],
    reason: 'measures for minutes, and writes the page',
  },
  {
    page: 'docs/load.md',
    commands: ['export PATH=', 'node infra/bench/load.ts'],
    reason: 'asks for minutes: infra/bench/test runs the program with shorter times',
  },
  {
    page: 'docs/defer.md',
    commands: ['switchyard defer doctor https://api.example.com'],
    reason: 'needs a server of yours; the README shows it with a router, which is run',
  },
  {
    page: 'docs/security.md',
    commands: [
      'switchyard api-key delete ci',
      'switchyard registry',
      'SWITCHYARD_REGISTRY_URL=http://new-registry',
    ],
    reason:
      'asks at a terminal, or needs a second registry: the tests of the command line and of infra/e2e do this',
  },
  {
    page: 'docs/configuration.md',
    commands: [''],
    reason:
      'needs NATS and Redis on their own ports: infra/e2e starts these services in the same way on free ones',
  },
  {
    page: 'docs/metrics.md',
    commands: ['curl -s http://127.0.0.1:9464/metrics', 'export OTEL_'],
    reason:
      'needs the port of a running service, or a collector: the tests of service-kit read metrics and send them',
  },
  {
    page: 'docs/nats-and-redis.md',
    commands: ['SWITCHYARD_'],
    reason: 'variables with addresses of your servers',
  },
  {
    page: 'docs/opentelemetry.md',
    commands: ['export OTEL_'],
    reason: 'variables with the address of your collector',
  },
  {
    page: 'docs/checks.md',
    commands: ['switchyard'],
    reason:
      'needs a graph with these subgraphs and flags: services/cli/test/examples.full.test.ts runs the examples of these commands',
  },
  {
    page: 'docs/verify.md',
    commands: ['switchyard router verify'],
    reason: 'takes a folder of operations of yours: docs/test/verify.test.ts and the README run the command',
  },
  {
    page: 'docs/persisted-documents.md',
    commands: ['switchyard'],
    reason: 'needs manifests of yours: infra/e2e/src/scenarios/published-documents.ts runs these commands',
  },
  {
    page: 'docs/trace-tokens.md',
    commands: ['switchyard api-key create support', 'switchyard registry trace-key'],
    reason:
      'keys of a set-up that goes on: services/cli/test/examples.full.test.ts runs the examples of these commands',
  },
  {
    page: 'docs/restore.md',
    commands: [''],
    reason: 'needs a platform that has lost its logs: infra/e2e/test/restore.full.test.ts follows the page',
  },
]
