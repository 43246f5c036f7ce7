/** Which pages are typed in by which test, and what their reader has before. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { isLongRun, programPath } from '../../../shared/testkit/src/index.ts'
import { commandsOf, fenceOf } from './commands.ts'
import { isRunHere } from './not-run.ts'
import type { Typed } from './page-shell.ts'
import { NEXT, PageWorld, type PageWorldOptions, PRODUCTS } from './page-world.ts'

export type PageRun = PageWorldOptions & {
  /** Programs without which the page cannot be followed. */
  readonly needs?: readonly string[]
  /**
   * The test that carries out what the page shows, so that its commands are typed in `make test-long` only.
   */
  readonly sameAs?: string
  readonly prepare: (world: PageWorld) => Promise<unknown>
  /** Of commands that do not simply end with exit code 0. */
  readonly typed?: Readonly<Record<string, Typed>>
  /** What is true after the commands; `printed` is the output of each. */
  readonly afterwards?: (world: PageWorld, printed: ReadonlyMap<string, string>) => Promise<void>
}

const composed = (world: PageWorld) => world.compose()
const published = (world: PageWorld) => world.publish()
const ASK = `curl -s localhost:4000/graphql -H 'content-type: application/json' -d '{"query":"{ __typename }"}'`

/** Those that take a few seconds. */
export const SHORT: Readonly<Record<string, PageRun>> = {
  'docs/internet.md': {
    prepare: composed,
    files: {
      'router.yaml': fenceOf('docs/internet.md', 'yaml'),
      'manifests/web.json': '{"0123456789abcdef0123456789abcdef":"{ __typename }"}',
    },
  },
}

const CHECKED_GRAPH = `version: 1
graph: { name: shop, label_matchers: [team=shop] }
subgraphs:
  - { name: products, routing_url: "http://localhost:5002/graphql", labels: [team=shop], schema: { file: ./products-next.graphql } }
  - { name: stores, routing_url: "http://localhost:5001/graphql", labels: [team=shop], schema: { file: ./stores.graphql } }
feature_flags:
  - name: streets
    labels: [team=shop]
    feature_graphs: [{ name: stores-next, subgraph_name: stores, routing_url: "http://localhost:5001/graphql", schema: { file: ./stores-next.graphql } }]
  - name: prices
    labels: [team=shop]
    feature_graphs: [{ name: products-next, subgraph_name: products, routing_url: "http://localhost:5002/graphql", schema: { file: ./prices.graphql } }]
`
const STORES = 'type Query { stores: [Store] } type Store { name: String }'

