/** What docs/metrics.md lists for routers is what a router serves, and nothing else is. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createLogger } from '@switchyard/service-kit'
import { byName, metricsCatalogue, servedRows } from '@switchyard/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AuthenticationEvents } from '../src/concerns/authentication/events.ts'
import { SubgraphAddressEvents } from '../src/call/policies/addresses/events.ts'
import { CircuitEvents } from '../src/call/policies/circuit/events.ts'
import { DenialMetrics } from '../src/concerns/authorization/metrics.ts'
import { DocumentEvents } from '../src/concerns/documents/events.ts'
import { SlotEvents } from '../src/call/policies/slots/events.ts'
import { GuardEvents } from '../src/concerns/guards/events.ts'
import { RateEvents } from '../src/concerns/rates/events.ts'
import { ResponseHeaderMetrics } from '../src/concerns/headers/response-header-metrics.ts'
import { SettingsEvents } from '../src/startup/settings-events.ts'
import { SharedDocumentEvents } from '../src/concerns/documents/shared-events.ts'
import { UploadMetrics } from '../src/concerns/uploads/metrics.ts'
import { ShadowMetrics } from '../src/concerns/shadows/metrics.ts'
import { SheddingEvents } from '../src/listen/shedding-events.ts'
import { BrokerCallEvents } from '../src/brokers/calls/events.ts'
import { BrokerEvents } from '../src/brokers/events.ts'
import { brokenConnection } from '../src/subscriptions/upstream/failures.ts'
import { UpstreamEvents } from '../src/subscriptions/upstream/events.ts'
import { SubscriptionMetrics } from '../src/subscriptions/metrics.ts'
import { SocketEvents } from '../src/subscriptions/sockets/events.ts'
import { HedgeEvents } from '../src/call/policies/hedge/events.ts'
import { RetryEvents } from '../src/call/policies/retry/events.ts'
import { WorkerEvents } from '../src/workers/events.ts'
import { type MeasuredRouter, startMeasuredRouter } from './support/measured-router.ts'
import { rollout } from './support/rollouts.ts'
import { post, send, until } from './support/router.ts'

const CONNECTIONS = 10
/** Requests for it go through no phases. */
const FLAGS = '/ofrep/v1/evaluate/flags'
let measured: MeasuredRouter

beforeAll(async () => {
  measured = await startMeasuredRouter(`
traffic: { max_connections_per_client: ${CONNECTIONS} }
client_identification: { counted_names: [web] }
compression: { enabled: true, min_size: 1 }
costs: { mode: measure, max: 1 }
rate_limits: { rules: [{ name: measured, limit: 1, per: 1h, enforce: false }] }
ofrep: { enabled: true, flags: [next] }
`)
})
afterAll(() => measured[Symbol.asyncDispose]())

it('every instrument is in the table, with its type, unit and labels, and each row is produced', async () => {
  const { router, world, shop, metrics } = measured
  await post(router, { query: '{ topProducts { name reviews { body } } }' })
  const atOnce = (end = '') => post(router, { query: `{ slow(milliseconds: 100) }${end}` })
  // One request like another, and one that needs the same of a subgraph.
  await Promise.all([atOnce(), atOnce(), atOnce(' ')])
  await post(router, { query: '{ version }' }, { 'x-feature-flag': 'next' })
  await post(router, { query: '{ version }' }, { 'accept-encoding': 'gzip' })
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const body = gzipSync('{"query":"{ version }"}')
  await send(router.graphqlUrl, { method: 'POST', headers: packed, body })
  await post(router, { query: '{ fails }' })
  await send(`${router.url}/nowhere`)
  await post({ graphqlUrl: `${router.url}${FLAGS}` }, {})
  await tooManyConnections(router.port)
  await world.publish({ revision: 2, base: shop.base, tamper: (text) => `${text} ` })
  workerEnded()
  rolloutStopped()
  settingsReloaded()
  socketsEnded()
  callsFailed()
  tokensVerified()
  fieldsDenied()
  subscribedUpstream()
  subscriptionServed()
  const listed = byName(metricsCatalogue(['Router', 'Ready or not', 'Every service']))
  const served = await until(async () => {
    garbage()
    const rows = byName(servedRows(await metrics()))
    return rows.length >= listed.length ? rows : undefined
  }, 'all of the metrics').catch(async () => byName(servedRows(await metrics())))
  expect(served).toEqual(listed)
})

it('the phases of a request add up to its duration', async () => {
  const { router, metrics } = measured
  const sums = async () => {
    const scraped = await metrics()
    const samples = (name: string, suffix: string) =>
      (scraped.get(name)?.samples ?? []).filter(
        (sample) => sample.name === `${name}_${suffix}` && sample.labels['http_route'] !== FLAGS,
      )
    const sum = (name: string) => samples(name, 'sum').reduce((all, { value }) => all + value, 0)
    const phases = samples('switchyard_router_phase_duration_seconds', 'count')
    return {
      whole: sum('http_server_request_duration_seconds'),
      parts: sum('switchyard_router_phase_duration_seconds'),
      counts: Object.fromEntries(phases.map(({ labels, value }) => [labels['phase'], value])),
    }
  }
  await post(router, { query: '{ topProducts { name } }' })
  const before = await sums()
  await post(router, { query: '{ topProducts { name } }' })
  await post(router, '{')
  const after = await until(async () => {
    const now = await sums()
    return now.counts['write'] === Number(before.counts['write']) + 2 ? now : undefined
  }, 'both requests')
  const more = Object.keys(after.counts).map((phase) => [
    phase,
    Number(after.counts[phase]) - Number(before.counts[phase] ?? 0),
  ])
  // What cannot be read is refused: it goes on to its answer.
  expect(Object.fromEntries(more)).toEqual({ read: 2, choose: 1, prepare: 1, plan: 1, execute: 1, write: 2 })
  expect(after.parts).toBeCloseTo(after.whole, 9)
})

