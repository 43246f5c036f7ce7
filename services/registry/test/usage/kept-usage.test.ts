/** Usage that is kept equals what a naive model counts, however messages arrive. */
import type { GraphName, RouterHeartbeat, RouterUsage } from '@switchyard/contracts'
import type { BlobStore, KeyValueStore } from '@switchyard/event-log'
import { createLogger } from '@switchyard/service-kit'
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { HeardUsage } from '../../src/usage/heard-usage.ts'
import { CoordinatesThread } from '../../src/usage/coordinates-thread.ts'
import { UsageAnswers } from '../../src/usage/usage-answers.ts'
import { HOUR_MS, UsageStore } from '../../src/usage/usage-store.ts'
import { GRAPH, heartbeat } from '../harness.ts'
import { ARTIFACT, sha, subjectOf, told, usage } from './messages.ts'

const MINUTE_MS = 60_000
const { seed: SEED, runs: RUNS } = new RandomRun(import.meta.url, 3, 30)
const SEEDS = Array.from({ length: RUNS }, (_, run) => SEED + run)
const START = Math.floor(Date.UTC(2026, 10, 1) / MINUTE_MS)

/** Numbers between 0 and 1 that follow from a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Values in memory, as every store of them keeps them. */
function valuesInMemory(): KeyValueStore {
  const values = new Map<string, { bytes: Uint8Array; revision: number }>()
  return {
    get: async (key) => values.get(key) ?? null,
    async set(key, bytes, revision) {
      if ((values.get(key)?.revision ?? 0) !== revision) return false
      values.set(key, { bytes, revision: revision + 1 })
      return true
    },
    keys: async (prefix) => [...values.keys()].filter((key) => key.startsWith(`${prefix}.`)),
    delete: async (key) => void values.delete(key),
  }
}

type Registry = AsyncDisposable & {
  readonly heard: HeardUsage
  readonly answers: UsageAnswers
  readonly store: UsageStore
  hear(message: RouterUsage): Promise<void>
}

const NO_SCHEMAS = {
  ask: () => Promise.reject(new Error('there is no schema')),
  related: () => Promise.reject(new Error('there is no schema')),
}

/** Clock in minutes. */
type Clock = { minute: number }

function registry(
  values: KeyValueStore,
  clock: Clock,
  days = 30,
  schemas: Pick<CoordinatesThread, 'ask' | 'related'> = NO_SCHEMAS,
): Registry {
  const now = () => clock.minute * MINUTE_MS
  const store = new UsageStore({ values, days, now })
  const handlers = new Set<(message: unknown, subject: string) => void>()
  const heard = new HeardUsage({
    store,
    subscribe: (handler) => {
      handlers.add(handler)
      return { [Symbol.dispose]: () => void handlers.delete(handler) }
    },
    isListening: () => true,
    isGraph: ({ graph }: GraphName) => graph === GRAPH.graph,
    logger: createLogger({ name: 'registry', level: 'silent' }),
    now,
    monotonicNow: () => 0,
  })
  return {
    heard,
    store,
    answers: new UsageAnswers({ store, heard, schemas, now }),
    async hear(message) {
      for (const handler of handlers) handler(JSON.parse(JSON.stringify(message)), subjectOf(message))
    },
    [Symbol.asyncDispose]: () => heard[Symbol.asyncDispose](),
  }
}

const EVERYTHING = { groups: ['operation', 'client', 'flag'], filter: {}, limit: 1000 } as const

