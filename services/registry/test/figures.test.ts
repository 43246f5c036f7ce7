/** What a registry tells of the figures that routers count of a guarded ramp. */
import {
  RolloutFigures,
  RolloutView,
  type RouterHeartbeat,
  routerFiguresSubject,
  routerStatusSubject,
} from '@switchyard/contracts'
import { type Figures, FiguresCounter, type RouterFigures } from '@switchyard/guards'
import { FleetKey } from '@switchyard/service-kit'
import { PATIENTLY } from '@switchyard/testkit'
import { describe, expect, it, vi } from 'vitest'
import { type Client, GRAPH, openStorage, setUpFlag, startClient, type Storage } from './harness.ts'

const KEY = new FleetKey('k'.repeat(32))
const RAMP = {
  steps: [5, 50, 100],
  everyMs: 3_600_000,
  guards: { errors: { points: 1 } },
  stop: { errors: { percent: 20 } },
}

/** So many requests of each group, of which every so many-th fails inside. */
function counted(requests: number, failEvery = Number.POSITIVE_INFINITY): Figures {
  const counter = new FiguresCounter()
  for (let request = 0; request < requests; request += 1) {
    const failed = request % failEvery === failEvery - 1
    const common = { milliseconds: 10, operation: 'Products' }
    counter.count('inside', request % 64, { ...common, error: failed ? 'SUBGRAPH_ERROR' : null })
    counter.count('control', request % 64, { ...common, error: null })
  }
  return counter.figures()
}

class World implements AsyncDisposable {
  readonly client: Client
  readonly #storage: Storage
  readonly #parts: AsyncDisposable
  readonly #sign = KEY.signer()
  #beat = 0

  constructor(client: Client, storage: Storage, parts: AsyncDisposable) {
    this.client = client
    this.#storage = storage
    this.#parts = parts
  }

  async figures(): Promise<RolloutFigures> {
    return RolloutFigures.parse((await this.client.get('/v1/rollouts/default/next/figures')).body)
  }

  async step(): Promise<number> {
    const { body } = await this.client.get('/v1/rollouts/default/next')
    return RolloutView.parse(body).ramp?.since ?? -1
  }

  beginRamp(ramp: object = RAMP): Promise<{ status: number; body: unknown }> {
    return this.client.post('/v1/rollouts/default/next/ramp?wait=0', ramp)
  }

  /** Says that a router lives. */
  lives(instance: string, change: Partial<RouterHeartbeat> = {}): void {
    const subject = routerStatusSubject(GRAPH, instance)
    const heartbeat = { ...GRAPH, instance, boot: 'b1', epoch: 1, revision: 1, registrySequence: 1 }
    const facts = { flags: [], configCreatedAt: null, state: 'serving', ...change }
    this.#announce(subject, { ...heartbeat, ...facts })
  }

  /** Tells figures of a router. */
  tells(step: number, figures: Figures, change: Partial<RouterFigures> = {}): void {
    const message = { instance: 'r1', boot: 'b1', ...GRAPH, rollout: 'next', step, epoch: 1, revision: 1 }
    const instance = change.instance ?? 'r1'
    this.#beat += 1
    this.#announce(routerFiguresSubject(GRAPH, instance), {
      ...message,
      figures,
      beat: this.#beat,
      ...change,
    })
  }

  forges(step: number, figures: Figures): void {
    const message = { instance: 'r1', boot: 'b9', ...GRAPH, rollout: 'next', step, epoch: 1, revision: 1 }
    this.#storage.announcer.announce(routerFiguresSubject(GRAPH, 'r1'), { ...message, beat: 1, figures })
  }

  #announce(subject: string, message: Record<string, unknown>): void {
    this.#storage.announcer.announce(subject, this.#sign(subject, message))
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#parts[Symbol.asyncDispose]()
  }
}

async function world(): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const storage = stack.use(await openStorage())
  const client = stack.use(await startClient(storage, { fleetKey: KEY }))
  await setUpFlag(client)
  const rollout = { name: 'next', graph: 'shop', flag: 'next', percent: 5, key: ['claim:sub'] }
  const made = await client.post('/v1/rollouts/default?wait=0', rollout)
  expect(made.status).toBeLessThan(300)
  return new World(client, storage, stack.move())
}

