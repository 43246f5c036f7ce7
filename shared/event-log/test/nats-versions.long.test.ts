/**
 * The same contract on every version of NATS that `scripts/nats-versions.sh` builds, and what clusters of the
 * newest do.
 */
import { jetstreamManager } from '@nats-io/jetstream'
import type { ServerProblem } from '@switchyard/service-kit'
import {
  natsClusterAvailable,
  type NatsCluster,
  natsVersions,
  startNatsCluster,
  startNatsServer,
  waitFor,
} from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AppendConflictError,
  connectNats,
  type EventLog,
  LOG_NAMES,
  type NatsStorage,
  openNatsEventLog,
  openNatsStorage,
} from '../src/index.ts'
import { startFollower } from './collect.ts'
import { describeNatsContracts } from './nats-server.contract.ts'

const SUBJECT = 'compositions.default.shop'
const all = { kind: 'log', log: 'compositions' } as const
const shop = { kind: 'subject', subject: SUBJECT } as const
/**
 * A new leader is chosen within some 5 s; whoever asked the old one meanwhile waits for that answer first.
 */
const ELECTED = { withinMs: 90_000 }
const TEST_WITHIN_MS = 300_000

describe.skipIf(!natsClusterAvailable())('on NATS of several versions', () => {
  // Where none could be built, the tests are listed as skipped.
  const versions = natsClusterAvailable() ? natsVersions() : [{ version: 'any', path: '' }]
  for (const { version, path } of versions) {
    describe(version, () => describeNatsContracts(() => startNatsServer({ path })))
  }
})

describe.skipIf(!natsClusterAvailable())('on three NATS servers', () => {
  let cluster: NatsCluster
  beforeAll(async () => {
    cluster = await startNatsCluster()
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  it('a stream keeps its number of copies until it is said to change it', async () => {
    const warnings: ServerProblem[] = []
    const open = (options: object) =>
      openNatsEventLog({
        url: cluster.url,
        name: 'registry',
        owns: ['registry'],
        reads: [],
        onWarning: (problem) => void warnings.push(problem),
        ...options,
      })
    await using _single = await open({ replicas: 1 })
    await using _again = await open({})
    expect(warnings).toEqual([])
    await using _told = await open({ replicas: 3 })
    expect(warnings).toMatchObject([
      { code: 'NATS_REPLICAS_DIFFER', message: expect.stringContaining('--replicas 3') },
    ])
    expect(await copiesOf(cluster, 'registry')).toBe(1)
    await using _changed = await open({ replicas: 3, updateReplicas: true })
    await waitFor('three copies', async () => (await copiesOf(cluster, 'registry')) === 3)
    await using _same = await open({ replicas: 3 })
    expect(warnings).toHaveLength(1)
  })

  it(
    'nothing acknowledged is lost, and followers miss and repeat nothing, while the leader is killed and comes back',
    async () => {
      const open = (name: string): Promise<NatsStorage> =>
        openNatsStorage({
          url: cluster.url,
          name,
          owns: LOG_NAMES,
          ownsBlobs: true,
          updateReplicas: true,
          replicas: 3,
        })
      await using storage = await open('composer')
      await using reader = await open('registry')
      await waitFor('three copies', async () => (await copiesOf(cluster, 'OBJ_switchyard-blobs')) === 3)
      await using follower = startFollower(reader.log, all, 1)
      const stop = new AbortController()
      const writing = writeUntil(stop.signal, storage)
      const more = async (): Promise<void> => {
        const before = follower.entries.length
        await waitFor('records to arrive', () => follower.entries.length > before + 20, ELECTED)
      }
      await more()
      const leader = await cluster.leaderOf('compositions')
      await leader.kill9()
      expect(await cluster.leaderOf('compositions')).not.toBe(leader)
      await more()
      await leader.restart()
      await cluster.whenHealthy()
      await more()
      stop.abort()
      const { acknowledged, blobs } = await writing
      const last = (await storage.log.last(shop))?.sequence ?? 0
      await waitFor('the follower to have all', () => follower.entries.length >= last, ELECTED)
      expect(follower.entries.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: last }, (_, index) => index + 1),
      )
      const written = new Set(follower.entries.map(({ record }) => (record as { n: number }).n))
      expect(acknowledged.filter((n) => !written.has(n))).toEqual([])
      expect(written.size).toBe(follower.entries.length)
      for (const [sha256, text] of blobs)
        expect(Buffer.from(await reader.blobs.get(sha256)).toString()).toBe(text)
      expect(blobs.size).toBeGreaterThan(10)
    },
    TEST_WITHIN_MS,
  )
})

async function copiesOf(cluster: NatsCluster, stream: string): Promise<number> {
  await using link = await connectNats({ url: cluster.url, name: 'admin' })
  const manager = await jetstreamManager(link.connection)
  const { config, cluster: peers } = await manager.streams.info(stream)
  const current = (peers?.replicas ?? []).filter((peer) => peer.current)
  return config.num_replicas === 1 ? 1 : current.length + 1
}

/** As services write: whoever got no answer looks for its own record before it decides again. */
async function writeUntil(signal: AbortSignal, { log, blobs }: NatsStorage) {
  const acknowledged: number[] = []
  const stored = new Map<string, string>()
  let last = 0
  let wasUnanswered = false
  for (let n = 0; !signal.aborted; n += 1) {
    try {
      last = await log.append(SUBJECT, { v: 1, type: 'test', n }, last)
      acknowledged.push(n)
      if (n % 10 === 0) stored.set(await blobs.put(Buffer.from(`blob ${n}`)), `blob ${n}`)
    } catch (error) {
      // What a leader took that was killed may be written later than the next one is asked what is there.
      if (error instanceof AppendConflictError && !wasUnanswered) throw error
      wasUnanswered = true
      last = await waitFor('the log to answer again', () => newest(log), ELECTED)
    }
  }
  return { acknowledged, blobs: stored }
}

async function newest(log: EventLog): Promise<number> {
  return (await log.last(shop))?.sequence ?? 0
}
