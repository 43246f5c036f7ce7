/**
 * What clients read when something fails: every situation with every fault, outside lists, in a list, in a
 * list of lists.
 */
import type { PendingPer } from '@switchyard/engine'
import {
  compareStream,
  deliveriesOf,
  expectStream,
  mergeParts,
  protocolComplaints,
  type StreamPart,
  valueAt,
  withTypeNames,
} from '@switchyard/testkit'
import { buildSchema, parse, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../support/drawn-stream.ts'
import { post } from '../support/router.ts'
import { overHttp1 } from '../support/streams.ts'
import { errorOf, FAULTS, type Name, type Trouble, Warehouse } from '../support/warehouse.ts'
import { type Situation, SITUATIONS } from './error-situations.ts'

const SCHEMA = buildSchema(`
  type Query { item: Item items: [Item] grid: [[Item]] sure: Item! }
  type Mutation { order: Item }
  type Item { id: ID! name: String color: String count: Int must: Int! place: Place stars: Int }
  type Place { shelf: Int! row: Int }
`)

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await Warehouse.start()
})
afterAll(() => warehouse[Symbol.asyncDispose]())

type Case = {
  readonly query: string
  readonly trouble: Trouble
  readonly held: Name | null
  readonly expected: string
  /** Of some subgraphs. */
  readonly calls: Readonly<Record<string, number>>
}

describe.each(SITUATIONS)('$what', (situation) => {
  it.each(casesOf(situation))(
    '$query: $trouble.fault of $trouble.field',
    async ({ query, trouble, held, expected, calls }) => {
      warehouse.suffer(trouble)
      const parts = await partsOf(query, held)
      const nameOf = (error: object) => nameOfError(error, trouble)
      expect(drawn(parts, nameOf)).toBe(expected)
      expect(protocolComplaints(parts)).toEqual([])
      expect(warehouse.calls).toMatchObject(calls)
      await agreesWithWhole(query, parts)
    },
  )
})

/** Of lists, where the forms differ, and of faults that take no time. */
const IN_LISTS = SITUATIONS.map((situation) => ({
  ...situation,
  cases: casesOf(situation).filter(
    ({ query, trouble }) => /\b(?:items|grid)\b/.test(query) && FAULTS.indexOf(trouble.fault) < 3,
  ),
})).filter(({ cases }) => cases.length > 0)

describe.each(IN_LISTS)('announced object by object, $what', ({ cases }) => {
  it.each(cases)(
    'brings the same: $query, $trouble.fault of $trouble.field',
    async ({ query, trouble, held }) => {
      warehouse.suffer(trouble)
      const whole = await partsOf(query, held)
      const items = await partsOf(query, held, 'item')
      expect(protocolComplaints(items, { pendingPer: 'item' })).toEqual([])
      expect(deliveriesOf(items)).toEqual(deliveriesOf(whole))
    },
  )
})

/** Reads a stream to its proper end. What is held answers once the first fragment was completed. */
async function partsOf(
  query: string,
  held: Name | null,
  pendingPer: PendingPer = 'fragment',
): Promise<readonly StreamPart[]> {
  if (held !== null) warehouse.hold(held)
  const stream = await overHttp1(await warehouse.router(pendingPer), query)
  const parts: StreamPart[] = []
  for (let part = await stream.next(); part !== null; part = await stream.next()) {
    parts.push(part as StreamPart)
    if (held !== null && parts.length === 2) warehouse.release(held)
  }
  return parts
}

/**
 * The same fault without `@defer` gives the same data; and these very parts, where no null took what is
 * around it along.
 */
async function agreesWithWhole(query: string, parts: readonly StreamPart[]): Promise<void> {
  if (parts.some(({ completed = [] }) => completed.some(({ errors }) => errors !== undefined))) return
  const ask = async (question: string) => (await post(await warehouse.router(), { query: question })).json
  const plain = await ask(query.replaceAll('@defer', ''))
  expect(mergeParts(parts).data).toEqual(plain.data)
  const errorPaths = (plain.errors ?? []).map(({ path }) => path as (string | number)[])
  if (errorPaths.some((path) => valueAt(plain.data, path) !== null)) return
  const document = parse(query)
  const { data } = await ask(print(withTypeNames(document)))
  const expected = expectStream({ schema: SCHEMA, document }, { data, errorPaths })
  expect(expected === null ? null : compareStream(expected, parts)).toBeNull()
}

function casesOf({ query, trouble, held, streams }: Situation): Case[] {
  let initial = ''
  return streams
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [root = '', fault = '', parts = '', calls = ''] = line.split('|').map((cell) => cell.trim())
      if (fault === 'any') {
        initial = parts
        return []
      }
      const [subgraph, field] = trouble.replace('$', root).split('.') as [Name, string]
      const [called = '', times] = calls.split(' ')
      const faults = fault === 'lost' ? FAULTS.slice(2) : FAULTS.filter((some) => some === fault)
      return faults.map((each) => ({
        query: query.replace('$', root),
        trouble: { subgraph, field, fault: each },
        held: held ?? null,
        expected: [initial, parts].filter((text) => text !== '').join(' ; '),
        // What is refused does not arrive, so nobody can count it.
        calls:
          times === undefined || (each === 'refused' && called === subgraph)
            ? {}
            : { [called]: Number(times) },
      }))
    })
}

function nameOfError(error: object, trouble: Trouble): string | null {
  const text = JSON.stringify(error)
  if (text === JSON.stringify(errorOf(trouble))) return 'FAULT'
  return /^{"message":"Cannot return null for non-nullable field \w+\.\w+\.","extensions":{"code":"SUBGRAPH_INVALID_VALUE","serviceName":"(?:shop|stock)"}}$/.test(
    text,
  )
    ? 'NULL'
    : null
}