describe('figures of a rollout', () => {
  it('are none without a ramp of which routers count any', async () => {
    await using one = await world()
    const nothing = { step: null, judgement: null, inside: { requests: 0, latencyMs: { p99: null } } }
    expect(await one.figures()).toMatchObject({ rollout: 'next', graph: 'shop', flag: 'next', ...nothing })
    const { steps, everyMs } = RAMP
    expect((await one.beginRamp({ steps, everyMs })).status).toBe(200)
    expect(await one.figures()).toMatchObject(nothing)
  })

  it('are the totals of all routers of the step, with what the guards say of them', async () => {
    await using one = await world()
    await one.beginRamp()
    const step = await one.step()
    one.lives('r1')
    one.lives('r2')
    one.lives('r3')
    one.lives('r4', { state: 'draining' })
    one.tells(step, counted(9000))
    one.tells(step, counted(10_000, 25))
    one.tells(step, counted(10_000, 25), {
      instance: 'r2',
      stopped: { requests: 60, errors: 40, failedClusters: 9 },
    })
    one.tells(step - 1, counted(500), { boot: 'of another step' })
    await vi.waitFor(async () => expect((await one.figures()).inside.requests).toBe(20_000), PATIENTLY)
    await vi.waitFor(async () => expect((await one.figures()).routers.living).toBe(3), PATIENTLY)
    const { judgement, ...figures } = await one.figures()
    expect(figures).toMatchObject({
      step: { step: 0, steps: 3, percent: 5, since: step, state: 'running' },
      routers: { living: 3, silent: ['r3'], stopped: ['r2'] },
      inside: { requests: 20_000, errors: 800, codes: [{ code: 'SUBGRAPH_ERROR', errors: 800 }] },
      control: { requests: 20_000, errors: 0, codes: [] },
      operations: [
        {
          name: 'Products',
          inside: { requests: 20_000, errors: 800 },
          control: { requests: 20_000, errors: 0 },
        },
      ],
    })
    const { p50, p99 } = figures.inside.latencyMs
    expect(p50).toBe(p99)
    expect(Math.round(p50 ?? 0)).toBe(10)
    expect(judgement).toMatchObject({ outcome: 'abort', guards: [{ reason: 'exceeded' }] })
  })

  it('begin anew with the next step', async () => {
    await using one = await world()
    await one.beginRamp()
    const step = await one.step()
    one.tells(step, counted(100))
    await vi.waitFor(async () => expect((await one.figures()).inside.requests).toBe(100), PATIENTLY)
    await one.client.post('/v1/rollouts/default/next/advance?wait=0', { since: step })
    expect(await one.figures()).toMatchObject({ step: { step: 1, percent: 50 }, inside: { requests: 0 } })
    one.tells(step, counted(300))
    one.tells(await one.step(), counted(200))
    await vi.waitFor(async () => expect((await one.figures()).inside.requests).toBe(200), PATIENTLY)
  })

  it('stay after an abort, so that it can be seen what failed', async () => {
    await using one = await world()
    await one.beginRamp()
    const step = await one.step()
    one.lives('r1')
    one.tells(step, counted(100, 2))
    await vi.waitFor(async () => expect((await one.figures()).inside.requests).toBe(100), PATIENTLY)
    await one.client.post('/v1/rollouts/default/next/abort?wait=0', { since: step })
    // What routers counted until they had the abort.
    one.tells(step, counted(120, 2))
    await vi.waitFor(async () => expect((await one.figures()).inside.requests).toBe(120), PATIENTLY)
    expect(await one.figures()).toMatchObject({
      step: { state: 'paused', since: step },
      routers: { silent: [], stopped: [] },
      inside: { codes: [{ code: 'SUBGRAPH_ERROR', errors: 60 }] },
      judgement: null,
    })
  })

  it('are not believed without a signature', async () => {
    await using one = await world()
    await one.beginRamp()
    const step = await one.step()
    one.forges(step, counted(1000, 1))
    one.tells(step, counted(10))
    await vi.waitFor(async () => expect((await one.figures()).inside.requests).toBe(10), PATIENTLY)
    const { body } = await one.client.get('/health/ready')
    expect(JSON.stringify(body)).toContain('figures')
  })

  it('are of no rollout that is not there', async () => {
    await using one = await world()
    const { status, body } = await one.client.get('/v1/rollouts/default/nxt/figures')
    expect(status).toBe(404)
    expect(JSON.stringify(body)).toContain('next')
  })
})
