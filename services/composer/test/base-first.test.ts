/** What a composer records while flags take longer than their base. */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { COMPOSITION_PENDING, compositionSubject, isComplete } from '@switchyard/contracts'
import type { CompositionRecord, RegistryEvent } from '@switchyard/contracts'
import { recordMetrics, waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createShop, heldUntil, openBench, PRODUCTS, REVIEWS_NEXT, toggle } from './setup.ts'
import type { Bench, Completed } from './setup.ts'

/** Records the base as soon as it is composed. */
const AT_ONCE = { flagsWaitMs: 0 }
const PRODUCTS_WITH_PRICE = PRODUCTS.replace('name: String', 'name: String price: Int')

let bench: Bench
/** While it is not there, the flag `next` is being composed. */
let gate: string

beforeEach(async () => {
  bench = await openBench()
  gate = join(tmpdir(), `switchyard-gate-${randomUUID()}`)
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(gate, { force: true })
})

const open = () => writeFile(gate, '')
const held = (sdl = REVIEWS_NEXT) => heldUntil(gate, sdl)

function flagOf(record: CompositionRecord | undefined) {
  if (record?.type !== 'composition.completed') throw new Error('there is no composition')
  return record.featureFlags.find(({ name }) => name === 'next')
}

describe('a base whose flags are still being composed', () => {
  it('is recorded alone, and completed by a second record of the same sequence', async () => {
    await using composer = bench.start({ ...AT_ONCE, ...bench.logged })
    await createShop(bench)
    await composer.idle()
    const before = await bench.last()
    const sequence = await bench.command([
      await bench.schema('reviews-next', held()),
      toggle(true),
      await bench.schema('products', PRODUCTS_WITH_PRICE),
    ])
    await waitFor('the base alone', async () => (await bench.records()).length === 2)
    const alone = await bench.last()
    expect(alone).toMatchObject({
      registrySequence: sequence,
      base: { status: 'composed' },
      featureFlags: [
        {
          name: 'next',
          pending: true,
          result: { status: 'failed', errors: [{ code: COMPOSITION_PENDING }] },
        },
      ],
    })
    expect(alone.base).not.toEqual(before.base)
    await open()
    await composer.idle()
    const [, , complete, ...more] = await bench.records()
    expect(more).toEqual([])
    expect(complete).toMatchObject({ registrySequence: sequence, base: alone.base })
    expect(flagOf(complete)).toEqual({ name: 'next', unpublished: [], result: expect.anything() })
    expect(flagOf(complete)?.result.status).toBe('composed')
    const told = bench.lines.filter(({ event }) => event === 'composition.base-recorded')
    expect(told).toMatchObject([{ registrySequence: sequence, pending: 1 }])
  })

  it('lists a flag with its previous result, word for word', async () => {
    await using composer = bench.start(AT_ONCE)
    await createShop(bench)
    await bench.command([toggle(true)])
    await composer.idle()
    const previous = flagOf(await bench.last())
    await bench.publish('reviews-next', held('type Product @key(fields: "id") { id: ID! verdict: Int }'))
    await waitFor('the base alone', async () => flagOf(await bench.last())?.pending === true)
    expect(flagOf(await bench.last())).toEqual({ ...previous, pending: true })
    // A newer command finds the flag unfinished, and what it had before all the same.
    const sequence = await bench.publish('products', PRODUCTS_WITH_PRICE)
    await waitFor('the next base', async () => (await bench.last()).registrySequence === sequence)
    expect(flagOf(await bench.last())).toEqual({ ...previous, pending: true })
    await open()
    await composer.idle()
    const artifact = await bench.artifact(flagOf(await bench.last())?.result)
    expect(artifact.supergraphSdl).toContain('verdict: Int')
    expect(artifact.supergraphSdl).toContain('price: Int')
  })

  it('waits for flags that are composed in time, and is recorded with them once', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([await bench.schema('reviews-next', held()), toggle(true)])
    await open()
    await composer.idle()
    expect((await bench.records()).map(isComplete)).not.toContain(false)
  })

  it('waits for its flags if they are so many that a record without their results is too large', async () => {
    await using composer = bench.start({ ...AT_ONCE, ...bench.logged, workers: 1 })
    await createShop(bench)
    await composer.idle()
    const many = Array.from({ length: 900 }, (_, index) => ({
      type: 'feature-flag.created' as const,
      name: `flag${index}`,
      labels: [],
      featureSubgraphs: ['reviews-next'],
      enabled: true,
    }))
    await bench.command([await bench.schema('reviews-next', held()), ...many])
    await waitFor('a flag to be composed', () => started().some((one) => one.includes('"flag')))
    await open()
    await composer.idle()
    const records = await bench.records()
    expect(records.map(isComplete)).toEqual([true, true])
    expect((await bench.last()).featureFlags).toHaveLength(900)
    expect(bench.lines.filter(({ event }) => event === 'composition.attempt-failed')).toEqual([])
  })

  it('is composed before the flags of other graphs of its namespace', async () => {
    await using composer = bench.start({ ...AT_ONCE, ...bench.logged, workers: 1 })
    await createShop(bench)
    await composer.idle()
    const events: RegistryEvent[] = []
    for (const index of [1, 2, 3, 4]) events.push(...(await flag(index)))
    await bench.command(events)
    await waitFor('a flag to occupy the thread', () => started().some((one) => one.includes('"flag')))
    const sequence = await bench.command([
      { type: 'federated-graph.created', name: 'urgent', labelMatchers: ['team=urgent'] },
      {
        type: 'subgraph.created',
        name: 'other',
        routingUrl: 'http://other.test/',
        labels: ['team=urgent'],
      },
      await bench.schema('other', 'type Query { other: Int }'),
    ])
    await open()
    await waitFor('the other base', async () => (await bench.records('urgent')).length > 0)
    await composer.idle()
    const urgent = started().findIndex((one) => one.includes('"urgent"'))
    const after = started().slice(urgent)
    expect(after.filter((one) => one.includes('"flag')).length).toBeGreaterThanOrEqual(2)
    expect((await bench.last('urgent')).registrySequence).toBe(sequence)
  })
})