describe('usage that is kept', () => {
  it.each(SEEDS)('equals a naive model, whatever is lost, doubled or out of order (%i)', async (seed) => {
    const random = randomOf(seed)
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    const clock = { minute: START }
    const values = valuesInMemory()
    const registries = [registry(values, clock), registry(values, clock)]
    const told = new Set<string>()
    const due = new Set<string>()
    const heard = new Set<number>()
    const totals = new Map<string, number>()
    const late: RouterUsage[] = []
    for (let minute = START; minute < START + 150; minute += 1) {
      clock.minute = minute
      for (const instance of ['r1', 'r2']) {
        const boot = minute < START + 70 ? 'b1' : 'b2'
        const since = boot === 'b1' ? START : START + 70
        const counted = ['A', 'B', 'C'].map((operation) => ({
          operation,
          flag: pick([null, 'prices']),
          client: pick(['web', 'ios', null]),
          requests: Math.floor(random() * 5),
          bucket: Math.floor(random() * 84),
        }))
        const message = usage(minute, { instance, boot, since, counted })
        const isLost = random() < 0.1
        const name = `${instance} ${boot} ${minute}`
        const beat: RouterHeartbeat = heartbeat({ instance, boot })
        if (random() < 0.9) {
          for (const one of registries) one.heard.hearAlive(beat)
          due.add(name)
        }
        if (isLost) continue
        told.add(name)
        due.add(name)
        // Minutes of the same hour before a told one were due.
        const first = Math.max(since, Math.floor(minute / 60) * 60)
        for (let before = first; before < minute; before += 1) due.add(`${instance} ${boot} ${before}`)
        for (const { operation, client, flag, requests } of counted) {
          const key = JSON.stringify([operation, client, flag])
          totals.set(key, (totals.get(key) ?? 0) + requests)
        }
        if (random() < 0.2) late.push(message)
        else
          for (const one of registries) if (random() < 0.7 || one === registries[0]) await one.hear(message)
        if (random() < 0.2) await pick(registries).hear(message)
      }
      if (random() < 0.2) {
        await Promise.all(registries.map((one) => one.heard.written()))
        heard.add(minute)
      }
    }
    clock.minute = START + 155
    for (const message of late.reverse()) await pick(registries).hear(message)
    await Promise.all(registries.map((one) => one.heard.written()))
    const window = { from: START * MINUTE_MS, to: (START + 180) * MINUTE_MS }
    for (const one of registries) {
      const report = await one.answers.report(GRAPH, null, { ...EVERYTHING, ...window })
      const found = report.groups.map(({ operation, client, flag, requests }) => {
        return [JSON.stringify([operation?.name, client?.name, flag]), requests] as const
      })
      expect(new Map(found)).toEqual(totals)
      expect(report.totals.requests).toBe([...totals.values()].reduce((sum, count) => sum + count, 0))
      expect(report.coverage).toMatchObject({
        reportedMinutes: told.size,
        aliveMinutes: due.size,
        // The last minute is not over, or the one before not due yet.
        unheardMinutes: 153 - heard.size,
        isEvidence: false,
      })
    }
    for (const one of registries) await one[Symbol.asyncDispose]()
  })

  it('is the same by hours and after days were added up, and goes when it is old', async () => {
    const clock = { minute: START }
    await using one = registry(valuesInMemory(), clock, 3)
    for (let hour = 0; hour < 48; hour += 1) {
      clock.minute = START + hour * 60 + 5
      await one.hear(usage(clock.minute, { counted: [{ operation: 'A', requests: hour, errors: 1 }] }))
      await one.heard.written()
    }
    const window = { from: START * MINUTE_MS, to: START * MINUTE_MS + 48 * HOUR_MS }
    const ask = () => one.answers.report(GRAPH, null, { ...EVERYTHING, ...window })
    const before = await ask()
    expect(before.totals).toMatchObject({ requests: 47 * 24, errors: 48 })
    clock.minute = START + (24 + 26) * 60
    await one.store.maintain()
    expect((await ask()).groups).toEqual(before.groups)
    expect((await ask()).coverage).toMatchObject({ reportedMinutes: 48, aliveMinutes: 48 })
    const hours = await one.answers.report(GRAPH, null, { ...EVERYTHING, ...window, groups: ['hour'] })
    expect(hours.groups.map(({ requests }) => requests)).toEqual(
      Array.from({ length: 48 }, (_, hour) => hour),
    )
    clock.minute = START + 7 * 24 * 60
    await one.store.maintain()
    expect((await ask()).totals.requests).toBe(0)
  })

  it('tells who uses a coordinate, by documents and by what variables held', async () => {
    const clock = { minute: START }
    await using one = registry(valuesInMemory(), clock)
    const counted = [
      { operation: 'A', client: 'ios', version: '3.2', flag: 'prices', requests: 41 },
      { operation: 'B', requests: 2 },
    ]
    const documents = [told('A', ['Query.a', 'Product.price'], sha('prices')), told('B', ['Query.b'])]
    const values = [{ hash: sha('B'), artifact: ARTIFACT, coordinates: ['Filter.color'] }]
    await one.hear(usage(START, { counted, documents, values }))
    const who = async (coordinate: string) => {
      const question = { ...EVERYTHING, from: START * MINUTE_MS, coordinates: [coordinate] }
      const { groups } = await one.answers.report(GRAPH, null, question)
      return groups.map(({ operation, client, flag, requests }) => [
        operation?.name,
        client?.name,
        flag,
        requests,
      ])
    }
    expect(await who('Product.price')).toEqual([['A', 'ios', 'prices', 41]])
    expect(await who('Filter.color')).toEqual([['B', 'web', null, 2]])
    expect(await who('Product.name')).toEqual([])
    const operation = await one.answers.operation(GRAPH, sha('A'), { from: START * MINUTE_MS })
    expect(operation).toMatchObject({
      name: 'A',
      coordinates: ['Product.price', 'Query.a'],
      totals: { requests: 41 },
    })
  })

  it('has room for so many operations of an hour, and says of the rest that it may use everything', async () => {
    const clock = { minute: START }
    await using one = registry(valuesInMemory(), clock)
    for (let part = 0; part < 60; part += 1) {
      const counted = Array.from({ length: 100 }, (_, index) => ({
        operation: `${part} ${index}`,
        requests: 1,
      }))
      await one.hear(usage(START, { instance: `r${part}`, counted }))
    }
    const question = { ...EVERYTHING, from: START * MINUTE_MS, limit: 10 }
    const report = await one.answers.report(GRAPH, null, question)
    expect(report).toMatchObject({ totals: { requests: 6000 }, restRequests: 1000, leftOut: 4990 })
    expect(report.coverage.isEvidence).toBe(false)
  })

  it('names as unused what no operation uses, also by an interface, and asks for who uses a type', async () => {
    const supergraphSdl =
      'interface Node { id: ID } type Product implements Node { id: ID name: String } type Query { node: Node a: Product }'
    const artifact = new TextEncoder().encode(JSON.stringify({ supergraphSdl }))
    const bytes = { has: async () => true, get: async () => artifact } as unknown as BlobStore
    await using schemas = new CoordinatesThread({ blobs: bytes, pieces: bytes })
    const clock = { minute: START }
    await using one = registry(valuesInMemory(), clock, 30, schemas)
    for (; clock.minute < START + 60; clock.minute += 1) {
      const documents = [told('A', ['Query.node', 'Node.id'])]
      await one.hear(
        usage(clock.minute, { since: START, counted: [{ operation: 'A', requests: 1 }], documents }),
      )
      await one.heard.written()
    }
    clock.minute = START + 65
    const window = { from: START * MINUTE_MS, to: (START + 60) * MINUTE_MS }
    const schema = { namespace: GRAPH.namespace, artifact: ARTIFACT }
    const unused = (listed: { readonly search?: string; readonly limit: number }) =>
      one.answers.unused(GRAPH, schema, { ...window, ...listed })
    const both = ['Product.name', 'Query.a']
    expect(await unused({ limit: 2 })).toMatchObject({ unused: both, reason: null, total: 2 })
    expect(await unused({ limit: 1 })).toMatchObject({ unused: ['Product.name'], total: 2 })
    expect(await unused({ limit: 2, search: 'query' })).toMatchObject({ unused: ['Query.a'], total: 1 })
    const question = { ...EVERYTHING, ...window, groups: ['coordinate'] as const }
    const askedFor = async (...coordinates: string[]) => {
      const { groups } = await one.answers.report(GRAPH, schema, { ...question, coordinates })
      return groups.map(({ coordinate }) => coordinate).toSorted()
    }
    expect(await askedFor('Product.id', 'Product.name', 'Product')).toEqual(['Product', 'Product.id'])
  })

  it('is evidence only with all minutes of routers, all documents, and no rest that may use everything', async () => {
    const coverageOf = async (change: (minute: number) => Partial<RouterUsage> | null, listens = true) => {
      const clock = { minute: START }
      await using one = registry(valuesInMemory(), clock)
      for (let minute = START; minute < START + 60; minute += 1) {
        clock.minute = minute
        const changed = change(minute)
        one.heard.hearAlive(heartbeat({ instance: 'r1', boot: 'b1' }))
        const counted = [{ operation: 'A', requests: 1 }]
        const documents = [told('A', ['Query.a'])]
        if (changed !== null) await one.hear(usage(minute, { since: START, counted, documents, ...changed }))
        if (listens) await one.heard.written()
      }
      clock.minute = START + 65
      const window = { from: START * MINUTE_MS, to: (START + 60) * MINUTE_MS }
      return (await one.answers.report(GRAPH, null, { ...EVERYTHING, ...window })).coverage
    }
    expect(await coverageOf(() => ({}))).toMatchObject({ isEvidence: true, reason: null, share: 1 })
    expect((await coverageOf((minute) => (minute === START + 9 ? null : {}))).reason).toContain(
      'told 59 of the 60',
    )
    expect((await coverageOf(() => ({}), false)).reason).toContain('No registry listened')
    expect((await coverageOf(() => ({ documents: [] }))).reason).toContain('nobody knows yet what they use')
    expect((await coverageOf(() => ({ untold: 1 }))).reason).toContain('nobody knows yet what they use')
    const counts = { composition: 0, requests: 1, errors: 0, latency: [] }
    const rest = (coordinates: string[] | null) => coverageOf(() => ({ rest: [{ ...counts, coordinates }] }))
    expect((await rest(null)).reason).toContain('no room')
    expect((await rest(['Query.x'])).isEvidence).toBe(true)
  })
})
