import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compositionSubject, isComplete, registrySubject } from '@switchyard/contracts'
import type { CompositionRecord, RecordedResult, RegistryEvent } from '@switchyard/contracts'
import { createMemoryAnnouncer, EventLogUnavailableError } from '@switchyard/event-log'
import type { EventLog } from '@switchyard/event-log'
import { createLogger, parseTraceparent } from '@switchyard/service-kit'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BROKEN,
  createShop,
  FOR_EVER,
  openBench,
  PRODUCTS,
  REVIEWS,
  REVIEWS_NEXT,
  telling,
  toggle,
} from './setup.ts'
import type { Bench } from './setup.ts'
import { RandomRun, temporaryDirectory, waitFor } from '@switchyard/testkit'

const SHOP = compositionSubject({ namespace: 'default', graph: 'shop' })

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
})

describe('a pass', () => {
  it('composes the base of a graph and stores it as an artifact', async () => {
    await using composer = bench.start()
    const sequence = await createShop(bench)
    await composer.idle()
    const record = await bench.last()
    expect(record).toMatchObject({ registrySequence: sequence, featureFlags: [], pinnedRevision: null })
    expect(record.base.status).toBe('composed')
    const artifact = await bench.artifact(record.base)
    expect(artifact.subgraphs).toEqual([
      { name: 'products', routingUrl: 'http://products.test/graphql' },
      { name: 'reviews', routingUrl: 'http://reviews.test/graphql' },
    ])
    expect(artifact.supergraphSdl).toContain('stars: Int')
    expect(artifact.compatibilityVersion).toMatch(/^v\d+\.\d+$/)
    expect(composer.ready()).toEqual({ ok: true })
  })

  it('adds a composition per enabled flag, and reuses what did not change', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await composer.idle()
    const before = await bench.last()
    await bench.command([toggle(true)])
    await composer.idle()
    const record = await bench.last()
    expect(record.base).toMatchObject({ status: 'reused', artifact: expect.any(String) })
    expect(record.base).toEqual({ ...before.base, status: 'reused' })
    expect(record.featureFlags).toMatchObject([
      { name: 'next', unpublished: [], result: { status: 'composed' } },
    ])
    const artifact = await bench.artifact(record.featureFlags[0]?.result)
    expect(artifact.subgraphs).toContainEqual({
      name: 'reviews-next',
      routingUrl: 'http://reviews-next.test/graphql',
      baseName: 'reviews',
    })
    expect(artifact.supergraphSdl).toContain('verdict: String')
  })

  it('computes nothing when a flag is switched off and on again', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await composer.idle()
    for (const enabled of [true, false, true]) {
      await bench.command([toggle(enabled)])
      await composer.idle()
    }
    const record = await bench.last()
    expect(record.base.status).toBe('reused')
    expect(record.featureFlags).toMatchObject([{ result: { status: 'reused' } }])
    expect(await bench.records()).toHaveLength(4)
  })

  it('composes again when an artifact it remembers is no longer stored', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([toggle(true)])
    await composer.idle()
    const flag = (await bench.last()).featureFlags[0]?.result
    await bench.command([toggle(false)])
    await composer.idle()
    await bench.blobs.delete(flag?.status === 'composed' ? flag.artifact : '')
    await bench.command([toggle(true)])
    await composer.idle()
    const record = await bench.last()
    expect(record.featureFlags[0]?.result.status).toBe('composed')
    await bench.artifact(record.featureFlags[0]?.result)
  })

  it('composes base and flags again when the graph allows unenforced authorization, and when it does not any more', async () => {
    const guarded = (more: string) =>
      `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@authenticated"]) ${more}`
    await createShop(bench)
    await bench.publish(
      'reviews',
      guarded('type Product @key(fields: "id") { id: ID! stars: Int @authenticated }'),
    )
    await bench.publish(
      'reviews-next',
      guarded('type Product @key(fields: "id") { id: ID! stars: Int @authenticated }'),
    )
    await bench.command([toggle(true)])
    // It finds all of these at its start, and composes once.
    await using composer = bench.start()
    await composer.idle()
    const enforced = { status: 'composed', hints: [] }
    expect(await bench.last()).toMatchObject({ base: enforced, featureFlags: [{ result: enforced }] })
    expect(await bench.artifact((await bench.last()).base)).not.toHaveProperty('allowUnenforcedAuthorization')

    await bench.command([
      {
        type: 'federated-graph.updated',
        name: 'shop',
        labelMatchers: [],
        allowUnenforcedAuthorization: true,
      },
    ])
    await composer.idle()
    const allowed = { status: 'composed', hints: [{ code: 'AUTHORIZATION_NOT_ENFORCED' }] }
    const record = await bench.last()
    expect(record).toMatchObject({ base: allowed, featureFlags: [{ result: allowed }] })
    for (const result of [record.base, record.featureFlags[0]?.result])
      expect(await bench.artifact(result)).toMatchObject({ allowUnenforcedAuthorization: true })

    await bench.command([
      {
        type: 'federated-graph.updated',
        name: 'shop',
        labelMatchers: [],
        allowUnenforcedAuthorization: false,
      },
    ])
    await composer.idle()
    const again = { status: 'reused' }
    expect(await bench.last()).toMatchObject({ base: again, featureFlags: [{ result: again }] })
  })

  it('reports why a composition fails, still gives the flags their results, and knows a failure again', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([toggle(true)])
    await bench.publish('products', PRODUCTS.replace('type Query', 'type Query { bad: Missing } type Other'))
    await composer.idle()
    const record = await bench.last()
    if (record.base.status !== 'failed') throw new Error('the base composed')
    expect(record.base.unchanged).toBe(false)
    expect(record.base.errorCount).toBe(record.base.errors.length)
    expect(record.base.errors[0]).toMatchObject({ code: expect.any(String), subgraphs: ['products'] })
    expect(record.featureFlags[0]?.result.status).toBe('failed')
    await bench.command([toggle(false)])
    await composer.idle()
    expect((await bench.last()).base).toEqual({ ...record.base, unchanged: true })
  })

  it('lets one flag fail alone', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([toggle(true)])
    await bench.publish('reviews-next', BROKEN)
    await composer.idle()
    const record = await bench.last()
    expect(record.base.status).toMatch(/composed|reused/)
    expect(record.featureFlags).toMatchObject([{ name: 'next', result: { status: 'failed' } }])
    await bench.publish('reviews-next', REVIEWS_NEXT)
    await composer.idle()
    expect((await bench.last()).featureFlags).toMatchObject([{ result: { artifact: expect.any(String) } }])
  })

  it('calls a failure old only where it stood: not after the flag was off, not in another graph', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.publish('reviews-next', BROKEN)
    const failures: unknown[] = []
    const failed = (result: RecordedResult | undefined) =>
      result?.status === 'failed' ? result.unchanged : result?.status
    for (const enabled of [true, false, true]) {
      await bench.command([toggle(enabled)])
      await composer.idle()
      failures.push(failed((await bench.last()).featureFlags[0]?.result))
    }
    expect(failures).toEqual([false, undefined, false])
    await bench.command([{ type: 'federated-graph.pinned', name: 'shop', revision: 1 }])
    await composer.idle()
    expect(failed((await bench.last()).featureFlags[0]?.result)).toBe(true)
    await bench.command([{ type: 'federated-graph.created', name: 'twin', labelMatchers: [] }])
    await composer.idle()
    expect(failed((await bench.last('twin')).featureFlags[0]?.result)).toBe(false)
  })

  it('moves errors beyond the first 20 into a blob', async () => {
    await using composer = bench.start()
    await createShop(bench)
    const fields = Array.from({ length: 30 }, (_, index) => `f${index}: Missing${index}`).join(' ')
    await bench.publish('products', `type Query { ${fields} }`)
    await composer.idle()
    const { base } = await bench.last()
    if (base.status !== 'failed') throw new Error('the base composed')
    expect(base.errors).toHaveLength(20)
    expect(base.errorCount).toBe(30)
    const all: unknown = JSON.parse(new TextDecoder().decode(await bench.blobs.get(base.errorsBlob ?? '')))
    expect(all).toHaveLength(30)
  })

  it('says empty for a graph without published subgraphs, names its pin, and says when it is removed', async () => {
    await using composer = bench.start()
    await bench.command([{ type: 'federated-graph.created', name: 'shop', labelMatchers: ['team=a'] }])
    await composer.idle()
    expect((await bench.last()).base).toEqual({ status: 'empty' })
    await bench.command([{ type: 'federated-graph.pinned', name: 'shop', revision: 3 }])
    await composer.idle()
    expect((await bench.last()).pinnedRevision).toBe(3)
    const sequence = await bench.command([{ type: 'federated-graph.deleted', name: 'shop' }])
    await composer.idle()
    expect((await bench.records()).at(-1)).toMatchObject({
      type: 'graph.removed',
      registrySequence: sequence,
    })
  })

  it('writes nothing for commands that affect no graph, and skips records that lost a race', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await composer.idle()
    await bench.command([{ type: 'federated-graph.deleted', name: 'shop' }], { after: 0 })
    await bench.publish('reviews-next', `${REVIEWS_NEXT} type Unused { a: Int }`)
    await composer.idle()
    expect(composer.ready()).toEqual({ ok: true })
    expect(await bench.records()).toHaveLength(1)
  })

  it('covers records that arrive together with one pass', async () => {
    await createShop(bench)
    for (let round = 0; round < 20; round += 1) await bench.command([toggle(round % 2 === 0)])
    await using composer = bench.start()
    await composer.idle()
    expect(await bench.records()).toHaveLength(1)
  })

  it('continues the trace of the command', async () => {
    await using composer = bench.start()
    const traceId = 'c'.repeat(32)
    await bench.command([{ type: 'federated-graph.created', name: 'shop', labelMatchers: [] }], {
      traceparent: `00-${traceId}-${'d'.repeat(16)}-01`,
    })
    await composer.idle()
    expect(parseTraceparent((await bench.last()).traceparent)?.traceId).toBe(traceId)
  })
})

