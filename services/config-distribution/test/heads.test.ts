/**
 * The signed word about which revision is the newest, which routers ask for before they take what they cannot
 * compare.
 */
import type { ConfigStore } from '@switchyard/config-store'
import { ConfigHead } from '@switchyard/contracts'
import { type EventLog, EventLogUnavailableError } from '@switchyard/event-log'
import { waitFor } from '@switchyard/testkit'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { publicJwks } from '../src/config-distribution.ts'
import { completed, composed, GRAPH, removed } from './records.ts'
import { type Bench, openBench } from './setup.ts'

const START = 1_700_000_000_000
const OFTEN = { repairMs: 20 }

let bench: Bench
let now: number
beforeEach(async () => {
  bench = await openBench()
  await bench.artifacts('base 1', 'base 2')
  now = START
})
afterEach(() => bench[Symbol.asyncDispose]())

async function head(): Promise<ConfigHead | null> {
  const text = await bench.store.getHead(GRAPH)
  if (text === null) return null
  const keys = createLocalJWKSet({ keys: publicJwks(bench.signingKey).keys })
  const { payload } = await jwtVerify(text, keys, { currentDate: new Date(now) })
  return ConfigHead.parse(payload)
}

describe('the head of a graph', () => {
  it('names the newest revision, is of a type of its own, and is valid for five minutes', async () => {
    await using service = bench.start({ now: () => now })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    const seconds = START / 1000
    expect(await head()).toEqual({
      sub: 'default/shop',
      epoch: START,
      revision: 1,
      iat: seconds,
      exp: seconds + 300,
    })
    expect(decodeProtectedHeader((await bench.store.getHead(GRAPH)) ?? '')).toEqual({
      alg: 'EdDSA',
      kid: bench.signingKey.kid,
      typ: 'switchyard-head+jwt',
    })
  })

  it('is there with each revision before that is announced, and never before its manifest', async () => {
    const written: string[] = []
    const store: ConfigStore = new Proxy(bench.store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]): Promise<unknown> => {
          const answer: unknown = await value.apply(target, given)
          if (name === 'putHead' || name === 'putManifest') written.push(name)
          return answer
        }
      },
    })
    bench.announcer.subscribe('config.default.shop', () => written.push('notice'))
    await using service = bench.start({ now: () => now, store })
    for (const [sequence, record] of [
      completed(1, composed('base 1')),
      completed(2, composed('base 2')),
      removed(3),
    ].entries()) {
      await bench.compose(record)
      await service.idle()
      await waitFor('the notice', () => written.filter((what) => what === 'notice').length === sequence + 1)
      expect((await head())?.revision).toBe(sequence + 1)
    }
    expect(written).toEqual([
      'putManifest',
      'putHead',
      'notice',
      'putManifest',
      'putHead',
      'notice',
      'putManifest',
      'putHead',
      'notice',
    ])
  })

  it('is signed again when it is a minute old, or the clock was set back, and not before', async () => {
    await using service = bench.start({ now: () => now, intervals: OFTEN })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    const first = await bench.store.getHead(GRAPH)
    now = START + 59_000
    await repaired()
    expect(await bench.store.getHead(GRAPH)).toBe(first)
    now = START + 61_000
    await waitFor('a new one', async () => (await head())?.iat === now / 1000)
    now = START - 3_600_000
    await waitFor('one by the earlier clock', async () => (await head())?.iat === now / 1000)
  })

  it('is put back when the store lost it, or holds another one', async () => {
    await using service = bench.start({ now: () => now, intervals: OFTEN })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    await bench.store.putHead(GRAPH, 'something else')
    await waitFor('it to be repaired', async () => (await bench.store.getHead(GRAPH)) !== 'something else')
    expect((await head())?.revision).toBe(1)
  })

  it('is not signed while the log cannot be read: somebody else may have published meanwhile', async () => {
    let isDown = false
    const log: EventLog = new Proxy(bench.log, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        if (name === 'last' && isDown) return () => Promise.reject(new EventLogUnavailableError('it is away'))
        return value.bind(target)
      },
    })
    await using service = bench.start({ now: () => now, log, intervals: OFTEN })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    const first = await bench.store.getHead(GRAPH)
    isDown = true
    now = START + 120_000
    await waitFor('the loss to be noticed', () => !service.ready().ok)
    expect(await bench.store.getHead(GRAPH)).toBe(first)
    isDown = false
    await waitFor('a new one', async () => (await bench.store.getHead(GRAPH)) !== first)
  })

  it('is not written where nobody asks for it', async () => {
    await using service = bench.start({ signsHeads: false })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    expect(await bench.store.getHead(GRAPH)).toBeNull()
  })
})

/** What the store lacks now is there again after one comparison of log and store. */
async function repaired(): Promise<void> {
  const before = await bench.store.getManifest(GRAPH)
  if (before === null) throw new Error('nothing is published')
  await bench.store.replaceManifest(GRAPH, { ...before, signature: 'x..y' })
  await waitFor(
    'a repair',
    async () => (await bench.store.getManifest(GRAPH))?.signature === before.signature,
  )
  // The head is looked at after the manifest of the same comparison: one more has that behind it.
  await bench.store.replaceManifest(GRAPH, { ...before, signature: 'x..y' })
  await waitFor(
    'a repair',
    async () => (await bench.store.getManifest(GRAPH))?.signature === before.signature,
  )
}