/** What was composed so far, in order: namespace, graph and flag as JSON. */
function started(): readonly string[] {
  return bench.lines.flatMap((line) =>
    line.event === 'composition.started' && line.subject !== undefined ? [line.subject] : [],
  )
}

/** A flag of its own feature subgraph, which is held. */
async function flag(index: number): Promise<readonly RegistryEvent[]> {
  const name = `reviews-${index}`
  return [
    { type: 'feature-subgraph.created', name, routingUrl: `http://${name}.test/`, base: 'reviews' },
    await bench.schema(name, held(`${REVIEWS_NEXT} type Only${index} { a: Int }`)),
    {
      type: 'feature-flag.created',
      name: `flag${index}`,
      labels: [],
      featureSubgraphs: [name],
      enabled: true,
    },
  ]
}

describe('an incomplete record', () => {
  /** The base of the shop is recorded, and its flag is not composed. */
  async function leaveIncomplete(): Promise<Completed> {
    await createShop(bench)
    await bench.command([await bench.schema('reviews-next', held()), toggle(true)])
    await using composer = bench.start(AT_ONCE)
    await waitFor('the base alone', async () => (await bench.records()).length > 0)
    expect(composer.ready()).toEqual({ ok: true })
    return await bench.last()
  }

  it('is completed by the composer that starts next, which keeps what it holds', async () => {
    const alone = await leaveIncomplete()
    expect(isComplete(alone)).toBe(false)
    await open()
    await using next = bench.start()
    await next.idle()
    const records = await bench.records()
    expect(records).toHaveLength(2)
    expect(records[1]).toMatchObject({ registrySequence: alone.registrySequence, base: alone.base })
    expect(flagOf(records[1])?.result.status).toBe('composed')
    await using third = bench.start()
    await third.idle()
    expect(await bench.records()).toHaveLength(2)
  })

  it('says that its graph is published again, as does the record that completes it', async () => {
    const before = await leaveIncomplete()
    await using composer = bench.start(AT_ONCE)
    const republished = await bench.command([{ type: 'federated-graph.republished', name: 'shop' }])
    await waitFor('the base alone', async () => (await bench.last()).registrySequence === republished)
    const alone = await bench.last()
    expect(isComplete(alone)).toBe(false)
    expect(alone).toMatchObject({ republished, base: { status: 'reused' } })
    expect(await bench.artifact(alone.base)).toEqual(await bench.artifact(before.base))
    await open()
    await composer.idle()
    const complete = await bench.last()
    expect(complete).toMatchObject({ registrySequence: republished, republished, base: alone.base })
    expect(flagOf(complete)?.result.status).toBe('composed')
    expect((await bench.records()).map(isComplete)).toEqual([false, false, true])
  })

  it('is completed with what it says of publishing again by the composer that starts next', async () => {
    await createShop(bench)
    await bench.command([await bench.schema('reviews-next', held()), toggle(true)])
    const republished = await bench.command([{ type: 'federated-graph.republished', name: 'shop' }])
    {
      await using composer = bench.start(AT_ONCE)
      await waitFor('the base alone', async () => (await bench.records()).length > 0)
      expect(composer.ready()).toEqual({ ok: true })
    }
    const alone = await bench.last()
    expect(isComplete(alone)).toBe(false)
    await open()
    await using next = bench.start()
    await next.idle()
    const [, complete, ...more] = await bench.records()
    expect(more).toEqual([])
    expect(complete).toMatchObject({ registrySequence: republished, republished, base: alone.base })
    expect(flagOf(complete)?.result.status).toBe('composed')
    // A later command does not forget it: routers compare it with what they were told before.
    await bench.publish('products', PRODUCTS_WITH_PRICE)
    await next.idle()
    expect(await bench.last()).toMatchObject({ republished })
  })

  it('is not repeated by a composer that has no more results', async () => {
    await leaveIncomplete()
    await using next = bench.start({ ...AT_ONCE, ...bench.logged })
    await waitFor('the next one to compose the flag', () => started().length > 0)
    await open()
    await next.idle()
    expect(bench.lines.filter(({ event }) => event === 'composition.base-recorded')).toEqual([])
    expect((await bench.records()).map(isComplete)).toEqual([false, true])
  })

  it('is taken over while the composer that wrote it does nothing more', async () => {
    await createShop(bench)
    await bench.command([await bench.schema('reviews-next', held()), toggle(true)])
    await using stuck = bench.start({ ...AT_ONCE, instance: 'stuck' })
    await waitFor('the base alone', async () => (await bench.records()).length > 0)
    await stuck[Symbol.asyncDispose]()
    await using working = bench.start({ instance: 'working' })
    await open()
    await working.idle()
    expect((await bench.records()).map(isComplete)).toEqual([false, true])
  })

  it('of a later command than this composer has read makes it wait for that command', async () => {
    const alone = await leaveIncomplete()
    const ahead = alone.registrySequence + 1
    const subject = compositionSubject({ namespace: 'default', graph: 'shop' })
    const last = await bench.log.last({ kind: 'subject', subject })
    await bench.log.append(subject, { ...alone, registrySequence: ahead }, last?.sequence ?? 0)
    await open()
    await using composer = bench.start()
    await waitFor('ready', () => composer.ready().ok)
    // A command that changes nothing of the graph.
    expect(await bench.command([{ type: 'namespace.created' }])).toBe(ahead)
    await composer.idle()
    expect(await bench.last()).toMatchObject({ registrySequence: ahead, base: { status: 'composed' } })
    expect(isComplete(await bench.last())).toBe(true)
  })

  it('says of a flag without a result nothing that any composer remembers', async () => {
    using metrics = recordMetrics()
    const alone = await leaveIncomplete()
    const { result } = flagOf(alone) ?? {}
    await open()
    await using composer = bench.start()
    await composer.idle()
    expect(metrics.measured).not.toContainEqual(
      expect.objectContaining({ name: 'switchyard.composer.results', labels: { status: 'failed' } }),
    )
    const complete = flagOf(await bench.last())?.result
    if (result?.status !== 'failed' || complete?.status !== 'composed') throw new Error('another result')
    // The hash of no inputs: also a composer that does not know the code finds nothing under it.
    expect(complete.inputHash).not.toBe(result.inputHash)
  })
})