describe('starting on half-done work', () => {
  it('does what was commanded while no composer ran, and nothing when all is done', async () => {
    await createShop(bench)
    {
      await using first = bench.start()
      await first.idle()
    }
    await bench.command([toggle(true)])
    {
      await using second = bench.start()
      await second.idle()
    }
    const records = await bench.records()
    expect(records).toHaveLength(2)
    expect(records[1]).toMatchObject({ base: { status: 'reused' }, featureFlags: [{ name: 'next' }] })
    await using third = bench.start()
    await third.idle()
    expect(await bench.records()).toHaveLength(2)
  })

  it('heals a crash between storing the artifact and writing the record', async () => {
    await createShop(bench)
    let appends = 0
    const dying = logThat(bench.log, {
      beforeAppend() {
        appends += 1
        throw new EventLogUnavailableError('the connection was cut')
      },
    })
    {
      await using first = bench.start({ log: dying })
      await waitFor('an attempt', () => appends > 0)
      await waitFor('not ready', () => !first.ready().ok)
    }
    expect(await bench.records()).toHaveLength(0)
    await using second = bench.start()
    await second.idle()
    expect(await bench.records()).toHaveLength(1)
  })

  it('removes a graph that was deleted while no composer ran', async () => {
    await createShop(bench)
    {
      await using first = bench.start()
      await first.idle()
    }
    await bench.command([{ type: 'federated-graph.deleted', name: 'shop' }])
    await using second = bench.start()
    await second.idle()
    expect((await bench.records()).at(-1)?.type).toBe('graph.removed')
  })

  it('waits for a log that cannot be reached', async () => {
    await createShop(bench)
    let down = true
    const log = logThat(bench.log, { isDown: () => down })
    await using composer = bench.start({ log, pingMs: 20 })
    await waitFor('not ready', () => {
      const state = composer.ready()
      return !state.ok && state.reason.includes('not available')
    })
    down = false
    await waitFor('the composition', async () => (await bench.records()).length === 1)
    await waitFor('ready', () => composer.ready().ok)
    down = true
    await waitFor('not ready again', () => !composer.ready().ok)
  })
})