export const LONG: Readonly<Record<string, PageRun>> = {
  'README.md': {
    isCheckout: true,
    prepare: (world) => world.shell.run('make demo'),
  },
  'docs/getting-started.md': {
    prepare: composed,
    typed: { 'switchyard config rollback shop --to 1': { answer: 'y' } },
  },
  'docs/audit.md': {
    needs: ['jq'],
    prepare: published,
    typed: {
      'switchyard audit --follow --after 0 --json | tee -ai audit.jsonl': { interruptAfter: 'log-reader' },
      'switchyard audit --follow --after "$(tail -n 1 audit.jsonl | jq .sequence)" --json | tee -ai audit.jsonl':
        { interruptAfter: 'for the new team' },
      'curl -sN "localhost:4100/v1/live" -H "Authorization: Bearer $(cat .switchyard/api-key)"': {
        interruptAfter: 'event: hello',
        exitCode: 130,
      },
    },
    afterwards: async (world, printed) => {
      const lines = (await world.shell.run('jq --compact-output .sequence audit.jsonl')).trimEnd().split('\n')
      expect(lines.map(Number)).toEqual(lines.map((_, index) => index + 1))
      const page = [...printed].find(([command]) => command.startsWith('curl'))?.[1]
      expect(page).toMatch(/^\{"records":\[\{"sequence":1,.*"last":2,"more":true,/)
    },
  },
  'docs/promote.md': {
    prepare: published,
    typed: {
      'switchyard feature-flag promote new-prices --reason "week three: no complaints"': { answer: 'y' },
    },
    afterwards: async (world, printed) => {
      const promoted = printed.get(
        'switchyard feature-flag promote new-prices --reason "week three: no complaints"',
      )
      expect(promoted).toContain('Feature flag "new-prices" was launched')
      const former = createHash('sha256').update(PRODUCTS).digest('hex')
      expect(await world.shell.run('switchyard subgraph get products --json')).toContain(former)
    },
  },
  'docs/releases.md': {
    prepare: published,
    afterwards: async (world, printed) => {
      const answers = [...printed].filter(([command]) => command.startsWith('curl'))
      expect(answers.map(([, answer]) => answer.trim())).toEqual(
        Array.from({ length: 2 }, () => '{"data":{"products":[{"name":"Tent","price":1}]}}'),
      )
      const explained = [...printed].find(([command]) => command.startsWith('switchyard rollout explain'))
      expect(explained?.[1]).toContain('The request gets feature flag "new-prices", by rollout "staff".')
      const audit = await world.shell.run('switchyard audit --limit 20')
      for (const reason of ['the price service is slow', 'no complaints', 'prices are for everybody'])
        expect(audit).toContain(reason)
      expect(await world.shell.run('switchyard rollout list')).toBe('')
    },
  },
  'docs/previews.md': {
    prepare: published,
    afterwards: async (world) => {
      const listed = await world.shell.run('switchyard preview list')
      expect(listed).toMatch(/pr-481-[0-9a-f]{16}\t.*\tproducts\tshop: served/)
    },
  },
  'docs/checks.md': {
    prepare: (world) => world.apply(),
    files: {
      'graph.yaml': CHECKED_GRAPH,
      'products.graphql': PRODUCTS,
      'products-next.graphql': NEXT,
      'prices.graphql': NEXT.replace('price: Int', 'price: Int discount: Int'),
      'products-fr.graphql': NEXT,
      'stores.graphql': STORES,
      'stores-next.graphql': STORES.replace('name: String', 'name: String street: String'),
      'offers.graphql': 'type Query { offers: Int }',
    },
    typed: {
      'switchyard subgraph check products --schema products.graphql': { exitCode: 1 },
      'switchyard subgraph check products --schema products.graphql --usage 30d': { exitCode: 1 },
      'switchyard feature-subgraph check products-next --schema products-next.graphql': { exitCode: 1 },
      'switchyard subgraph check products --delete': { exitCode: 1 },
      'switchyard feature-flag diff prices --graph shop --exit-code': { exitCode: 1 },
    },
    afterwards: async (_, printed) => {
      const output = printed.get('switchyard subgraph check products --schema products.graphql')
      expect(output).toBe(fenceOf('docs/checks.md', ''))
    },
  },
  'docs/configuration.md': {
    needs: ['nats-server', 'redis-server', 'openssl', 'unshare', 'ip'],
    prepare: async () => {},
    isAlone: true,
    isCheckout: true,
    afterwards: async ({ shell }) => {
      await shell.run('switchyard federated-graph create shop --label-matcher team=web')
      await shell.run(
        'switchyard subgraph publish products --schema products.graphql --routing-url http://localhost:5001/graphql --label team=web',
      )
      await shell.run('until curl -sf localhost:4000/health/ready; do sleep 0.1; done')
      expect(await shell.run(ASK)).toContain('{"data":{"__typename":"Query"}}')
    },
  },
  'docs/defer.md': {
    prepare: async (world) => {
      await world.compose()
      await world.startRouter()
    },
    servers: { 'https://api.example.com': 'http://localhost:4000' },
  },
  'docs/events.md': {
    needs: ['nats-server', 'unshare', 'ip'],
    isAlone: true,
    prepare: async () => {},
    files: {
      'events.graphql': fenceOf('docs/events.md', 'graphql'),
      'graph.yaml': fenceOf('docs/events.md', 'yaml'),
      'router.yaml': fenceOf('docs/events.md', 'yml'),
    },
    afterwards: async ({ shell }, printed) => {
      const sell = [...printed].find(([command]) => command.startsWith('curl -s '))
      expect(sell?.[1]).toContain('{"data":{"sell":{"success":true}}}')
      // The subscription may have been a little later than the first mutation.
      await shell.run(`until grep '"productSold":{"id":"7"}' sold.txt; do ${sell?.[0]}; sleep 0.2; done`)
    },
  },
  'docs/faults.md': {
    isCheckout: true,
    needs: ['nats-server', 'redis-server'],
    sameAs: 'infra/faults/test/quick-faults.full.test.ts',
    prepare: async () => {},
  },
  // Where the command line is used: what a cluster is needed for is not typed, and the registry is here.
  'docs/kubernetes.md': { prepare: (world) => world.shell.run('switchyard up') },
  'docs/load.md': {
    isCheckout: true,
    prepare: (world) => world.shell.run('SWITCHYARD_METRICS_PORT=9464 make demo'),
    servers: isLongRun() ? {} : { '-d 10s': '-d 2s' },
    typed: { 'node infra/bench/load.ts http://localhost:4000': { interruptAfter: 'requests, 0 failed' } },
  },
  'docs/metrics.md': {
    prepare: async (world) => {
      await world.compose()
      await world.startRouter()
    },
    servers: { 'http://collector:': 'http://127.0.0.1:' },
    afterwards: async (world, printed) => {
      expect(printed.get('curl -s http://127.0.0.1:9464/metrics')).toContain('switchyard_build_info')
      await world.startRouter()
      expect(await world.shell.run('curl -s http://127.0.0.1:9464/metrics')).toContain(
        'switchyard_build_info',
      )
      await world.shell.stop()
      const names = world.collector.metrics.flat().map(({ name }) => name)
      expect(names).toContain('switchyard.router.generations')
    },
  },
  'docs/nats-and-redis.md': { prepare: async () => {} },
  'docs/opentelemetry.md': {
    prepare: composed,
    servers: { 'http://collector:': 'http://127.0.0.1:' },
    afterwards: async (world) => {
      await world.startRouter()
      const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      await world.shell.run(`${ASK} -H 'traceparent: ${sampled}'`)
      await world.shell.stop()
      expect(world.collector.spans.map(({ name }) => name)).toContain('POST /graphql')
    },
  },
  'docs/performance.md': {
    isCheckout: true,
    sameAs: 'infra/bench/test/compare/bench.long.test.ts',
    prepare: async () => {},
  },
  'docs/persisted-documents.md': {
    prepare: async (world) => {
      await world.apply()
      await world.compose()
    },
    files: {
      'persisted-documents.json': '{"names":"{ products { name } }"}',
      'ios.json': '{"ids":"{ products { id } }"}',
      'router.yaml': fenceOf('docs/persisted-documents.md', 'yaml'),
      'manifests/web.json': '{"names":"{ products { name } }"}',
      'manifests/ios.json': '{"ids":"{ products { id } }"}',
    },
  },
  'docs/rollouts.md': {
    prepare: async (world) => {
      await world.publish()
      await world.shell.run(
        'switchyard feature-subgraph create search-next --subgraph products --routing-url http://localhost:5002/graphql',
      )
      await world.shell.run('switchyard feature-subgraph publish search-next --schema products-next.graphql')
      await world.shell.run(
        'switchyard feature-flag create search --label team=web --feature-subgraphs search-next --enabled',
      )
    },
    afterwards: async (world, printed) => {
      const created = [...printed].find(([command]) => command.startsWith('switchyard rollout create new'))
      expect(created?.[1]).toContain('live on 1/1 routers')
      const left = await world.shell.run('switchyard rollout list')
      expect(left.split('\n').map((row) => row.split('\t')[1])).toEqual(['friends', 'staff', undefined])
      expect(await world.shell.run(ASK)).not.toContain('errors')
    },
  },
  'docs/security.md': {
    prepare: async (world) => {
      await world.publish()
      // The new registry, which goes on beside the first one.
      await world.shell.run(
        'mkdir new; (cd new; exec env SWITCHYARD_REGISTRY_PORT=5003 SWITCHYARD_ROUTER_PORT=5004 switchyard up) > new.log 2>&1 &',
      )
      await world.shell.run('until grep "Switchyard is up" new.log; do sleep 0.1; done')
      await world.shell.run('export NEW_API_KEY=$(cat new/.switchyard/api-key)')
    },
    servers: { 'http://new-registry:4100': 'http://localhost:5003' },
    typed: { 'switchyard api-key delete ci': { answer: 'y' } },
  },
  'docs/subgraph-frameworks.md': { prepare: (world) => world.start() },
  'docs/supergraphs.md': {
    prepare: async (world) => {
      await world.compose()
      await world.shell.run('echo "{ hello }" > query.graphql')
    },
  },
  'docs/trace-tokens.md': {
    prepare: published,
    typed: { 'switchyard registry trace-key retire oldest': { answer: 'y' } },
  },
  'docs/tracing.md': { prepare: published },
  'docs/verify.md': {
    prepare: async (world) => {
      await world.compose()
      const print = 'JSON.parse(fs.readFileSync("config.json", "utf8")).base.supergraphSdl'
      await world.shell.run(`node --print '${print}' > supergraph.graphql`)
    },
    files: {
      'graph.yaml': fenceOf('docs/getting-started.md', 'yaml').replace('new-catalogue', 'new-pricing'),
      'ops/names.graphql': '{ products { name } }',
    },
  },
}

/** The tests of the commands of pages; a page whose programs are not on this machine is skipped. */
export function testPages(pages: Readonly<Record<string, PageRun>>): void {
  for (const [page, run] of Object.entries(pages)) {
    if (run.sameAs !== undefined && !isLongRun()) continue
    const missing = whatIsMissing(run)
    const title = `${page} work in the order in which they stand there`
    it.skipIf(missing !== null)(
      missing === null ? title : `${title} (${missing})`,
      () => runPage(page, run),
      RUN_WITHIN_MS,
    )
  }
}

const RUN_WITHIN_MS = 900_000

function whatIsMissing({ needs = [], isAlone = false }: PageRun): string | null {
  const program = needs.find((name) => programPath(name) === null)
  if (program !== undefined) return `${program} is not installed`
  if (isAlone && spawnSync('unshare', ['--map-root-user', '--net', 'true']).status !== 0)
    return 'no process may have a network of its own here'
  return null
}

/** Rejects with the first command that does not do what the page says. */
export async function runPage(page: string, run: PageRun): Promise<void> {
  await using world = await PageWorld.create(run)
  await run.prepare(world)
  const printed = new Map<string, string>()
  for (const command of commandsOf(page)) {
    if (!isRunHere(page, command)) continue
    const output = await world.shell.run(command, run.typed?.[command])
    // A request that is answered with errors ends with exit code 0 all the same.
    expect(command.startsWith('curl ') ? output : '', command).not.toContain('"errors"')
    printed.set(command, output)
  }
  await run.afterwards?.(world, printed)
}
