/** Counting with real operations, a clock of the test, and nobody on the network. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { trace } from '@opentelemetry/api'
import { usageBucket, MAX_USAGE_BYTES, routerUsageFrom, type RouterUsage } from '@switchyard/contracts'
import { TRACE_CONTEXT } from '@switchyard/service-kit'
import { afterEach, describe, expect, it } from 'vitest'
import { announceUsage } from '../../../src/concerns/usage/announce-usage.ts'
import { joinUsage } from '../../../src/concerns/usage/join-usage.ts'
import { MAX_ROWS } from '../../../src/concerns/usage/usage-minute.ts'
import { Usage } from '../../../src/concerns/usage/usage.ts'
import { UsageReports } from '../../../src/concerns/usage/usage-reports.ts'
import { RequestReport } from '../../../src/observe/request-report.ts'
import { createRequestSpans } from '../../../src/observe/request-spans.ts'
import type { CountedOperation, KnownDocuments } from '../../../src/observe/request-summary.ts'
import { heldBytes } from '../../support/heap.ts'
import { operationOf } from './schema.ts'

const SPAN = createRequestSpans(trace.getTracer('test'), TRACE_CONTEXT, {
  route: '/graphql',
  scheme: 'http',
})(new IncomingMessage(new Socket()))
const ARTIFACT = 'a'.repeat(64)
const FLAG_ARTIFACT = 'b'.repeat(64)
const START = Date.parse('2026-11-30T10:00:00Z')

const cached = (document: string, name: string | null = null): CountedOperation => ({
  document,
  operation: operationOf(document, name),
  counted: null,
})
/** Operations that differ in what they use. */
const numbered = (number: number) => cached(`query N${number} { node(id: "${number}") { id } }`)

type Asked = {
  readonly flag?: string | null
  readonly client?: readonly [name: string, version: string]
  readonly address?: string
  readonly errors?: number
  readonly list?: KnownDocuments | null
}

class World {
  now = START
  readonly heard: RouterUsage[] = []
  readonly usage = new Usage(() => this.now)
  tellsDocuments = true
  readonly #tell = announceUsage({
    announcer: {
      announce: (subject, message) => {
        const read = routerUsageFrom(subject, JSON.parse(JSON.stringify(message)))
        if (read === null) throw new Error('The message is none of usage.')
        this.heard.push(read)
      },
    },
    fleetKey: null,
    instance: 'r1',
    boot: 'boot',
    graph: () => ({ namespace: 'default', graph: 'shop' }),
  })
  readonly reports = new UsageReports({
    usage: this.usage,
    tellsDocuments: () => this.tellsDocuments,
    tell: this.#tell,
    onDefect: (error) => {
      throw error
    },
    second: 20,
    now: () => this.now,
    interval: 2 ** 30,
  })

  ask(executed: CountedOperation | null, asked: Asked = {}): void {
    const { flag = null, client = ['', ''], address = '1.2.3.4', errors = 0, list = null } = asked
    const report = new RequestReport({ method: 'POST' }, SPAN, { requestId: 'id', route: '/graphql' }, [
      this.usage,
    ])
    report.clientNamed(...client)
    report.chose({
      reason: 'none',
      flag,
      rollout: null,
      generation: { artifact: flag === null ? ARTIFACT : FLAG_ARTIFACT },
      config: { version: { revision: 1 } },
    })
    if (executed !== null) report.executing(executed, list, address)
    if (errors > 0) report.executed({ count: errors, code: 'other', failure: null })
    report.stopClock()
    report.end(false, null)
  }

  /** Goes on to the second of the next minute at which this one is told. */
  async minute(): Promise<RouterUsage> {
    this.now += 60_000 - (this.now % 60_000) + 20_000
    this.reports.look()
    const minute = Math.floor(this.now / 60_000) - 1
    await expect.poll(() => this.heard.at(-1)?.minute).toBe(minute)
    const last = this.heard.at(-1)
    if (last === undefined) throw new Error('Nothing was heard.')
    return last
  }
}

const worlds: World[] = []
function begin(): World {
  const world = new World()
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const { reports } of worlds.splice(0)) await reports[Symbol.asyncDispose]()
})

/** Rows with names for numbers. */
const rowsOf = (usage: RouterUsage) =>
  usage.rows.map(({ composition, client, operation, requests, errors }) => ({
    flag: usage.compositions[composition]?.flag,
    client: usage.clients[client]?.name,
    operation: usage.operations[operation]?.name,
    requests,
    errors,
  }))
const requestsOf = ({ rows, rest }: RouterUsage) =>
  [...rows, ...rest].reduce((sum, { requests }) => sum + requests, 0)