it('caches tell what they know and whether it was asked for', async () => {
  const { router, metrics } = measured
  const query = '{ topProducts { upc name price } }'
  const value = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (await metrics())
      .get(name)
      ?.samples.find((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
      ?.value ?? Number.NaN
  const all = async () => ({
    operations: await value('switchyard_router_operations'),
    plans: await value('switchyard_router_remembered_plans'),
    misses: await value('switchyard_router_operation_lookups_total', { result: 'miss' }),
    hits: await value('switchyard_router_operation_lookups_total', { result: 'hit' }),
    planMisses: await value('switchyard_router_plan_lookups_total', { result: 'miss' }),
    planHits: await value('switchyard_router_plan_lookups_total', { result: 'hit' }),
  })
  const before = await all()
  for (let count = 0; count < 3; count++) await post(router, { query })
  const after = await all()
  expect({
    operations: after.operations - before.operations,
    plans: after.plans - before.plans,
    misses: after.misses - before.misses,
    hits: after.hits - before.hits,
    planMisses: after.planMisses - before.planMisses,
    planHits: after.planHits - before.planHits,
  }).toEqual({ operations: 1, plans: 1, misses: 1, hits: 2, planMisses: 1, planHits: 2 })
})

/** The router here is one process; the one that leads workers counts them in the same way. */
function settingsReloaded(): void {
  new SettingsEvents(createLogger({ name: 'router', level: 'silent' })).applied([])
}

function socketsEnded(): void {
  const events = new SocketEvents(createLogger({ name: 'router', level: 'silent' }), () => true)
  events.subprotocolRefused('graphql-ws')
  const ended = {
    reason: 'idle',
    code: 1000,
    detail: '',
    milliseconds: 1,
    operations: 0,
    client: '',
  } as const
  events.ended(ended)
}

function rolloutStopped(): void {
  const events = new GuardEvents(createLogger({ name: 'router', level: 'silent' }))
  const totals = { requests: 50, errors: 20, failedClusters: 4 }
  events.stopped({ ...rollout(), guard: { step: 1 } }, 1, totals)
}

function workerEnded(): void {
  const events = new WorkerEvents(createLogger({ name: 'router', level: 'silent' }))
  events.ended(1, { code: 1, signal: null, failure: null }, { delay: 0, ends: 1 })
}

function tokensVerified(): void {
  const events = new AuthenticationEvents(createLogger({ name: 'router', level: 'silent' })).of('accounts')
  events.authenticated('verified')
  events.refreshed(true)
}

function callsFailed(): void {
  const events = new RetryEvents(createLogger({ name: 'router', level: 'silent' })).of('reviews')
  events.retried('status', '503')
  events.retried('connection', 'refused')
  events.budgetSpent('status', '503')
  const hedges = new HedgeEvents(createLogger({ name: 'router', level: 'silent' })).of('reviews')
  hedges.ended('won')
  hedges.refused('budget')
  const documents = new DocumentEvents(createLogger({ name: 'router', level: 'silent' }))
  documents.read(2, 0)
  documents.used('by-id')
  documents.checked('a', 2, [{ id: 'b', operation: null, reason: 'c' }], 0)
  new SharedDocumentEvents(createLogger({ name: 'router', level: 'silent' })).found()
  new SheddingEvents(createLogger({ name: 'router', level: 'silent' })).shedding(300)
  const slots = new SlotEvents(createLogger({ name: 'router', level: 'silent' })).of('reviews')
  new ShadowMetrics().count('equal')
  new UploadMetrics().ended('sent')
  slots.waited(3)
  slots.refused()
  new RateEvents(createLogger({ name: 'router', level: 'silent' })).away('refused', 'allow')
  new SubgraphAddressEvents(createLogger({ name: 'router', level: 'silent' }))
    .of('reviews', 'http://127.0.0.1:1/graphql')
    .setAside(500, 1)
  const circuit = new CircuitEvents(createLogger({ name: 'router', level: 'silent' })).of('reviews')
  circuit.opened(4, 4)
  circuit.refused()
  new ResponseHeaderMetrics().dropped('too_late')
}

function subscriptionServed(): void {
  const served = new SubscriptionMetrics()
  served.began(null)
  served.sent(0)
  served.moved()
  served.ended(null, 'complete')
}

function subscribedUpstream(): void {
  const events = new UpstreamEvents(createLogger({ name: 'router', level: 'silent' }))
  events.connected('sse')
  events.sourceOpened('reviews')
  events.listenerJoined('reviews')
  events.received('reviews')
  events.nonsense('reviews', 'binary')
  events.lost('reviews', brokenConnection('reviews', true, null))
  const messages = new BrokerEvents(createLogger({ name: 'router', level: 'silent' }))
  messages.passed('reviews')
  const logger = createLogger({ name: 'router', level: 'silent' })
  const source = { operation: 'publish', field: 'Mutation.a' } as const
  new BrokerCallEvents(logger).ok('reviews', source)
}

function fieldsDenied(): void {
  new DenialMetrics().ended({ composition: null, code: null, denied: 2 })
}

/** One of them is closed. */
async function tooManyConnections(port: number): Promise<void> {
  const sockets = Array.from({ length: CONNECTIONS + 1 }, () => connect({ port, host: '127.0.0.1' }))
  for (const socket of sockets) socket.on('error', () => {})
  await Promise.race(sockets.map((socket) => once(socket, 'close')))
  for (const socket of sockets) socket.destroy()
}

/** Until some of it was collected, there is nothing to tell about that. */
function garbage(): void {
  const kept: object[] = []
  for (let index = 0; index < 100_000; index++) kept.push({ index })
}
