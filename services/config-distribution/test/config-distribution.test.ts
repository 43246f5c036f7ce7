import { createHash } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  ALL_ROUTER_STATUS,
  configNoticeSubject,
  configSubject,
  routerStatusSubject,
  SYSTEM_SUBJECT,
} from '@switchyard/contracts'
import type { RouterHeartbeat } from '@switchyard/contracts'
import { ConfigStoreUnavailableError } from '@switchyard/config-store'
import type { ConfigStore } from '@switchyard/config-store'
import { BlobMissingError, createMemoryAnnouncer, EventLogUnavailableError } from '@switchyard/event-log'
import type { EventLog } from '@switchyard/event-log'
import { parseTraceparent } from '@switchyard/service-kit'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEPT_REVISIONS, sweepArtifacts, UNUSED_FOR_MS } from '../src/store/artifact-sweep.ts'
import { recentRevisions } from '../src/log/config-log.ts'
import { createSigningKey } from '../src/config-distribution.ts'
import { composed, completed, empty, failed, GRAPH, hash, removed, reused } from './records.ts'
import { openBench, servedManifest } from './setup.ts'
import type { Bench } from './setup.ts'
import { RandomRun, waitFor } from '@switchyard/testkit'

let bench: Bench

beforeEach(async () => {
  bench = await openBench()
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
})

const served = () => servedManifest(bench.store, bench.signingKey)

describe('publishing', () => {
  it('turns a composition into a signed manifest with its artifacts in the store', async () => {
    await bench.artifacts('base 1', 'a 1')
    await using service = bench.start({ now: () => 1_700_000_000_000 })
    await bench.compose(completed(7, composed('base 1'), { a: composed('a 1'), b: failed() }))
    await service.idle()
    expect(await served()).toEqual({
      formatVersion: 1,
      graph: { namespace: 'default', name: 'shop' },
      epoch: 1_700_000_000_000,
      revision: 1,
      createdAt: '2023-11-14T22:13:20.000Z',
      registrySequence: 7,
      base: { artifact: hash('base 1') },
      featureFlags: { a: { artifact: hash('a 1') } },
      traceKeys: { keys: [] },
    })
    expect(service.ready()).toEqual({ ok: true })
  })

  it('counts revisions from 1 without gaps within one epoch, and publishes nothing when nothing changed', async () => {
    await bench.artifacts('base 1', 'base 2', 'a 1')
    await using service = bench.start()
    for (const record of [
      completed(1, empty),
      completed(2, composed('base 1')),
      completed(3, reused('base 1'), { a: failed() }),
      completed(4, reused('base 1'), { a: composed('a 1') }),
      completed(5, failed(), { a: reused('a 1') }),
      completed(6, failed()),
      completed(7, composed('base 2')),
      removed(8),
    ]) {
      await bench.compose(record)
      await service.idle()
    }
    const records = await bench.configRecords()
    expect(records.map(({ revision, cause }) => [revision, cause.registrySequence, cause.reason])).toEqual([
      [1, 2, 'composition'],
      [2, 4, 'composition'],
      [3, 6, 'removal'],
      [4, 7, 'composition'],
      [5, 8, 'graph-removed'],
    ])
    expect(new Set(records.map(({ epoch }) => epoch)).size).toBe(1)
    expect(await served()).toMatchObject({ revision: 5, base: null, featureFlags: {} })
  })

  it('announces a revision after it is in the store, in the trace of the command that caused it', async () => {
    await bench.artifacts('base 1')
    const notices: { message: unknown; stored: Promise<unknown> }[] = []
    using _subscription = bench.announcer.subscribe(configNoticeSubject(GRAPH), (message) => {
      notices.push({ message, stored: served() })
    })
    await using service = bench.start()
    const traceId = 'a'.repeat(32)
    await bench.compose({
      ...completed(1, composed('base 1')),
      traceparent: `00-${traceId}-${'b'.repeat(16)}-01`,
    })
    await service.idle()
    const notice = await waitFor('the notice', () => notices[0])
    expect(notice.message).toMatchObject({ revision: 1, traceparent: expect.any(String) })
    expect(await notice.stored).toMatchObject({ revision: 1 })
    const [record] = await bench.configRecords()
    expect(parseTraceparent(record?.cause.traceparent)?.traceId).toBe(traceId)
    expect(notices).toHaveLength(1)
  })

  it('holds a pinned graph on the artifacts of the old revision and follows again when unpinned', async () => {
    await bench.artifacts('base 1', 'base 2', 'base 3')
    await using service = bench.start()
    for (const record of [
      completed(1, composed('base 1')),
      completed(2, composed('base 2')),
      completed(3, reused('base 2'), {}, 1),
      completed(4, composed('base 3'), {}, 1),
    ]) {
      await bench.compose(record)
      await service.idle()
    }
    expect(await served()).toMatchObject({ base: { artifact: hash('base 1') } })
    await bench.compose(completed(5, reused('base 3')))
    await service.idle()
    expect(await served()).toMatchObject({ base: { artifact: hash('base 3') } })
    expect((await bench.configRecords()).at(-1)?.cause.reason).toBe('unpin')
  })

  it('puts the public trace keys into the manifest, and publishes again when they change', async () => {
    await bench.artifacts('base 1')
    await using service = bench.start()
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k1' }
    const envelope = { v: 1, actor: 'system', time: '2026-01-01T00:00:00Z' }
    const created = { ...envelope, commandId: 'c1', after: 0, events: [{ type: 'trace-key.created', jwk }] }
    const first = await bench.log.append(SYSTEM_SUBJECT, created, 0)
    await waitFor('the key', async () => (await served())?.traceKeys.keys[0]?.kid === 'k1')
    const retired = {
      ...envelope,
      commandId: 'c2',
      after: first,
      events: [{ type: 'trace-key.retired', kid: 'k1' }],
    }
    await bench.log.append(SYSTEM_SUBJECT, retired, first)
    await waitFor('no key', async () => (await served())?.traceKeys.keys.length === 0)
    expect(await served()).toMatchObject({ revision: 3, base: { artifact: hash('base 1') } })
  })
})

