/**
 * Commands of the pages that the tests of pages do not type in: those that another test types in as they
 * stand there, and those that cannot be, each with the reason. A command that is gone from its page fails a
 * test, so that these lists do not outlive it.
 */
import { commandsOf } from './commands.ts'

type Listed = {
  readonly page: string
  /** What the commands begin with, each with a line break behind it. */
  readonly commands: readonly string[]
}

export type NotRun = Listed & { readonly reason: string }

/** Tests that read commands from pages, by what they need. */
export const SUITES = {
  checkout: 'docs/test/fresh-checkout.full.test.ts',
  containers: 'infra/docker/test/containers.full.test.ts',
  history: 'infra/e2e/test/history.full.test.ts',
  helm: 'infra/helm/test/helm.full.test.ts',
  package: 'infra/package/test/package.full.test.ts',
  restore: 'infra/e2e/test/restore.full.test.ts',
} as const
export type Suite = keyof typeof SUITES

export const RUN_ELSEWHERE: readonly (Listed & { readonly suite: Suite })[] = [
  { page: 'README.md', commands: ['make demo', 'make install', 'export PATH='], suite: 'checkout' },
  {
    page: 'README.md',
    commands: [
      'make compose',
      'curl -s localhost:4000/graphql -H \'content-type: application/json\' -d \'{"query":"{ products {',
      'infra/docker/compose.sh',
      'make compose-down',
    ],
    suite: 'containers',
  },
  { page: 'docs/docker.md', commands: [''], suite: 'containers' },
  { page: 'docs/observability.md', commands: ['make compose'], suite: 'containers' },
  {
    page: 'docs/previews.md',
    commands: ['COMPOSE_PROFILES=', 'curl -s localhost:4001'],
    suite: 'containers',
  },
  { page: 'docs/kubernetes.md', commands: ['IMAGE_PREFIX='], suite: 'containers' },
  {
    page: 'docs/kubernetes.md',
    commands: ['export NATS_ADDRESS=', 'node infra/docker', 'helm install'],
    suite: 'helm',
  },
  { page: 'infra/helm/switchyard/README.md', commands: [''], suite: 'helm' },
  { page: 'docs/install.md', commands: [''], suite: 'package' },
  { page: 'infra/package/PACKAGE.md', commands: [''], suite: 'package' },
  { page: 'docs/restore.md', commands: ['infra/docker/compose.sh', 'docker volume rm'], suite: 'containers' },
  { page: 'docs/restore.md', commands: ['switchyard'], suite: 'restore' },
  { page: 'docs/history.md', commands: [''], suite: 'history' },
]

const CLUSTER = 'needs a cluster; what it is given is rendered and checked by infra/helm/test'

export const NOT_RUN: readonly NotRun[] = [
  { page: 'README.md', commands: ['make test'], reason: 'runs this test' },
  {
    page: 'docs/shadow.md',
    commands: ['switchyard rollout', 'switchyard check-plans'],
    reason: 'needs a router with clients for a while; services/cli/test/shadows.test.ts runs these commands',
  },
  {
    page: 'docs/sign-in.md',
    commands: ['switchyard studio'],
    reason: 'needs a running `up`; services/cli/test/keys-and-transfer.test.ts runs this command',
  },
  {
    page: 'docs/studio.md',
    commands: ['switchyard graph update'],
    reason: 'needs a graph; services/cli/test/resources.test.ts runs this command',
  },
  {
    page: 'docs/guards.md',
    commands: ['switchyard rollout figures'],
    reason: 'needs a ramp with requests; services/cli/test/rollout-figures.test.ts runs this command',
  },
  {
    page: 'docs/usage.md',
    commands: ['switchyard usage', 'switchyard subgraph check'],
    reason: 'needs days of requests; services/cli/test/usage.test.ts runs these commands',
  },
  {
    page: 'docs/nats-and-redis.md',
    commands: ['mv '],
    reason: 'needs a NATS that was stopped; infra/docker/test/servers.test.ts runs this command',
  },
  {
    page: 'docs/faults.md',
    commands: ['node infra/faults/src/drill/main.ts --only'],
    reason:
      'builds all images and breaks a Compose of its own: infra/faults/test/drill.test.ts tests its parts',
  },
  {
    page: 'docs/kubernetes.md',
    commands: ['for name in registry'],
    reason: 'needs a registry of images to push to',
  },
  { page: 'docs/kubernetes.md', commands: ['kubectl', 'export SWITCHYARD_API_KEY='], reason: CLUSTER },
  {
    page: 'docs/subscriptions.md',
    commands: ['curl -N'],
    reason: 'goes on until its subgraph ends it; services/router/test/subscriptions does the same',
  },
  {
    page: 'docs/subscriptions.md',
    commands: ['switchyard subscribe'],
    reason: 'goes on until its subgraph ends it; services/cli/test/subscribe does the same',
  },
  {
    page: 'docs/uploads.md',
    commands: ['curl -s localhost:4000'],
    reason: 'needs a subgraph that takes files; services/router/test/concerns/uploads types it in',
  },
  {
    page: 'docs/performance.md',
    commands: ['make bench\n', 'make bench BENCH_ARGS="--write'],
    reason: 'measures for minutes, and writes the page',
  },
]

const lists = (page: string, command: string) => (entry: Listed) =>
  entry.page === page && entry.commands.some((begin) => `${command}\n`.startsWith(begin))

/** Whether the tests of pages type it in. */
export function isRunHere(page: string, command: string): boolean {
  const isListed = lists(page, command)
  return !NOT_RUN.some(isListed) && !RUN_ELSEWHERE.some(isListed)
}

/** The commands of a page that are the suite's to run, in order. */
export function commandsFor(suite: Suite, page: string): readonly string[] {
  return commandsOf(page).filter((command) => {
    const isListed = lists(page, command)
    return RUN_ELSEWHERE.some((entry) => entry.suite === suite && isListed(entry)) && !NOT_RUN.some(isListed)
  })
}
