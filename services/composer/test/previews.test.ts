/** Previews in the records of a composer. */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { type CompositionRecord, isComplete, type RegistryEvent } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BROKEN, createShop, heldUntil, openBench, PRODUCTS, REVIEWS_NEXT, toggle } from './setup.ts'
import type { Bench } from './setup.ts'

const FLAG = 'pr-481-0123456789abcdef'
const EXPIRES = '2026-12-01T00:00:00.000Z'

let bench: Bench
/** While it is not there, the preview is being composed. */
let gate: string

beforeEach(async () => {
  bench = await openBench()
  gate = join(tmpdir(), `switchyard-gate-${randomUUID()}`)
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(gate, { force: true })
})

async function created(sdl: string): Promise<RegistryEvent> {
  const published = await bench.schema('reviews', sdl)
  if (published.type !== 'subgraph.schema-published') throw new Error('expected a schema')
  const { schema, bytes } = published
  const routingUrl = 'https://pr-481.previews.test/graphql'
  return {
    type: 'preview.created',
    name: 'pr-481',
    flag: FLAG,
    subgraphs: [{ base: 'reviews', routingUrl, schema, bytes }],
    expires: EXPIRES,
  }
}

function previewsOf(record: CompositionRecord) {
  if (record.type !== 'composition.completed') throw new Error('there is no composition')
  return record.previews
}

describe('a preview in the record of its graph', () => {
  it('stands apart from flags, with its end', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await composer.idle()
    expect(await bench.last()).not.toHaveProperty('previews')
    await bench.command([await created(REVIEWS_NEXT)])
    await composer.idle()
    const record = await bench.last()
    expect(record.featureFlags).toEqual([])
    expect(record.previews).toMatchObject([
      { name: FLAG, expires: EXPIRES, unpublished: [], result: { status: 'composed' } },
    ])
    const artifact = await bench.artifact(record.previews?.[0]?.result)
    expect(artifact.subgraphs).toEqual([
      { name: 'products', routingUrl: 'http://products.test/graphql' },
      {
        name: 'reviews/0123456789abcdef',
        routingUrl: 'https://pr-481.previews.test/graphql',
        baseName: 'reviews',
        preview: true,
      },
    ])
    expect(artifact.supergraphSdl).toContain('verdict')
  })

  it('shares no result with a flag of the same inputs, whose subgraphs are no previews', async () => {
    await using composer = bench.start()
    await createShop(bench)
    const preview = await created(REVIEWS_NEXT)
    await bench.command([
      preview,
      {
        type: 'feature-subgraph.created',
        name: 'reviews/0123456789abcdef',
        routingUrl: 'https://pr-481.previews.test/graphql',
        base: 'reviews',
      },
      await bench.schema('reviews/0123456789abcdef', REVIEWS_NEXT),
      {
        type: 'feature-flag.created',
        name: FLAG,
        labels: [],
        featureSubgraphs: ['reviews/0123456789abcdef'],
        enabled: true,
      },
    ])
    await composer.idle()
    const { featureFlags, previews } = await bench.last()
    const artifacts = await Promise.all(
      [featureFlags[0], previews?.[0]].map((one) => bench.artifact(one?.result)),
    )
    expect(artifacts.map(({ subgraphs }) => subgraphs[1]?.preview)).toEqual([undefined, true])
  })

  it('is composed anew when the base changes, and leaves when it has ended', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([await created(REVIEWS_NEXT)])
    await bench.publish('products', PRODUCTS.replace('name: String', 'name: String price: Int'))
    await composer.idle()
    const { previews } = await bench.last()
    expect((await bench.artifact(previews?.[0]?.result)).supergraphSdl).toContain('price')
    await bench.command([{ type: 'preview.expired', name: 'pr-481' }])
    await composer.idle()
    expect(await bench.last()).not.toHaveProperty('previews')
  })

  it('costs nothing but a record when it is to live longer', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([await created(REVIEWS_NEXT)])
    await composer.idle()
    const expires = '2026-12-05T00:00:00.000Z'
    await bench.command([{ type: 'preview.updated', name: 'pr-481', expires }])
    await composer.idle()
    expect((await bench.last()).previews).toMatchObject([{ expires, result: { status: 'reused' } }])
  })

  it('keeps no flag waiting while it is being composed', async () => {
    await using composer = bench.start({ flagsWaitMs: 0 })
    await createShop(bench)
    await bench.command([await created(heldUntil(gate, REVIEWS_NEXT)), toggle(true)])
    const withFlag = await waitFor('the flag', async () =>
      (await bench.records()).find(
        (record) =>
          record.type === 'composition.completed' &&
          record.featureFlags.some(({ name, pending }) => name === 'next' && pending !== true),
      ),
    )
    expect(isComplete(withFlag)).toBe(false)
    expect(previewsOf(withFlag)).toMatchObject([{ name: FLAG, pending: true }])
    await writeFile(gate, '')
    await composer.idle()
    expect((await bench.last()).previews).toMatchObject([{ name: FLAG, result: { status: 'composed' } }])
  })

  it('fails alone', async () => {
    await using composer = bench.start()
    await createShop(bench)
    await bench.command([await created(BROKEN)])
    await composer.idle()
    const { base, previews } = await bench.last()
    expect(base.status).not.toBe('failed')
    expect(previews).toMatchObject([{ name: FLAG, result: { status: 'failed' } }])
  })
})