describe('usage', () => {
  it('holds nothing of a generation once its operations are described, and tells them all the same', async () => {
    const world = begin()
    const ask = () => {
      const counted = cached('query Q { node(id: "1") { id } }')
      world.ask(counted)
      return new WeakRef(counted.operation)
    }
    const operation = ask()
    world.reports.look()
    // Collects garbage.
    await expect.poll(async () => [await heldBytes(), operation.deref()][1]).toBeUndefined()
    const told = await world.minute()
    expect(rowsOf(told)).toMatchObject([{ operation: 'Q', requests: 1 }])
    expect(told.documents[0]?.coordinates).toEqual(['Node.id', 'Query.node', 'Query.node(id:)'])
  })

  it('is counted by operation, client and composition, and told at its second', async () => {
    const world = begin()
    const first = numbered(1)
    world.ask(first, { client: ['ios', '3.2'] })
    world.ask(first, { client: ['ios', '3.2'], errors: 2 })
    world.ask(first, { client: ['ios', '3.3'] })
    world.ask(first)
    world.ask(cached('query N1 { node(id: "another literal") { id } }'))
    world.ask(numbered(1), { flag: 'prices' })
    world.now += 60_000
    world.reports.look()
    expect(world.heard).toEqual([])
    const told = await world.minute()
    expect(told).toMatchObject({
      instance: 'r1',
      boot: 'boot',
      namespace: 'default',
      graph: 'shop',
      untold: 0,
    })
    const [{ minute, since } = { minute: 0, since: 0 }] = world.heard
    expect([minute, since]).toEqual([START / 60_000, START / 60_000])
    expect(rowsOf(world.heard[0] ?? told)).toEqual([
      { flag: null, client: 'ios', operation: 'N1', requests: 2, errors: 1 },
      { flag: null, client: null, operation: 'N1', requests: 2, errors: 0 },
      { flag: null, client: 'ios', operation: 'N1', requests: 1, errors: 0 },
      { flag: 'prices', client: null, operation: 'N1', requests: 1, errors: 0 },
    ])
    expect(world.heard[0]?.operations).toHaveLength(1)
    expect(world.heard[0]?.documents.map(({ artifact, text }) => [artifact, text])).toEqual([
      [ARTIFACT, 'query N1 {\n  node(id: "") {\n    id\n  }\n}'],
      [FLAG_ARTIFACT, 'query N1 {\n  node(id: "") {\n    id\n  }\n}'],
    ])
  })

  it('tells a minute without requests, minutes that were slept through, and a new beginning', async () => {
    const world = begin()
    world.ask(numbered(1))
    world.now += 3 * 60_000
    await world.minute()
    await expect.poll(() => world.heard.map(requestsOf)).toEqual([1, 0, 0, 0])
    world.now += 60 * 60_000
    world.reports.look()
    const { minute, since } = await world.minute()
    expect(since).toBe(minute)
    expect(world.heard.map((told) => told.minute - START / 60_000)).toEqual([0, 1, 2, 3, 4, 64])
  })

  it('counts refused requests in the rest, where they use nothing', async () => {
    const world = begin()
    world.ask(null, { errors: 1 })
    const told = await world.minute()
    expect(told.rest).toEqual([
      { composition: 0, requests: 1, errors: 1, latency: told.rest[0]?.latency, coordinates: [] },
    ])
    expect(told.operations).toEqual([])
  })

  it('says a document once, and again after six hours of use', async () => {
    const world = begin()
    const said: number[] = []
    for (const hours of [0, 1, 5.9, 6.1, 6.2, 12.3]) {
      world.now = START + hours * 60 * 60_000
      world.reports.look()
      world.ask(numbered(1))
      said.push((await world.minute()).documents.length)
    }
    expect(said).toEqual([1, 0, 0, 1, 0, 1])
  })

  it('tells no text where the settings say so', async () => {
    const world = begin()
    world.tellsDocuments = false
    world.ask(numbered(1))
    expect((await world.minute()).documents).toMatchObject([
      { text: null, coordinates: ['Node.id', 'Query.node', 'Query.node(id:)'] },
    ])
  })

  it('tells input fields and enum values in variables once an hour', async () => {
    const world = begin()
    const operation = cached('query Q($f: Filter) { products(filter: $f) { id } }')
    const send = (variables: Record<string, unknown>) => {
      const seen = world.usage.inputsOf(operation)
      void operation.operation.coerceVariablesInTurns(variables, { next: async () => {} }, seen)
      world.ask(operation)
      return seen
    }
    send({ f: { name: 'secret', and: [{ order: 'PRICE' }] } })
    send({ f: { name: 'other' } })
    expect((await world.minute()).values.map(({ coordinates }) => coordinates)).toEqual([
      ['Filter.name', 'Filter.and', 'Filter.order', 'Order.PRICE'],
    ])
    send({ f: { name: 'x', above: 1, order: 'NAME', free: { NAME: 'PRICE' } } })
    expect((await world.minute()).values.map(({ coordinates }) => coordinates)).toEqual([
      ['Filter.above', 'Order.NAME', 'Filter.free'],
    ])
    expect(send({ f: { name: 'x' } }), 'all are seen').toBeNull()
    expect((await world.minute()).values).toEqual([])
    world.now += 60 * 60_000
    world.reports.look()
    send({ f: { name: 'x' } })
    expect((await world.minute()).values.map(({ coordinates }) => coordinates)).toEqual([['Filter.name']])
    expect(JSON.stringify(world.heard)).not.toContain('secret')
  })
})

