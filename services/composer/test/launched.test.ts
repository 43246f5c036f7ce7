/** What a composer records of a flag that was promoted: in every record, the flag is the base. */
import { writeFile, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artifactOf } from '@switchyard/contracts'
import type { RegistryEvent } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BROKEN, createShop, heldUntil, openBench, REVIEWS, REVIEWS_NEXT, toggle } from './setup.ts'
import type { Bench, Completed } from './setup.ts'

let bench: Bench
let gate: string

beforeEach(async () => {
  bench = await openBench()
  gate = join(tmpdir(), `switchyard-gate-${randomUUID()}`)
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(gate, { force: true })
})

const schemaOf = (event: RegistryEvent) => {
  if (event.type !== 'subgraph.schema-published') throw new Error('no schema')
  return { schema: event.schema, bytes: event.bytes }
}

/** The events of promoting `next`, whose feature subgraph has this schema, over a base with that one. */
async function launch(next = REVIEWS_NEXT, before = REVIEWS): Promise<readonly RegistryEvent[]> {
  const published = await bench.schema('reviews', next)
  const replaced = schemaOf(await bench.schema('reviews', before))
  const routingUrl = 'http://reviews-next.test/graphql'
  const promoted = {
    subgraph: 'reviews',
    featureSubgraph: 'reviews-next',
    before: { ...replaced, routingUrl: 'http://reviews.test/graphql' },
    after: { ...schemaOf(published), routingUrl },
  }
  return [
    { type: 'feature-flag.launched', name: 'next', promoted: [promoted] },
    published,
    { type: 'subgraph.updated', name: 'reviews', routingUrl },
  ]
}

const flagOf = ({ featureFlags }: Completed) => featureFlags.find(({ name }) => name === 'next')
const artifacts = (record: Completed) => {
  const flag = flagOf(record)
  return { base: artifactOf(record.base), flag: flag === undefined ? null : artifactOf(flag.result) }
}

describe('a flag that was promoted', () => {
  it('gets the result of the base, in the record in which the base has the promotion', async () => {
    await using composer = bench.start({ flagsWaitMs: 0 })
    await createShop(bench)
    await bench.command([toggle(true)])
    await composer.idle()
    const before = artifacts(await bench.last())
    await bench.command(await launch())
    await composer.idle()
    const after = artifacts(await bench.last())
    expect(after.base).not.toBe(before.base)
    expect(after.flag).toBe(after.base)
    expect((await bench.artifact((await bench.last()).base)).subgraphs).toContainEqual({
      name: 'reviews',
      routingUrl: 'http://reviews-next.test/graphql',
    })
    for (const record of await bench.records()) {
      if (record.type !== 'composition.completed' || flagOf(record) === undefined) continue
      const { base, flag } = artifacts(record)
      expect(base === before.base ? flag : base).toBe(flag)
    }
  })

  it('is composed once with its base, and follows what is published there', async () => {
    await using composer = bench.start({ ...bench.logged })
    await createShop(bench)
    await bench.command([toggle(true), ...(await launch())])
    await composer.idle()
    const composed = () => bench.lines.filter(({ event }) => event === 'composition.ended').length
    const sofar = composed()
    await bench.publish('reviews', REVIEWS_NEXT.replace('stars: Int', 'stars: Int likes: Int'))
    await composer.idle()
    expect(composed() - sofar).toBe(1)
    const last = await bench.last()
    expect(flagOf(last)?.result).toEqual(last.base)
    expect((await bench.artifact(last.base)).supergraphSdl).toContain('likes: Int')
  })

  it('fails with its base, and never stands in a record with another result', async () => {
    await using composer = bench.start({ flagsWaitMs: 0 })
    await createShop(bench)
    await bench.command([toggle(true), ...(await launch())])
    await composer.idle()
    await bench.publish('reviews', BROKEN)
    await composer.idle()
    const last = await bench.last()
    expect(last.base.status).toBe('failed')
    expect(flagOf(last)?.result).toMatchObject({ status: 'failed', inputHash: expect.any(String) })
  })

  it('is composed beside the base again when its feature subgraph changes', async () => {
    await using composer = bench.start({ flagsWaitMs: 0 })
    await createShop(bench)
    await bench.command([toggle(true), ...(await launch())])
    await composer.idle()
    const launched = artifacts(await bench.last())
    await bench.publish('reviews-next', heldUntil(gate, `${REVIEWS_NEXT} # other`))
    await waitFor('a record', async () => flagOf(await bench.last())?.pending === true)
    // Meanwhile it is what it was.
    expect(artifacts(await bench.last())).toEqual(launched)
    await writeFile(gate, '')
    await composer.idle()
    const after = artifacts(await bench.last())
    expect(after.base).toBe(launched.base)
    expect(after.flag).not.toBe(after.base)
  })
})
