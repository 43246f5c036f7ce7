/** Rollouts on their way from the registry's log into manifests. */
import { type RegistryEvent, RegistryRecord, registrySubject } from '@switchyard/contracts'
import type { EventLog } from '@switchyard/event-log'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { intercepted, openBench, type Bench } from './setup.ts'
import { completed, composed, hash } from './records.ts'

const SUBJECT = registrySubject('default')
const ROLLOUT: Omit<Extract<RegistryEvent, { type: 'rollout.created' }>, 'type'> = {
  name: 'slow',
  graph: 'shop',
  flag: 'next',
  mode: 'serve',
  where: [{ on: 'claim:plan', in: ['pro'] }],
  percent: 5,
  key: ['claim:sub'],
  salt: 'slow-1',
}

describe('rollouts in manifests', () => {
  let bench: Bench

  beforeEach(async () => {
    bench = await openBench()
    await bench.artifacts('base', 'base 2', 'next')
    await command(
      { type: 'federated-graph.created', name: 'shop', labelMatchers: [] },
      { type: 'subgraph.created', name: 'a', routingUrl: 'http://a.example', labels: [] },
      { type: 'feature-subgraph.created', name: 'f', routingUrl: 'http://f.example', base: 'a' },
      {
        type: 'feature-flag.created',
        name: 'next',
        labels: [],
        featureSubgraphs: ['f'],
        enabled: true,
      },
    )
    await bench.compose(completed(1, composed('base'), { next: composed('next') }))
  })

  afterEach(async () => {
    await bench[Symbol.asyncDispose]()
  })

  async function command(...events: RegistryEvent[]): Promise<number> {
    const last = await bench.log.last({ kind: 'subject', subject: SUBJECT })
    const after = last?.sequence ?? 0
    const record = RegistryRecord.parse({
      v: 1,
      commandId: `c${after}`,
      actor: 'bootstrap',
      time: '2026-11-29T08:00:00Z',
      after,
      events,
    })
    return bench.log.append(SUBJECT, record, after)
  }
  const created = () => command({ type: 'rollout.created', ...ROLLOUT })
  const percent = (value: number) => command({ type: 'rollout.updated', name: 'slow', percent: value })
  const told = async () => {
    const records = await bench.configRecords()
    return records.map(({ manifest, cause }) => ({
      reason: cause.reason,
      percents: JSON.parse(manifest).rollouts?.map((rollout: { percent: number }) => rollout.percent),
    }))
  }

  it('are a revision of their own, with the same artifacts', async () => {
    await using service = bench.start()
    await service.idle()
    await created()
    await service.idle()
    const [first, second] = (await bench.configRecords()).map(({ manifest }) => JSON.parse(manifest))
    expect(first).not.toHaveProperty('rollouts')
    const { graph: _graph, ...rollout } = ROLLOUT
    expect(second.rollouts).toEqual([rollout])
    expect([second.base, second.featureFlags]).toEqual([first.base, first.featureFlags])
    expect((await told()).map(({ reason }) => reason)).toEqual(['composition', 'rollouts'])
  })

  it('need no composer: a change of a percentage, and an abort, are published at once', async () => {
    await using service = bench.start()
    await service.idle()
    await created()
    await service.idle()
    await percent(50)
    await service.idle()
    await command({ type: 'rollout.aborted', name: 'slow' })
    await service.idle()
    await command({ type: 'rollout.resumed', name: 'slow' })
    await service.idle()
    await command({ type: 'rollout.completed', name: 'slow' })
    await service.idle()
    expect((await told()).map(({ percents }) => percents?.[0])).toEqual([undefined, 5, 50, 0, 50, 100])
  })

  it('make no revision if what routers are told stays the same', async () => {
    await using service = bench.start()
    await created()
    await percent(0)
    await service.idle()
    const before = (await told()).length
    await command({ type: 'rollout.aborted', name: 'slow' })
    await service.idle()
    expect(await told()).toHaveLength(before)
  })

  it('are those of now while the graph is held on a revision that had others', async () => {
    await using service = bench.start()
    await created()
    await percent(80)
    await service.idle()
    await bench.compose(completed(5, composed('base 2'), { next: composed('next') }))
    await service.idle()
    await percent(10)
    await service.idle()
    await bench.compose(completed(6, composed('base 2'), { next: composed('next') }, 1))
    await service.idle()
    const [last] = (await told()).slice(-1)
    expect(last).toEqual({ reason: 'pin', percents: [10] })
    await command({ type: 'rollout.aborted', name: 'slow' })
    await service.idle()
    expect((await told()).at(-1)).toEqual({ reason: 'pin', percents: [0] })
  })

  it('leave with their flag, and with their graph', async () => {
    await using service = bench.start()
    await created()
    await service.idle()
    await command({ type: 'feature-flag.deleted', name: 'next' })
    await service.idle()
    expect((await told()).at(-1)?.percents).toBeUndefined()
  })

  it('are never older than those of the last revision, however late an instance reads the log', async () => {
    const [late, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const isRegistry = (filter: unknown) => isDeepStrictEqual(filter, { kind: 'log', log: 'registry' })
    const log = intercepted(bench.log, (method, [filter]) => {
      if (method === 'last' && isRegistry(filter)) asked.resolve()
    })
    async function* afterAll(...args: Parameters<EventLog['follow']>) {
      await late.promise
      yield* bench.log.follow(...args)
    }
    const follow: EventLog['follow'] = (...args) =>
      isRegistry(args[0]) ? afterAll(...args) : bench.log.follow(...args)
    const behindLog = new Proxy(log, {
      get: (target, name) => (name === 'follow' ? follow : Reflect.get(target, name)),
    })
    await using behind = bench.start({ log: behindLog })
    // Also if something fails meanwhile: an instance does not end before its reader does.
    using _reading = { [Symbol.dispose]: () => late.resolve() }
    await vi.waitFor(() => expect(behind.ready()).toMatchObject({ ok: true }))
    {
      await using ahead = bench.start()
      await created()
      await percent(50)
      await command({ type: 'rollout.aborted', name: 'slow' })
      await ahead.idle()
    }
    await bench.compose(completed(9, composed('base 2'), { next: composed('next') }))
    await asked.promise
    expect((await told()).at(-1)?.percents).toEqual([0])
    late.resolve()
    await behind.idle()
    const last = (await bench.configRecords()).at(-1)
    expect(JSON.parse(last?.manifest ?? '')).toMatchObject({ base: { artifact: hash('base 2') } })
    expect((await told()).at(-1)).toEqual({ reason: 'composition', percents: [0] })
  })
})
