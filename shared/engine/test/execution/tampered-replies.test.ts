import { isLongRun, RandomRun, sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import type { SubgraphReply } from '../../src/index.ts'
import { createEngine, type SuiteEngine, type SuiteOperation, SUITES } from '@switchyard/corpus'
import { Random } from '@switchyard/samples'
import { responseComplaints } from './support/response-complaints.ts'

/**
 * `SEED=… RUNS=… vitest run shared/engine/test/execution/tampered-replies.test.ts` repeats or lengthens a
 * run.
 */
const RUN = new RandomRun(import.meta.url, 1)
const { seed: SEED, runs: RUNS } = RUN
/** `make test` and CI look at every second. */
const TAMPERED = sampled(SUITES, isLongRun() ? 1 : 2)

const JUNK: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => 0,
  () => -1.5,
  () => 2 ** 53,
  () => 1e300,
  () => '',
  () => 'text',
  () => true,
  () => [],
  () => ({}),
  () => [null],
  () => [[[{}]]],
  () => [{ id: '1' }, null, 'x'],
  () => ({ __typename: 'Nowhere' }),
  () => JSON.parse('{"__proto__":{"id":1},"constructor":2,"toString":null,"length":3}'),
  () => ({ data: null, errors: [{}] }),
]

/** A copy in which each node may have been replaced, removed, doubled, wrapped or exchanged with another. */
function tampered(value: unknown, random: Random, rate: number, seen: unknown[] = []): unknown {
  if (random.next() < rate) {
    const kind = random.below(4)
    if (kind === 0 && seen.length > 0) return structuredClone(random.pick(seen))
    if (kind === 1) return [value]
    if (kind === 2 && typeof value === 'string') return `${value}x`
    return random.pick(JUNK)()
  }
  if (seen.length < 200) seen.push(value)
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown) => {
      const chance = random.next()
      const next = tampered(item, random, rate, seen)
      return chance < rate / 2 ? [] : chance < rate ? [next, next] : [next]
    })
    return items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const next = tampered(child, random, rate, seen)
      return next === undefined || random.next() < rate / 2 ? [] : [[key, next]]
    }),
  )
}

/** Sometimes adds errors, with paths that lead somewhere, nowhere, or are none. */
function withErrors(body: unknown, random: Random): unknown {
  if (random.next() > 0.2 || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const path: unknown[] = []
  let value = (body as { data?: unknown }).data
  while (typeof value === 'object' && value !== null && random.next() < 0.85) {
    const entries = Object.entries(value)
    if (entries.length === 0) break
    const [key, child] = random.pick(entries)
    path.push(Array.isArray(value) ? Number(key) : key)
    value = child
  }
  if (random.next() < 0.3) path.push(random.pick<unknown>(['id', 3, 'nowhere', -1, null, {}]))
  const error = random.pick<unknown>([
    { message: 'Broken', path },
    { message: 'Broken', path, extensions: { code: 'X', __proto__: null } },
    { message: 7, path: 'path', extensions: [] },
    {},
    null,
    'error',
  ])
  return {
    ...body,
    errors: random.pick<unknown>([[error], [error, { message: 'More', path }], error, 'errors']),
  }
}

describe(`answers that were tampered with (seed ${SEED})`, { timeout: RUN.timeout(300_000) }, () => {
  let changed = 0

  it.each(TAMPERED)('still lead to a valid response in the suite $name', async (suite) => {
    const engine = createEngine(suite)
    for (const [number, operation] of suite.operations.entries()) {
      for (let round = 0; round < RUNS; round++) {
        const seed = SEED + round * 104_729
        await RUN.ask({ test: `in the suite ${suite.name}`, seed }, () =>
          check(engine, operation, new Random(seed + number * 7919)),
        )
      }
    }
  })

  async function check(engine: SuiteEngine, operation: SuiteOperation, random: Random): Promise<void> {
    const rate = random.pick([0.01, 0.05, 0.2])
    const sent: unknown[] = []
    const { result } = await engine.run(operation, (reply): SubgraphReply => {
      if (reply.kind === 'failure') return reply
      const body = withErrors(tampered(structuredClone(reply.body), random, rate), random)
      sent.push(body)
      if (JSON.stringify(body) !== JSON.stringify(reply.body)) changed++
      return { kind: 'answer', status: random.pick([200, 200, 200, 404, 500]), body }
    })
    const context = `${operation.query}\n${JSON.stringify(operation.variables)}\n${JSON.stringify(sent)}\n${JSON.stringify(result)}`
    expect(responseComplaints(engine.schema, operation, result), context).toEqual([])
    // As it is written, nothing is lost: no undefined, no function, nothing that is not JSON.
    expect(JSON.parse(JSON.stringify(result)), context).toEqual(result)
  }

  // Over all suites: one with few answers may have the luck that none of them is touched.
  it('are many', () => {
    expect(changed).toBeGreaterThan(TAMPERED.length)
  })
})
