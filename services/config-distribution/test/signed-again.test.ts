/**
 * A log whose newest revision this instance did not sign: imported from elsewhere, or from before its key was
 * replaced.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SYSTEM_SUBJECT } from '@switchyard/contracts'
import { waitFor } from '@switchyard/testkit'
import { createSigningKey } from '../src/config-distribution.ts'
import { completed, composed, GRAPH, hash, removed, reused } from './records.ts'
import { openBench, servedManifest } from './setup.ts'
import type { Bench } from './setup.ts'

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
  await bench.artifacts('base 1', 'base 2', 'a 1')
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
})

describe('the newest revision, signed with another key', () => {
  it('is published again with the same content under the own key, once', async () => {
    await distributeWithAnotherKey(completed(1, composed('base 1'), { a: composed('a 1') }))
    for (let start = 0; start < 2; start++) {
      await using service = bench.start()
      await service.idle()
      expect(await servedManifest(bench.store, bench.signingKey)).toMatchObject({
        revision: 2,
        registrySequence: 1,
        base: { artifact: hash('base 1') },
        featureFlags: { a: { artifact: hash('a 1') } },
      })
    }
    const records = await bench.configRecords()
    expect(records.map(({ cause }) => cause.reason)).toEqual(['composition', 'keys'])
    expect(new Set(records.map(({ epoch }) => epoch)).size).toBe(1)
  })

  it('stays a pinned one, so that its release is told as a release', async () => {
    await distributeWithAnotherKey(
      completed(1, composed('base 1')),
      completed(2, composed('base 2')),
      completed(3, reused('base 2'), {}, 1),
    )
    await using service = bench.start()
    await bench.compose(completed(4, reused('base 2')))
    await service.idle()
    await waitFor('the release', async () => (await bench.configRecords()).length >= 4)
    const reasons = (await bench.configRecords()).map(({ cause }) => cause.reason)
    expect(reasons.slice(0, 3)).toEqual(['composition', 'composition', 'pin'])
    expect(reasons.at(-1)).toBe('unpin')
    expect(await servedManifest(bench.store, bench.signingKey)).toMatchObject({
      base: { artifact: hash('base 2') },
    })
  })

  it('is signed again when it is the tombstone of a graph: routers believe no other', async () => {
    await distributeWithAnotherKey(completed(1, composed('base 1')), removed(2))
    await using service = bench.start()
    await service.idle()
    expect(await servedManifest(bench.store, bench.signingKey)).toMatchObject({ revision: 3, base: null })
  })

  it('is not signed over and over by two instances with a key each', async () => {
    const other = await createSigningKey()
    await distributeWithAnotherKey(completed(1, composed('base 1')))
    const intervals = { repairMs: 20 }
    await using first = bench.start({ intervals })
    await first.idle()
    await using second = bench.start({ signingKey: other, intervals })
    await second.idle()
    let repairs = 0
    const log = countingReads(() => (repairs += 1))
    await using third = bench.start({ log, intervals })
    await waitFor('many comparisons of log and store', () => repairs > 30)
    await third.idle()
    const count = (await bench.configRecords()).length
    const after = repairs
    await waitFor('many more', () => repairs > after + 30)
    expect((await bench.configRecords()).length).toBe(count)
    expect(count).toBe(4)
  })

  it('keeps its trace keys', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k1' }
    const record = { v: 1, actor: 'system', time: '2026-01-01T00:00:00Z', commandId: 'c1', after: 0 }
    await bench.log.append(SYSTEM_SUBJECT, { ...record, events: [{ type: 'trace-key.created', jwk }] }, 0)
    await distributeWithAnotherKey(completed(1, composed('base 1')))
    await using service = bench.start()
    await service.idle()
    const manifest = await servedManifest(bench.store, bench.signingKey)
    expect(manifest?.traceKeys.keys.map(({ kid }) => kid)).toEqual(['k1'])
  })
})

async function distributeWithAnotherKey(
  ...records: readonly Parameters<Bench['compose']>[0][]
): Promise<void> {
  await using service = bench.start({ signingKey: await createSigningKey() })
  for (const record of records) {
    await bench.compose(record)
    await service.idle()
  }
  expect(await bench.store.getManifest(GRAPH)).not.toBeNull()
}

function countingReads(onRead: () => void): Bench['log'] {
  const { log } = bench
  return {
    append: (subject, record, expectedLast) => log.append(subject, record, expectedLast),
    read: (filter, from) => log.read(filter, from),
    follow: (filter, from, signal) => log.follow(filter, from, signal),
    last(filter) {
      if (filter.kind === 'subject' && filter.subject.startsWith('configs.')) onRead()
      return log.last(filter)
    },
    subjects: (name) => log.subjects(name),
    async [Symbol.asyncDispose]() {},
  }
}
