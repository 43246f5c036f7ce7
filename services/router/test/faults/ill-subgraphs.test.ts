/**
 * One of two subgraphs is ill in every way there is. Clients get the right error at the right path and keep
 * what the other subgraph has answered, whole and in parts; nothing is left behind; and once the subgraph is
 * well the router serves it again, as soon as its circuit allows.
 */
import { readFileSync } from 'node:fs'
import { sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../support/router.ts'
import { until } from '../support/router.ts'
import { overHttp1 } from '../support/streams.ts'
import { type IllWorld, ITEMS, startIllWorld, type Way, WAYS } from './ill-world.ts'
import { ILLNESSES, type Illness } from './illnesses.ts'
import { REPORT } from './ill-subgraph.ts'
import { expectRecovery } from './recovery.ts'

const MEBIBYTE = 1024 * 1024
/** What a socket of this machine takes that nobody reads, with room to spare. */
const SOCKET_BUFFERS = 16 * MEBIBYTE
const OPEN_FOR = 100
const MIN_CALLS = 8

const BOTH = '{ items { id name count } report { title } }'
const RESTOCK = 'mutation { restock(id: "1") }'
const DEFERRED = '{ items { id name ...@defer { count } } }'

/**
 * Only the ill subgraph has a short time limit: a slow machine may take any time for calls of the other one.
 */
const settings = ({ isSilent }: Illness) =>
  `timeout: 60s, overrides: { stock: { timeout: ${isSilent ? '1s' : '60s'} } }, max_response_size: 1MiB, accept_encodings: [gzip], circuit_breaker: { enabled: true, min_calls: ${MIN_CALLS}, window: 1h, open_for: ${OPEN_FOR}ms, probes: 1 }`

const SILENT = ILLNESSES.filter(({ isSilent }) => isSilent)
const OTHERS = ILLNESSES.filter(({ isSilent }) => !isSilent)

/** All but `make test-long` look at every second, and by HTTPS at fewer. */
const every = (way: Way) => (way === 'HTTP' ? 2 : 6)

describe.each(WAYS)('called by %s, a subgraph that', (way) => {
  // Apart from the others, which take no notice of time.
  it.concurrent.each(sampled(SILENT, every(way)))(
    '$name loses only its own data until it is well',
    (illness) => suffers(way, illness),
  )

  it.concurrent.each(sampled(OTHERS, every(way)))(
    '$name loses only its own data until it is well',
    (illness) => suffers(way, illness),
  )
})

async function suffers(way: Way, illness: Illness): Promise<void> {
  await using world = await startIllWorld(settings(illness), way)
  const { stock, router } = world
  stock.fallIll(illness)
  expectWhole(await world.ask(BOTH), illness)
  await expectMutation(world, illness)
  expectParts(await partsOf(world), illness)
  // Each of its answers was read up to the limit at most, and then its connection was closed.
  expect(stock.flooded).toBeLessThan(4 * (MEBIBYTE + SOCKET_BUFFERS))
  if (isCutOff(illness)) await until(() => stock.open.size === 0, 'no connection is left')
  await until(() => router.activeRequests() === 0, 'no request is left')
  await expectCircuit(world, illness)
  await expectRecovery(world, { openFor: OPEN_FOR, mayTimeOut: illness.isSilent === true })
  expect(world.events('request.failed')).toEqual([])
  stock.recover()
  await router[Symbol.asyncDispose]()
  await until(() => stock.open.size === 0, 'the router has let go of all connections')
}

/** The router ends a connection on which an answer is to come that it does not want. */
const isCutOff = ({ gives }: Illness): boolean =>
  gives === 'SUBGRAPH_TIMEOUT' || gives === 'SUBGRAPH_RESPONSE_TOO_LARGE' || gives === 'SUBGRAPH_UNREACHABLE'

/** Paths and codes, sorted; that all are of the ill subgraph, and say nothing of where it is. */
function errorsOf(errors: Reply['json']['errors'] = []): string[] {
  for (const { message, extensions } of errors) {
    expect(extensions['serviceName']).toBe('stock')
    expect(message).not.toMatch(/127\.0\.0\.1|_entities/)
  }
  return errors
    .map(({ path, extensions }) => `${(path as string[]).join('.')} ${String(extensions['code'])}`)
    .sort()
}

function expectWhole({ status, text, json }: Reply, { gives }: Illness): void {
  const { report, counts, errors } =
    typeof gives === 'string'
      ? {
          report: null,
          counts: [null, null],
          errors: [`items.0.count ${gives}`, `items.1.count ${gives}`, `report ${gives}`],
        }
      : gives
  expect(status).toBe(200)
  expect(errorsOf(json.errors)).toEqual(errors)
  // Byte by byte, in the order of the query.
  const items = ITEMS.map((item, index) => ({ ...item, count: counts[index] }))
  expect(text).toContain(`"data":${JSON.stringify({ items, report })}`)
}

async function expectMutation(world: IllWorld, { gives }: Illness): Promise<void> {
  // Queries of before may arrive only now, where the machine is busy.
  const before = world.stock.mutations
  const { json } = await world.ask(RESTOCK)
  expect(world.stock.mutations - before).toBeLessThanOrEqual(1)
  if (typeof gives !== 'string') return
  expect(json.data).toEqual({ restock: null })
  expect(errorsOf(json.errors)).toEqual([`restock ${gives}`])
}

type Part = {
  readonly data?: unknown
  readonly errors?: unknown
  readonly hasNext: boolean
  readonly incremental?: readonly { readonly data: unknown; readonly errors?: Reply['json']['errors'] }[]
}

async function partsOf({ router }: IllWorld): Promise<readonly Part[]> {
  const stream = await overHttp1(router, DEFERRED, { accept: 'multipart/mixed;incrementalSpec=v0.2' })
  const parts: Part[] = []
  for (let part = await stream.next(); part !== null; part = await stream.next()) parts.push(part as Part)
  return parts
}

/** The first part is whole; the second has what is missing, with the error. */
function expectParts([first, ...rest]: readonly Part[], { gives }: Illness): void {
  expect(first).toEqual({ data: { items: ITEMS }, pending: expect.anything(), hasNext: true })
  const delivered = rest.flatMap(({ incremental = [] }) => incremental)
  const counts = typeof gives === 'string' ? [null, null] : gives.counts
  expect(delivered.map(({ data }) => data)).toEqual(counts.map((count) => ({ count })))
  expect(rest.at(-1)?.hasNext).toBe(false)
  if (typeof gives !== 'string') return
  expect(errorsOf(delivered.flatMap(({ errors = [] }) => errors))).toEqual([
    `items.0.count ${gives}`,
    `items.1.count ${gives}`,
  ])
}

/** Its circuit opens with the last of so many calls, or stays closed if it is not to blame, or answers. */
async function expectCircuit(world: IllWorld, illness: Illness): Promise<void> {
  const { opensCircuit = true, gives } = illness
  const ask = async () => {
    const { json } = await world.ask('{ items { id name } report { title } }')
    expect(json.data?.['items']).toEqual(ITEMS)
    return errorsOf(json.errors)
  }
  const replies = await Promise.all(Array.from({ length: MIN_CALLS }, ask))
  const opened = world.events('subgraph.circuit-opened')
  if (!opensCircuit) {
    if (typeof gives === 'string') for (const errors of replies) expect(errors).toEqual([`report ${gives}`])
    expect(opened).toEqual([])
  } else expect(opened).toMatchObject([{ subgraph: 'stock', failures: MIN_CALLS, count: 1 }])
}

describe('the data of a subgraph that is well', () => {
  it('are all that a client sees', async () => {
    await using world = await startIllWorld('timeout: 60s')
    const { json } = await world.ask(BOTH)
    expect(json).toEqual({
      data: { items: ITEMS.map((item, index) => ({ ...item, count: [3, 5][index] })), report: REPORT },
    })
  })
})

it('each stands in docs/ill-subgraphs.md, with what clients get', () => {
  const page = readFileSync(new URL('../../../../docs/ill-subgraphs.md', import.meta.url), 'utf8')
  const rows = ILLNESSES.map(({ name, gives }) =>
    typeof gives === 'string' ? `| ${name} | \`${gives}\` |` : `| ${name} | what is wrong is null |`,
  )
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})