describe('the room for usage', () => {
  it('is shared by addresses: one cannot push out the others', async () => {
    const world = begin()
    for (let number = 0; number < 2 * MAX_ROWS; number++) world.ask(numbered(number), { address: 'greedy' })
    const honest = cached('query Honest { products { price } }')
    for (let count = 0; count < 5; count++) world.ask(honest, { address: 'honest' })
    const told = await world.minute()
    expect(rowsOf(told)[0]).toEqual({ flag: null, client: null, operation: 'Honest', requests: 5, errors: 0 })
    expect(requestsOf(told)).toBe(2 * MAX_ROWS + 5)
    expect(told.rest).toHaveLength(1)
    expect(told.rest[0]?.coordinates, 'more operations than the rest knows').toBeNull()
  })

  it('is first for listed documents, and the rest knows what its operations use', async () => {
    const world = begin()
    const listed = cached('query Listed { products { name } }')
    const list = { withText: (text: string) => (text === listed.document ? {} : null) }
    for (let number = 0; number < 900; number++) {
      world.ask(numbered(number), { list })
      world.ask(numbered(number), { list })
    }
    world.ask(listed, { list })
    const told = await world.minute()
    expect(rowsOf(told)[0]).toMatchObject({ operation: 'Listed', requests: 1 })
    expect(told.rows.length).toBeLessThan(900)
    expect(requestsOf(told)).toBe(1801)
    expect(told.rest[0]?.coordinates).toEqual(['Node.id', 'Query.node', 'Query.node(id:)'])
  })

  it('is that of a message: documents that do not fit are told later, and counted as untold until then', async () => {
    const world = begin()
    const many = Array.from({ length: 200 }, (_, number) =>
      cached(
        `query N${number} { ${Array.from({ length: 40 }, (_none, at) => `a${at}: node(id: 1) { id }`).join(' ')} }`,
      ),
    )
    for (const operation of many) world.ask(operation)
    const hashes = new Set<string>()
    let last = await world.minute()
    expect(last.untold).toBeGreaterThan(0)
    for (let minutes = 0; last.untold > 0; minutes++) {
      expect(minutes).toBeLessThan(60)
      for (const { hash } of last.documents) hashes.add(hash)
      last = await world.minute()
    }
    for (const { hash } of last.documents) hashes.add(hash)
    expect(hashes.size).toBe(new Set(world.heard[0]?.operations.map(({ hash }) => hash)).size)
    for (const told of world.heard)
      expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThanOrEqual(MAX_USAGE_BYTES)
  })

  it('is not exceeded by names of clients and operations', async () => {
    const world = begin()
    const name = `n${'é'.repeat(127)}`
    const operation = cached(`query ${'Q'.repeat(3000)} { products { id } }`)
    for (let client = 0; client < 1500; client++) world.ask(operation, { client: [name + client, '1'] })
    const told = await world.minute()
    expect(told.operations[0]?.name).toBe('Q'.repeat(200))
    expect(requestsOf(told)).toBe(1500)
    expect(Buffer.byteLength(JSON.stringify(told))).toBeGreaterThan(MAX_USAGE_BYTES / 3)
  })
})

describe('the usage of several processes', () => {
  it('becomes one message', async () => {
    const [one, two] = [begin(), begin()]
    one.ask(numbered(1), { client: ['ios', '1'] })
    one.ask(numbered(2))
    two.ask(numbered(2), { errors: 1 })
    two.ask(null, { errors: 1 })
    two.ask(numbered(3), { flag: 'prices' })
    const joined = joinUsage([await one.minute(), await two.minute()])
    const told: RouterUsage = { ...(await one.minute()), ...joined }
    expect(rowsOf(told)).toEqual([
      { flag: null, client: 'ios', operation: 'N1', requests: 1, errors: 0 },
      { flag: null, client: null, operation: 'N2', requests: 2, errors: 1 },
      { flag: 'prices', client: null, operation: 'N3', requests: 1, errors: 0 },
    ])
    expect(told.rest).toMatchObject([{ requests: 1, errors: 1, coordinates: [] }])
    expect(told.documents).toHaveLength(3)
    const [, n2] = told.rows
    expect(n2?.latency.reduce((sum, [, count]) => sum + count, 0)).toBe(2)
    expect(n2?.latency[0]?.[0]).toBeGreaterThanOrEqual(usageBucket(0))
  })
})
