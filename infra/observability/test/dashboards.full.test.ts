/**
 * Every expression of every panel and every alert, asked of a real Prometheus that has watched real services
 * at work.
 */
import { freePorts, natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Constellation,
  openShop,
  publishShop,
  query,
  type Shop,
  startOnRealServers,
} from '@switchyard/e2e'
import { DASHBOARDS } from '../src/dashboards/index.ts'
import { shown } from '../src/dashboards/panel.ts'
import { alerts } from '../src/rules.ts'
import { type Prometheus, prometheusAvailable, SCRAPE_INTERVAL, startPrometheus } from './prometheus.ts'

const missing = !prometheusAvailable() || !natsServerAvailable() || !redisServerAvailable()
if (missing)
  process.stderr.write('Without prometheus, nats-server and redis-server no dashboard is tried out.\n')

/** Names of programs, as the test kit of constellations and as prometheus.yml have them. */
const INSTANCES = new Map([
  ['registry-0', 'registry-1'],
  ['registry-1', 'registry-2'],
  ['composer-0', 'composer-1'],
  ['composer-1', 'composer-2'],
  ['config-distribution', 'config-distribution'],
  ['router-0', 'router-1'],
  ['router-1', 'router-2'],
])
const queries = DASHBOARDS.flatMap((plan) =>
  plan.sections.flatMap(({ panels }) =>
    panels.flatMap((panel) => panel.queries.map((one) => [plan.title, panel.title, one] as const)),
  ),
)

describe.skipIf(missing)('the dashboards, with numbers of real services', () => {
  let shop: Shop
  let system: Constellation
  let prometheus: Prometheus
  let work: Promise<void>
  const stopped = new AbortController()

  beforeAll(async () => {
    const ports = await freePorts(INSTANCES.size)
    const portOf = new Map([...INSTANCES.keys()].map((name, index) => [name, ports[index] ?? 0]))
    shop = await openShop()
    system = await startOnRealServers({
      registries: 2,
      optionsOf: (name) => ({ environment: { SWITCHYARD_METRICS_PORT: String(portOf.get(name)) } }),
    })
    prometheus = await startPrometheus(
      new Map([...INSTANCES].map(([name, instance]) => [instance, portOf.get(name) ?? 0])),
    )
    await publishShop(system, shop)
    work = goOnWorking(system, shop, stopped.signal)
  })

  afterAll(async () => {
    stopped.abort()
    await work
    await prometheus?.[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
    await shop?.[Symbol.asyncDispose]()
  })

  it.each(queries)('%s, %s: %o', async (_, __, one) => {
    const asked = (expr: string) =>
      expr.replaceAll('$__rate_interval', `${SCRAPE_INTERVAL * 10}s`).replaceAll('$instance', '.+')
    // What is rare need not have happened; then it is the 0 that must show.
    await waitFor(
      'numbers',
      async () => {
        const samples = await prometheus.ask(asked(shown(one)))
        // Of what did not happen lately a quantile is no number.
        if (!samples.some(({ value }) => Number.isFinite(value)))
          throw new Error(`${asked(shown(one))}: ${JSON.stringify(samples)}`)
        if (one.rare !== true) return true
        await prometheus.ask(asked(one.expr))
        return true
      },
      { everyMs: 200 },
    )
  })

  it('show what was done', async () => {
    const flagged = await prometheus.ask('sum by (flag) (switchyard_router_requests_total{flag!=""})')
    expect(flagged.map(({ labels }) => labels['flag'])).toEqual(['next'])
    const up = await prometheus.ask('up{job="switchyard"} == 1')
    expect(up.map(({ labels }) => labels['instance']).sort()).toEqual([...INSTANCES.values()].sort())
  })

  it.each(alerts())('$alert is understood, and does not fire', async ({ alert, expr }) => {
    await prometheus.ask(expr)
    expect(
      await prometheus.ask(`ALERTS{alertname="${alert}", alertstate="firing", severity="page"}`),
    ).toEqual([])
  })
})

/** Requests with and without the flag, and toggles of it, so that everything has something to count. */
async function goOnWorking(system: Constellation, shop: Shop, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    for (const url of system.routerUrls) {
      await query(url, turn % 2 === 0 ? { 'X-Feature-Flag': 'next' } : {})
      await query(url, {}, `{ products { id } turn${turn}: __typename }`)
    }
    if (turn % 10 !== 0) continue
    const sdl = `${shop.users.sdl}\ntype Turn${turn} { id: ID! }`
    await system.manage('PUT', '/v1/subgraphs/default/users/schema', { sdl, routingUrl: shop.users.url })
  }
}