describe('what is served already', () => {
  it('is not published again by a base that fails, also after the log was read again with a trace key in it', async () => {
    await bench.artifacts('base 1')
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k1' }
    await bench.log.append(
      SYSTEM_SUBJECT,
      {
        v: 1,
        actor: 'system',
        time: '2026-01-01T00:00:00Z',
        commandId: 'c1',
        after: 0,
        events: [{ type: 'trace-key.created', jwk }],
      },
      0,
    )
    {
      await using first = bench.start()
      await bench.compose(completed(1, composed('base 1')))
      await first.idle()
    }
    const published = await bench.configRecords()
    for (const sequence of [2, 3, 4]) {
      await using next = bench.start()
      await bench.compose(completed(sequence, failed()))
      await next.idle()
    }
    expect(await bench.configRecords()).toEqual(published)
  })
})

describe('starting on half-done work', () => {
  it('carries out what was composed while nobody distributed, keeping the last good base of a broken graph', async () => {
    await bench.artifacts('base 1', 'base 2')
    await bench.compose(completed(1, composed('base 1')))
    await bench.compose(completed(2, composed('base 2')))
    await bench.compose(completed(3, failed()))
    await using service = bench.start()
    await service.idle()
    expect(await served()).toMatchObject({
      revision: 1,
      registrySequence: 3,
      base: { artifact: hash('base 2') },
    })
  })

  it('projects a revision whose instance died between the commit and the store', async () => {
    await bench.artifacts('base 1')
    const broken = storeThat(bench.store, () => true)
    const first = bench.start({ store: broken })
    await bench.compose(completed(1, composed('base 1')))
    await waitFor('the commit', async () => (await bench.configRecords()).length === 1)
    await first[Symbol.asyncDispose]()
    expect(await served()).toBeNull()
    await using second = bench.start()
    await second.idle()
    expect(await served()).toMatchObject({ revision: 1 })
    expect(await bench.configRecords()).toHaveLength(1)
  })

  it('commits a composition whose instance died after putting the artifacts', async () => {
    await bench.artifacts('base 1')
    let appends = 0
    const dying = logThat(bench.log, () => {
      appends += 1
      throw new EventLogUnavailableError('the connection was cut')
    })
    const first = bench.start({ log: dying })
    await bench.compose(completed(1, composed('base 1')))
    await waitFor('an attempt', () => appends > 0)
    expect(first.ready()).toMatchObject({ ok: false })
    await first[Symbol.asyncDispose]()
    expect(await bench.store.hasArtifact(GRAPH, hash('base 1'))).toBe(true)
    await using second = bench.start()
    await second.idle()
    expect(await served()).toMatchObject({ revision: 1 })
  })

  it('continues epoch and revisions after a restart', async () => {
    await bench.artifacts('base 1', 'base 2')
    const first = bench.start({ now: () => 1000 })
    await bench.compose(completed(1, composed('base 1')))
    await first.idle()
    await first[Symbol.asyncDispose]()
    await using second = bench.start({ now: () => 999_000 })
    await bench.compose(completed(2, composed('base 2')))
    await second.idle()
    expect(await served()).toMatchObject({ epoch: 1000, revision: 2 })
  })
})