describe('what stops it', () => {
  it('is a registry record it does not understand: not ready, with the sequence', async () => {
    await using composer = bench.start()
    await composer.idle()
    const bad = await bench.log.append(registrySubject('other'), { v: 2, what: 'from the future' }, 0)
    await waitFor('not ready', () => !composer.ready().ok)
    expect(composer.ready()).toMatchObject({ reason: expect.stringContaining(`sequence ${bad}`) })
    await createShop(bench)
    await composer.idle()
    expect(await bench.records()).toHaveLength(0)
  })

  it('is not a composition that ends its thread: that one fails, and is tried again', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.publish('products', telling('crash'))
    await composer.idle()
    expect((await bench.last()).base).toMatchObject({ errors: [{ code: 'COMPOSITION_CRASHED' }] })
    await bench.command([toggle(true)])
    await composer.idle()
    expect((await bench.last()).base).toMatchObject({ unchanged: false })
    // Not what createShop published: that may have been composed, and would be used again.
    await bench.publish('products', `${PRODUCTS}\n# mended`)
    await composer.idle()
    expect((await bench.last()).base.status).toBe('composed')
  })
})

describe('several composers on one log', () => {
  it('write one record per state, whoever is first', async () => {
    await using first = bench.start({ instance: 'one', graceMs: 0 })
    await using second = bench.start({ instance: 'two', graceMs: 0 })
    await createShop(bench)
    for (let round = 0; round < 10; round += 1) {
      const sequence = await bench.command([toggle(round % 2 === 0)])
      await first.idle()
      await second.idle()
      const covering = (await bench.records()).filter((record) => record.registrySequence === sequence)
      expect(covering).toHaveLength(1)
    }
    const sequences = (await bench.records()).map(({ registrySequence }) => registrySequence)
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
  })

  it('leave a graph to the one that is at it, however long that takes', async () => {
    const options = { graceMs: 50, ...bench.logged }
    await using first = bench.start({ instance: 'one', ...options })
    await using second = bench.start({ instance: 'two', ...options })
    await createShop(bench)
    await Promise.all([first.idle(), second.idle()])
    bench.lines.length = 0
    await bench.publish('products', telling('sleep'))
    await Promise.all([first.idle(), second.idle()])

    const events = bench.lines.map(({ event }) => event)
    expect(events.filter((event) => event === 'composition.started')).toHaveLength(1)
    expect(events).not.toContain('composition.taken-over')
  })

  it('complete each other’s records, and never take a result back', async () => {
    const options = { graceMs: 0, flagsWaitMs: 0 }
    await using announcer = createMemoryAnnouncer()
    await using first = bench.start({ instance: 'one', ...options })
    // Neither hears that the other one is at it, so both compose everything.
    await using second = bench.start({ instance: 'two', ...options, announcer })
    await createShop(bench)
    await bench.command([toggle(true)])
    for (let round = 0; round < 10; round += 1) {
      await bench.publish('reviews-next', `${REVIEWS_NEXT} type Round${round} { a: Int }`)
      await bench.publish('products', `${PRODUCTS} type Round${round} { a: Int }`)
      if (round % 3 === 0) await Promise.all([first.idle(), second.idle()])
    }
    await Promise.all([first.idle(), second.idle()])
    expectOneCompleteRecordEach(await bench.records())
    expect(isComplete(await bench.last())).toBe(true)
    const artifact = await bench.artifact((await bench.last()).featureFlags[0]?.result)
    expect(artifact.supergraphSdl.match(/type Round9/g)).toHaveLength(1)
  })

  it('drop what another one delivered while they were still composing', async () => {
    const lines: string[] = []
    const to = { write: (line: string) => lines.push(line) }
    const logger = createLogger({ name: 'composer', level: 'debug', to })
    await using folder = await temporaryDirectory()
    const gate = join(folder.path, 'gate')
    const workerModule = new URL(`./gated-worker.ts?until=${encodeURIComponent(gate)}`, import.meta.url)
    await using slow = bench.start({ instance: 'slow', graceMs: 0, workerModule, logger })
    await slow.idle()
    await createShop(bench)
    // It does not hear that the other one is at it.
    await using announcer = createMemoryAnnouncer()
    await using fast = bench.start({ instance: 'fast', graceMs: 0, announcer })
    await fast.idle()
    expect(await bench.records()).toHaveLength(1)
    writeFileSync(gate, '')
    await waitFor('the slow one', () => lines.some((line) => line.includes('composition.dropped')))
    expect(await bench.records()).toHaveLength(1)
  })

  it('take over what the composer whose turn it is does not deliver', async () => {
    let silentAppends = 0
    const silent = logThat(bench.log, {
      beforeAppend() {
        silentAppends += 1
        throw new EventLogUnavailableError('the connection was cut')
      },
    })
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    await using stuck = bench.start({ instance: 'one', log: silent })
    await using working = bench.start({ instance: 'two', graceMs: 50 })
    for (const name of names) {
      await bench.command([{ type: 'federated-graph.created', name, labelMatchers: ['team=x'] }])
    }
    await working.idle()
    for (const name of names) expect((await bench.last(name)).base).toEqual({ status: 'empty' })
    expect(silentAppends).toBeGreaterThan(0)
    await waitFor('the other one to see it', () => stuck.ready().ok)
  })
})

