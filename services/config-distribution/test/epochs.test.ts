/** A log that was set back: routers take what is published into it all the same. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { configSubject, routerStatusSubject } from '@switchyard/contracts'
import type { ConfigRecord, RouterHeartbeat } from '@switchyard/contracts'
import { FleetKey } from '@switchyard/service-kit'
import { waitFor } from '@switchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { completed, composed, GRAPH, reused, removed } from './records.ts'
import { openBench, servedManifest } from './setup.ts'
import type { Bench } from './setup.ts'

const fleetKey = new FleetKey('a key that routers share, long enough')
const NOW = Date.UTC(2026, 0, 2)
let bench: Bench
let sign: (subject: string, message: object) => object

beforeEach(async () => {
  bench = await openBench()
  sign = fleetKey.signer()
  await bench.artifacts('base 1', 'base 2')
})
afterEach(() => bench[Symbol.asyncDispose]())

const reasons = async () => (await bench.configRecords()).map(({ cause }) => cause.reason)

function hashOf({ manifest }: ConfigRecord): string {
  return createHash('sha256').update(manifest).digest('hex')
}

function tell(more: Partial<RouterHeartbeat>, signed = true): void {
  const heartbeat: RouterHeartbeat = {
    instance: 'r1',
    boot: 'b1',
    namespace: GRAPH.namespace,
    graph: GRAPH.graph,
    epoch: 0,
    revision: 0,
    registrySequence: 0,
    flags: [],
    configCreatedAt: null,
    state: 'serving',
    ...more,
  }
  const subject = routerStatusSubject(GRAPH, heartbeat.instance)
  bench.announcer.announce(subject, signed ? sign(subject, heartbeat) : heartbeat)
}

/** Publishes two revisions and returns the second one. */
async function publishTwo(service: { idle(): Promise<void> }): Promise<ConfigRecord> {
  for (const [index, name] of ['base 1', 'base 2'].entries()) {
    await bench.compose(completed(index + 1, composed(name)))
    await service.idle()
  }
  const second = (await bench.configRecords())[1]
  if (second === undefined) throw new Error('there is no second revision')
  return second
}

describe('a router that serves what the log does not have', () => {
  it.each([
    ['a later revision', (last: ConfigRecord) => ({ epoch: last.epoch, revision: last.revision + 3 })],
    ['another manifest of the same number', ({ epoch, revision }: ConfigRecord) => ({ epoch, revision })],
    ['a later epoch', (last: ConfigRecord) => ({ epoch: last.epoch + 60_000, revision: 1 })],
  ])('which is %s: the same content is published once in a later epoch', async (_, versionAfter) => {
    await using service = bench.start({ fleetKey, now: () => NOW })
    const last = await publishTwo(service)
    const served = { ...versionAfter(last), manifest: 'a'.repeat(64) }
    await waitFor('a new epoch', async () => {
      tell(served)
      return (await bench.configRecords()).length > 2
    })
    for (let beat = 0; beat < 5; beat++) tell(served)
    await service.idle()
    expect(await reasons()).toEqual(['composition', 'composition', 'restored'])
    const first = (await bench.configRecords())[2]
    expect(first?.revision).toBe(3)
    expect(first?.epoch).toBeGreaterThan(Math.max(last.epoch, served.epoch))
    expect(await servedManifest(bench.store, bench.signingKey)).toMatchObject({ revision: 3 })
  })

  it('is believed only if it proves to be a router, and never beyond a century', async () => {
    await using service = bench.start({ now: () => NOW })
    const { epoch, revision } = await publishTwo(service)
    const foreign = { epoch, revision: revision + 1, manifest: 'a'.repeat(64) }
    for (let beat = 0; beat < 5; beat++) tell(foreign, false)
    await using strict = bench.start({ fleetKey, now: () => NOW })
    await strict.idle()
    for (let beat = 0; beat < 5; beat++) tell({ ...foreign, epoch: Number.MAX_SAFE_INTEGER })
    await strict.idle()
    expect(await reasons()).toEqual(['composition', 'composition'])
  })

  it('is no such router if it serves the newest revision, told by its hash or as routers of before do', async () => {
    await using service = bench.start({ fleetKey, now: () => NOW })
    const last = await publishTwo(service)
    const { epoch, revision } = last
    for (let beat = 0; beat < 4; beat++) {
      tell({ epoch, revision, manifest: hashOf(last) })
      tell({ epoch, revision, configCreatedAt: new Date(NOW).toISOString(), instance: 'r2' })
    }
    await service.idle()
    expect(await reasons()).toEqual(['composition', 'composition'])
  })
})

describe('a log that was imported', () => {
  it('gets a new epoch when it is first read, once, with a deleted graph as well', async () => {
    {
      await using service = bench.start({ now: () => NOW })
      await publishTwo(service)
      await bench.compose(removed(3))
      await service.idle()
    }
    const records = await bench.configRecords()
    await using other = await openBench()
    for (const [index, record] of records.entries()) {
      const isLast = index === records.length - 1
      await other.log.append(configSubject(GRAPH), isLast ? { ...record, imported: true } : record, index)
    }
    for (let start = 0; start < 2; start++) {
      await using service = other.start({ signingKey: bench.signingKey, now: () => NOW })
      await service.idle()
    }
    const after = await other.configRecords()
    expect(after).toHaveLength(4)
    expect(after[3]).toMatchObject({ revision: 4, epoch: NOW + 1, cause: { reason: 'restored' } })
    expect(after[3]).not.toHaveProperty('imported')
  })
})

describe('a graph that is to be published once more', () => {
  it('gets one revision of the same content in a new epoch, and stays held where it is', async () => {
    await using service = bench.start({ now: () => NOW })
    await publishTwo(service)
    await bench.compose({ ...completed(3, reused('base 2')), republished: 3 } as never)
    await service.idle()
    await bench.compose({ ...completed(4, reused('base 2')), republished: 3 } as never)
    await service.idle()
    expect(await reasons()).toEqual(['composition', 'composition', 'republished'])
    await bench.compose({ ...completed(5, reused('base 2'), {}, 1), republished: 3 } as never)
    await service.idle()
    const records = await bench.configRecords()
    expect(records.map(({ epoch, revision }) => [epoch - NOW, revision])).toEqual([
      [0, 1],
      [0, 2],
      [1, 3],
      [1, 4],
    ])
    expect(JSON.parse(records[3]?.manifest ?? '{}').base).toEqual(
      JSON.parse(records[0]?.manifest ?? '{}').base,
    )
  })
})

describe('the stored bytes', () => {
  it('are compared with the log from time to time, and put right, without anybody who asks', async () => {
    await using service = bench.start({ intervals: { verifyMs: 20 } })
    const { manifest } = await publishTwo(service)
    const { artifact } = JSON.parse(manifest).base
    await bench.store.deleteArtifact(GRAPH, artifact)
    await bench.store.putArtifact(GRAPH, artifact, gzipSync('something else'))
    await waitFor('the repair', () =>
      servedManifest(bench.store, bench.signingKey).then(Boolean, () => false),
    )
  })
})
