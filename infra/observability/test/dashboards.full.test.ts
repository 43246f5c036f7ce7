/**
 * Every expression of every panel and every alert, asked of real Prometheus servers that have watched real
 * services at work, one for each way in which metrics come to it.
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
import { seriesIn } from '../src/catalogue.ts'
import { DASHBOARDS } from '../src/dashboards/index.ts'
import { shown } from '../src/dashboards/panel.ts'
import { alerts } from '../src/rules.ts'
import { type Prometheus, prometheusAvailable, SCRAPE_INTERVAL, startPrometheus } from './prometheus.ts'
import {
  chartMissing,
  type Collector,
  collectorMissing,
  scrapeByServiceMonitor,
  scrapePages,
  startCollector,
  type Target,
} from './ways-of-scraping.ts'

const missing = !prometheusAvailable() || !natsServerAvailable() || !redisServerAvailable()
if (missing)
  process.stderr.write('Without prometheus, nats-server and redis-server no dashboard is tried out.\n')
for (const reason of [chartMissing(), collectorMissing()])
  if (reason !== null) process.stderr.write(`One way of scraping is not tried out: ${reason}.\n`)

/** Names of programs in constellations, and which service each is. */
const PROGRAMS = [
  ['registry-0', 'registry'],
  ['registry-1', 'registry'],
  ['composer-0', 'composer'],
  ['composer-1', 'composer'],
  ['config-distribution', 'config-distribution'],
  ['router-0', 'router'],
  ['router-1', 'router'],
] as const
const WAYS = [
  ['the page of each service', null],
  ['the ServiceMonitor of the chart', chartMissing()],
  ['the collector', collectorMissing()],
] as const
type Way = (typeof WAYS)[number][0]
const queries = DASHBOARDS.flatMap((plan) =>
  plan.sections.flatMap(({ panels }) =>
    panels.flatMap((panel) => panel.queries.map((one) => [plan.title, panel.title, one] as const)),
  ),
)

describe.skipIf(missing)('the dashboards, with numbers of real services', () => {
  let shop: Shop
  let system: Constellation
  let collector: Collector | null = null
  const servers = new Map<Way, Prometheus>()
  let work: Promise<void>
  const stopped = new AbortController()

  beforeAll(async () => {
    const ports = await freePorts(PROGRAMS.length)
    const targets = PROGRAMS.map(([instance, service], index): Target => {
      return { instance, service, port: ports[index] ?? 0 }
    })
    const portOf = new Map(targets.map(({ instance, port }) => [instance, port]))
    collector = collectorMissing() === null ? await startCollector() : null
    const pushed: Record<string, string> =
      collector === null
        ? {}
        : {
            OTEL_METRICS_EXPORTER: 'otlp,prometheus',
            OTEL_METRIC_EXPORT_INTERVAL: '1000',
            OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
          }
    shop = await openShop()
    system = await startOnRealServers({
      registries: 2,
      environment: pushed,
      optionsOf: (name) => ({ environment: { SWITCHYARD_METRICS_PORT: String(portOf.get(name)) } }),
    })
    servers.set('the page of each service', await startPrometheus([scrapePages(targets)]))
    if (chartMissing() === null)
      servers.set('the ServiceMonitor of the chart', await startPrometheus([scrapeByServiceMonitor(targets)]))
    if (collector !== null) servers.set('the collector', await startPrometheus([collector.scrape]))
    await publishShop(system, shop)
    work = goOnWorking(system, shop, stopped.signal)
  })

  afterAll(async () => {
    stopped.abort()
    await work
    for (const server of servers.values()) await server[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
    await collector?.[Symbol.asyncDispose]()
    await shop?.[Symbol.asyncDispose]()
  })

  describe.each(WAYS)('by %s', (way, reason) => {
    const ask = async (expression: string) => {
      const server = servers.get(way)
      if (server === undefined) throw new Error(`There is no Prometheus for ${way}.`)
      return await server.ask(expression)
    }

    it.skipIf(reason !== null).each(queries)('%s, %s: %o', async (_, __, one) => {
      const asked = (expr: string) =>
        expr.replaceAll('$__rate_interval', `${SCRAPE_INTERVAL * 10}s`).replaceAll('$instance', '.+')
      // What is rare need not have happened; then it is the 0 that must show.
      await waitFor(
        'numbers',
        async () => {
          const samples = await ask(asked(shown(one)))
          // Of what did not happen lately a quantile is no number.
          if (!samples.some(({ value }) => Number.isFinite(value)))
            throw new Error(`${asked(shown(one))}: ${JSON.stringify(samples)}`)
          if (one.rare !== true) return true
          await ask(asked(one.expr))
          return true
        },
        { everyMs: 200 },
      )
    })

    it.skipIf(reason !== null)('has the same names and labels', async () => {
      const flagged = await ask('sum by (flag) (switchyard_router_requests_total{flag!=""})')
      expect(flagged.map(({ labels }) => labels['flag'])).toEqual(['next'])
      const kinds = await ask('count by (job, service, component) (switchyard_ready)')
      expect(kinds.map(({ labels, value }) => [labels['job'], labels['service'], value]).sort()).toEqual([
        ['switchyard', 'composer', 2],
        ['switchyard', 'config-distribution', 1],
        ['switchyard', 'registry', 2],
        ['switchyard', 'router', 2],
      ])
      for (const { labels } of kinds) expect(labels['component']).toBe(labels['service'])
      expect(await ask('count by (instance) (switchyard_ready)')).toHaveLength(PROGRAMS.length)
    })

    it.skipIf(reason !== null)('has what alerts read all the time', async () => {
      const read = new Set(alerts().flatMap(({ expr }) => seriesIn(expr)))
      const always = [...read].filter((name) =>
        /^(?:switchyard_(?:ready|log|connection)|process_|v8js_|nodejs_)/.test(name),
      )
      expect(always.length).toBeGreaterThan(7)
      for (const name of always) expect([name, (await ask(name)).length > 0]).toEqual([name, true])
    })

    it.skipIf(reason !== null).each(alerts())(
      '$alert is understood, and does not fire',
      async ({ alert, expr }) => {
        await ask(expr)
        expect(await ask(`ALERTS{alertname="${alert}", alertstate="firing", severity="page"}`)).toEqual([])
      },
    )
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
