/** A client that is cut off anywhere, and comes back with the id of the last event that it has whole. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { RandomRun, waitFor } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKey, LogWriter } from '../audit/support.ts'
import { type Client, openStorage, startClient } from '../harness.ts'
import { changesOf, readLive, type Told } from './support.ts'

const run = new RandomRun(import.meta.url, 3, 60)

/** The namespaces of records that are written, and the characters after which the client is cut off. */
type Step = { readonly records: readonly (string | null)[]; readonly cutAfter: number }

const STEPS = fc.array(
  fc.record({
    records: fc.array(fc.constantFrom('own', 'foreign', 'too', null), { maxLength: 12 }),
    // Hello alone has some 60.
    cutAfter: fc.oneof(fc.integer({ min: 50, max: 200 }), fc.integer({ min: 1, max: 1500 })),
  }),
  { minLength: 5, maxLength: 10 },
)

/** Creates and deletes namespaces, and creates keys. Returns the sequence; null for a key. */
function changer(client: Client, writer: LogWriter) {
  const existing = new Set<string>()
  let keys = 0
  return async (namespace: string | null): Promise<number | null> => {
    if (namespace === null) {
      await createKey(client, `key-${keys++}`, 'read')
      return null
    }
    const isThere = existing.delete(namespace)
    if (!isThere) existing.add(namespace)
    return writer.write(namespace, [{ type: isThere ? 'namespace.deleted' : 'namespace.created' }])
  }
}

async function toldWhile(client: Client, write: ReturnType<typeof changer>, steps: readonly Step[]) {
  const key = await createKey(client, 'own', 'deploy:own', 'publish:too')
  const expected: number[] = []
  const told: Told[] = []
  let last = 0
  for (const { records, cutAfter } of [...steps, { records: [], cutAfter: Number.POSITIVE_INFINITY }]) {
    const reader = await readLive(client, { key, after: last, cutAfter })
    for (const namespace of records) {
      const sequence = await write(namespace)
      if (sequence !== null && namespace !== 'foreign') expected.push(sequence)
      await nextTurn()
    }
    const isLast = cutAfter === Number.POSITIVE_INFINITY
    const missing = expected.filter((sequence) => sequence > last).length
    if (isLast) await waitFor('the rest', () => changesOf(reader).length >= missing)
    reader.cut()
    await waitFor('the end', () => reader.isOver)
    told.push(...reader.told)
    last = reader.told.at(-1)?.id ?? last
  }
  return { told, expected }
}

it(
  'is told of each change of its namespaces once, in order, and of none of others',
  async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        await using storage = await openStorage()
        await using client = await startClient(storage)
        const write = changer(client, new LogWriter(storage.log))
        const { told, expected } = await toldWhile(client, write, steps)
        expect(changesOf({ told })).toEqual(expected)
        const events = told.map(({ event }) => event)
        const namespaces = events.flatMap((event) => ('namespace' in event ? [event.namespace] : []))
        expect(namespaces.filter((namespace) => namespace !== 'own' && namespace !== 'too')).toEqual([])
        expect(events.filter((event) => event.kind === 'hello' && event.missed)).toEqual([])
      }),
      run.parameters,
    )
  },
  run.timeout(60_000),
)