describe('repairing the config store', () => {
  async function serveRevision(): Promise<void> {
    await bench.artifacts('base 1', 'a 1')
    await using service = bench.start()
    await bench.compose(completed(1, composed('base 1'), { a: composed('a 1') }))
    await service.idle()
  }

  it('rebuilds a lost artifact while running', async () => {
    await serveRevision()
    await using _service = bench.start({ intervals: { repairMs: 20 } })
    await bench.store.deleteArtifact(GRAPH, hash('a 1'))
    await waitFor('the artifact', () => bench.store.hasArtifact(GRAPH, hash('a 1')))
    expect(await served()).toMatchObject({ revision: 1 })
  })

  it('replaces a manifest that is newer than the log, or another text under the same number', async () => {
    await serveRevision()
    const epoch = (await bench.configRecords())[0]?.epoch ?? 0
    for (const version of [
      { epoch: epoch + 5, revision: 9 },
      { epoch, revision: 1 },
    ]) {
      await bench.store.replaceManifest(GRAPH, {
        version,
        manifest: new TextEncoder().encode('{}'),
        signature: 'x..y',
      })
      await using service = bench.start()
      await service.idle()
      expect(await served()).toMatchObject({ epoch, revision: 1 })
    }
  })

  it('writes a manifest again that was damaged on disk', async () => {
    await serveRevision()
    await using _service = bench.start({ intervals: { repairMs: 20 } })
    await truncate(join(bench.directory, 'config', 'default', 'shop', 'manifest.json'), 20)
    await waitFor('the manifest', served)
  })

  it('leaves routers of a deleted graph alone, which are behind on purpose', async () => {
    await serveRevision()
    await using service = bench.start({ intervals: { routerBehindMs: 0 } })
    await bench.compose(removed(2))
    await service.idle()
    const notices: unknown[] = []
    using _subscription = bench.announcer.subscribe(configNoticeSubject(GRAPH), (message) => {
      notices.push(message)
    })
    let beats = 0
    using _beats = bench.announcer.subscribe(ALL_ROUTER_STATUS, () => {
      beats += 1
    })
    await waitFor('five heartbeats', () => {
      bench.announcer.announce(routerStatusSubject(GRAPH, 'r1'), { ...STARTING, state: 'graph-deleted' })
      return beats >= 5
    })
    await service.idle()
    bench.announcer.announce(configNoticeSubject(GRAPH), 'the end')
    await waitFor('the end', () => notices.includes('the end'))
    expect(notices).toEqual(['the end'])
  })

  it('helps a router that stays behind: damaged artifacts are replaced and the revision is announced again', async () => {
    await serveRevision()
    const damaged = gzipSync('something else')
    await using _service = bench.start({ intervals: { routerBehindMs: 10 } })
    let notices = 0
    using _subscription = bench.announcer.subscribe(configNoticeSubject(GRAPH), () => {
      notices += 1
    })
    await bench.store.deleteArtifact(GRAPH, hash('base 1'))
    await bench.store.putArtifact(GRAPH, hash('base 1'), damaged)
    await waitFor('the repair', async () => {
      bench.announcer.announce(routerStatusSubject(GRAPH, 'r1'), STARTING)
      return notices > 0
    })
    expect(await served()).toMatchObject({ revision: 1 })
  })

  it('helps a router that serves the newest revision without what is damaged', async () => {
    await bench.artifacts('base 1', 'a 1')
    await using service = bench.start({ intervals: { routerBehindMs: 10 } })
    await bench.compose(completed(1, composed('base 1'), { a: composed('a 1') }))
    await service.idle()
    const stored = await bench.store.getManifest(GRAPH)
    const whole = {
      ...STARTING,
      ...stored?.version,
      manifest: createHash('sha256')
        .update(stored?.manifest ?? '')
        .digest('hex'),
      state: 'serving' as const,
    }
    await bench.store.deleteArtifact(GRAPH, hash('a 1'))
    const isThere = () => bench.store.hasArtifact(GRAPH, hash('a 1'))
    await waitFor('the repair', () => {
      bench.announcer.announce(routerStatusSubject(GRAPH, 'r1'), {
        ...whole,
        leftOut: { flags: ['a'], documents: [] },
      })
      return isThere()
    })
  })

  it('commits while the store is away, says so, and projects when it is back', async () => {
    await bench.artifacts('base 1', 'base 2')
    let down = true
    await using service = bench.start({
      store: storeThat(bench.store, () => down),
      intervals: { pingMs: 10 },
    })
    await bench.compose(completed(1, composed('base 1')))
    await waitFor('the first commit', async () => (await bench.configRecords()).length === 1)
    await bench.compose(completed(2, composed('base 2')))
    await waitFor('the second commit', async () => (await bench.configRecords()).length === 2)
    await waitFor('not ready', () => !service.ready().ok)
    expect(await served()).toBeNull()
    down = false
    await service.idle()
    expect(await served()).toMatchObject({ revision: 2 })
    await waitFor('ready', () => service.ready().ok)
  })

  it('publishes nothing while an artifact is missing, and goes on with the next composition', async () => {
    await bench.artifacts('base 1')
    const blobs = {
      ...bench.blobs,
      get: async (sha256: string) => {
        if (sha256 === hash('base 2')) throw new BlobMissingError(sha256)
        return bench.blobs.get(sha256)
      },
    }
    await using service = bench.start({ blobs })
    await bench.compose(completed(1, composed('base 2')))
    const reason = await waitFor('the problem', () => {
      const state = service.ready()
      return !state.ok && state.reason.includes(hash('base 2'))
    })
    expect(reason).toBe(true)
    expect(await bench.configRecords()).toHaveLength(0)
    await bench.compose(completed(2, composed('base 1')))
    await service.idle()
    expect(await served()).toMatchObject({ revision: 1, base: { artifact: hash('base 1') } })
  })

  it('removes artifacts that nothing has needed for an hour, and none that is served', async () => {
    await bench.artifacts('old', 'base 1')
    await serveRevision()
    await bench.store.putArtifact(GRAPH, hash('old'), gzipSync('old'))
    const later = Date.now() + UNUSED_FOR_MS + 60_000
    const revisions = () => recentRevisions(bench.log, GRAPH, KEPT_REVISIONS)
    expect(await sweepArtifacts(bench.store, GRAPH, revisions, Date.now())).toBe(0)
    expect(await sweepArtifacts(bench.store, GRAPH, revisions, later)).toBe(1)
    const left = (await bench.store.listArtifacts(GRAPH)).map(({ sha256 }) => sha256)
    expect(left.sort()).toEqual([hash('a 1'), hash('base 1')].sort())
  })
})

