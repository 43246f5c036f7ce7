/** Rollouts on their way from the registry's log into manifests. */
import { configSubject, type RegistryEvent, RegistryRecord, registrySubject } from '@switchyard/contracts'
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

  it('are published as they are at last while an import writes the log of the registry', async () => {
    {
      await using service = bench.start()
      await created()
      await percent(80)
      await percent(10)
      await service.idle()
    }
    const configs = await bench.configRecords()
    const subject = configSubject({ namespace: 'default', graph: 'shop' })
    const commands = []
    for await (const { record } of bench.log.read({ kind: 'subject', subject: SUBJECT }, 1))
      commands.push(record)
    await using other = await openBench()
    await other.artifacts('base', 'next')
    for (const [index, record] of configs.entries()) {
      const isLast = index === configs.length - 1
      await other.log.append(subject, isLast ? { ...record, imported: true } : record, index)
    }
    for (const [index, record] of commands.slice(0, -1).entries())
      await other.log.append(SUBJECT, record, index)
    await using service = other.start({ signingKey: bench.signingKey, intervals: { listenMs: 0 } })
    await vi.waitFor(() => expect(service.ready()).toMatchObject({ ok: true }))
    // It has had every opportunity to publish what it has read.
    for (let turn = 0; turn < 100; turn++) expect(await other.configRecords()).toHaveLength(configs.length)
    await other.log.append(SUBJECT, commands.at(-1), commands.length - 1)
    await service.idle()
    const published = (await other.configRecords()).slice(configs.length)
    expect(published.map(({ manifest }) => JSON.parse(manifest).rollouts[0].percent)).toEqual([10])
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