/** One run is dear, so there are no more of them in a campaign than in `make test-long`. */
const LONG_RUNS = 12
const { seed: SEED, runs: RUNS } = new RandomRun(import.meta.url, 3, LONG_RUNS)

describe('whatever people do', () => {
  const step = fc.oneof(
    fc.boolean().map((enabled) => ({ kind: 'toggle', enabled }) as const),
    fc
      .constantFrom(REVIEWS, BROKEN, `${REVIEWS} type Extra { a: Int }`)
      .map((sdl) => ({ kind: 'base', sdl }) as const),
    fc.constantFrom(REVIEWS_NEXT, BROKEN).map((sdl) => ({ kind: 'feature', sdl }) as const),
    fc.constantFrom(0, FOR_EVER).map((flagsWaitMs) => ({ kind: 'restart', flagsWaitMs }) as const),
  )

  it('ends with a record that reflects it', async () => {
    await createShop(bench)
    const expected = { base: REVIEWS, feature: REVIEWS_NEXT, enabled: false }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        let composer = bench.start()
        try {
          for (const action of steps) {
            if (action.kind === 'restart') {
              await composer[Symbol.asyncDispose]()
              composer = bench.start({ flagsWaitMs: action.flagsWaitMs })
            } else if (action.kind === 'toggle') {
              expected.enabled = action.enabled
              await bench.command([toggle(action.enabled)])
            } else {
              expected[action.kind] = action.sdl
              await bench.publish(action.kind === 'base' ? 'reviews' : 'reviews-next', action.sdl)
            }
          }
          await composer.idle()
        } finally {
          await composer[Symbol.asyncDispose]()
        }
        const record = await bench.last()
        const good = (sdl: string) => (sdl === BROKEN ? /^failed$/ : /^(composed|reused)$/)
        expect(record.base.status).toMatch(good(expected.base))
        expect(record.featureFlags.map(({ name }) => name)).toEqual(expected.enabled ? ['next'] : [])
        for (const { result } of record.featureFlags) expect(result.status).toMatch(good(expected.feature))
        expect(isComplete(record)).toBe(true)
        const extra = expected.base.includes('type Extra')
        if (record.base.status !== 'failed') {
          expect((await bench.artifact(record.base)).supergraphSdl.includes('type Extra')).toBe(extra)
        }
      }),
      { numRuns: Math.min(RUNS, LONG_RUNS), seed: SEED },
    )
    expectOneCompleteRecordEach(await bench.records())
  })
})