describe('what stops it', () => {
  it('is a composition record it does not understand: not ready, with the sequence, and nothing after it is done', async () => {
    await bench.artifacts('base 1')
    await using service = bench.start()
    await service.idle()
    const bad = await bench.log.append('compositions.default.other', { v: 2, type: 'from the future' }, 0)
    await waitFor('not ready', () => !service.ready().ok)
    expect(service.ready()).toMatchObject({ reason: expect.stringContaining(`sequence ${bad}`) })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    expect(await bench.configRecords()).toHaveLength(0)
  })

  it('is a config record it does not understand', async () => {
    const bad = await bench.log.append(configSubject(GRAPH), { v: 2 }, 0)
    await using service = bench.start()
    await waitFor('the reason', () => {
      const state = service.ready()
      return !state.ok && state.reason.includes(`sequence ${bad}`)
    })
  })

  it('is not a log that cannot be reached for a while', async () => {
    await bench.artifacts('base 1')
    await bench.compose(completed(1, composed('base 1')))
    let down = true
    const log = logThat(
      bench.log,
      () => {},
      () => down,
    )
    await using service = bench.start({ log, intervals: { pingMs: 20 } })
    await waitFor('not ready', () => !service.ready().ok)
    down = false
    await waitFor('the manifest', served)
    await waitFor('ready', () => service.ready().ok)
    down = true
    await waitFor('not ready again', () => !service.ready().ok)
  })
})