/** Of each sequence the last record is complete, and each one before it holds fewer results than the next. */
function expectOneCompleteRecordEach(records: readonly CompositionRecord[]): void {
  const pendingOf = (record: CompositionRecord) =>
    record.type === 'graph.removed' ? 0 : record.featureFlags.filter(({ pending }) => pending === true).length
  for (const [index, record] of records.entries()) {
    const next = records[index + 1]
    if (next === undefined) continue
    expect(next.registrySequence).toBeGreaterThanOrEqual(record.registrySequence)
    if (next.registrySequence === record.registrySequence)
      expect(pendingOf(next)).toBeLessThan(pendingOf(record))
  }
}

it('keeps a record with very many errors within the limit of the log', async () => {
  await createShop(bench)
  const fields = Array.from(
    { length: 40 },
    (_, index) => `f${index}: Missing${'x'.repeat(200)}${index}`,
  ).join(' ')
  const events: RegistryEvent[] = []
  for (let flag = 0; flag < 60; flag += 1) {
    events.push(
      {
        type: 'feature-subgraph.created',
        name: `v${flag}`,
        routingUrl: 'http://v.test/',
        base: 'products',
      },
      await bench.schema(`v${flag}`, `type Query { ${fields} a${flag}: Int }`),
      {
        type: 'feature-flag.created',
        name: `flag${flag}`,
        labels: [],
        featureSubgraphs: [`v${flag}`],
        enabled: true,
      },
    )
  }
  await bench.command(events)
  await using composer = bench.start()
  await composer.idle()
  const record = await bench.last()
  expect(record.featureFlags).toHaveLength(60)
  for (const { result } of record.featureFlags) {
    if (result.status !== 'failed') throw new Error('a flag composed')
    expect(result.errorCount).toBe(40)
    const all: unknown = JSON.parse(new TextDecoder().decode(await bench.blobs.get(result.errorsBlob ?? '')))
    expect(all).toHaveLength(40)
  }
  expect(
    JSON.stringify((await bench.log.last({ kind: 'subject', subject: SHOP }))?.record).length,
  ).toBeLessThan(256 * 1024)
})

/** The same log behind a connection that fails as told. */
function logThat(
  log: EventLog,
  faults: { readonly beforeAppend?: () => void; readonly isDown?: () => boolean },
): EventLog {
  const check = (): void => {
    if (faults.isDown?.() === true) throw new EventLogUnavailableError('the connection was cut')
  }
  return {
    async append(subject, record, expectedLast) {
      faults.beforeAppend?.()
      return log.append(subject, record, expectedLast)
    },
    async *read(filter, from) {
      check()
      yield* log.read(filter, from)
    },
    async *follow(filter, from, signal) {
      check()
      yield* log.follow(filter, from, signal)
    },
    async last(filter) {
      check()
      return log.last(filter)
    },
    async subjects(name) {
      check()
      return log.subjects(name)
    },
    async [Symbol.asyncDispose]() {},
  }
}