/** One run is dear, so there are no more of them in a campaign. */
const { seed: SEED } = new RandomRun(import.meta.url, 15)

describe('two instances on one log', () => {
  it('commit every change once and agree on what is served', async () => {
    await bench.artifacts('base 1', 'base 2', 'a 1', 'a 2')
    const artifact = (name: string) => fc.constantFrom(`${name} 1`, `${name} 2`)
    const result = (name: string) => fc.oneof(artifact(name).map(composed), fc.constant(failed()))
    const step = fc.record({
      base: result('base'),
      flags: fc.option(result('a'), { nil: null }),
    })
    let sequence = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const others = createMemoryAnnouncer()
        await using first = bench.start()
        await using second = bench.start({ announcer: others })
        for (const { base, flags } of steps) {
          sequence += 1
          await bench.compose(completed(sequence, base, flags === null ? {} : { a: flags }))
        }
        await first.idle()
        await second.idle()
        const records = await bench.configRecords()
        expect(records.map(({ revision }) => revision)).toEqual(records.map((_, index) => index + 1))
        const causes = records.map(({ cause }) => cause.compositionSequence)
        expect(new Set(causes).size).toBe(causes.length)
        const manifest = await served()
        expect(manifest?.revision ?? 0).toBe(records.length)
        const good = steps.findLast(({ base }) => base.status === 'composed')?.base
        if (good?.status === 'composed') expect(manifest?.base?.artifact).toBe(good.artifact)
        const last = steps.at(-1)
        if (last?.base.status === 'composed') {
          const flag = last.flags?.status === 'composed' ? { a: { artifact: last.flags.artifact } } : {}
          expect(manifest?.featureFlags).toEqual(flag)
        }
        if (last?.flags === null && manifest !== null) expect(manifest.featureFlags).toEqual({})
      }),
      { numRuns: 15, seed: SEED },
    )
  })

  it('sign with keys of their own', async () => {
    await bench.artifacts('base 1')
    const other = await createSigningKey()
    await using service = bench.start({ signingKey: other })
    await bench.compose(completed(1, composed('base 1')))
    await service.idle()
    await expect(servedManifest(bench.store, bench.signingKey)).rejects.toThrow()
    expect(await servedManifest(bench.store, other)).toMatchObject({ revision: 1 })
  })
})

const STARTING: RouterHeartbeat = {
  instance: 'r1',
  boot: '1',
  namespace: 'default',
  graph: 'shop',
  epoch: 0,
  revision: 0,
  registrySequence: 0,
  flags: [],
  configCreatedAt: null,
  state: 'starting',
}

/** The same store, behind a connection that is down while `isDown` says so. */
function storeThat(store: ConfigStore, isDown: () => boolean): ConfigStore {
  return new Proxy(store, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return async (...given: readonly unknown[]): Promise<unknown> => {
        if (isDown()) throw new ConfigStoreUnavailableError('the connection was cut')
        return Reflect.apply(value, target, given)
      }
    },
  })
}

/** The same log; `beforeAppend` may throw, and `isDown` cuts the reading. */
function logThat(log: EventLog, beforeAppend: () => void, isDown: () => boolean = () => false): EventLog {
  const check = (): void => {
    if (isDown()) throw new EventLogUnavailableError('the connection was cut')
  }
  return {
    async append(subject, record, expectedLast) {
      beforeAppend()
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
