/** Ramps on real processes under load: a healthy one while programs are killed, and one whose flag fails. */
import { Random } from '@switchyard/samples'
import { FIXED_SEED, natsServerAvailable, redisServerAvailable, waitFor } from '@switchyard/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  type Constellation,
  GRAPH,
  openShop,
  publishShop,
  query,
  SHOP_QUERY,
  startOnRealServers,
  variantOf,
  waitForReady,
} from '../src/index.ts'

const ROLLOUT = '/v1/rollouts/default/slow'
const USERS = 400
/** Milliseconds of a step, and requests that all routers together answer in one at least. */
const LEAST_STEP_MS = 3000
const REQUESTS_OF_STEP = 600
/** Between an answer and the next request of a client: what is killed has to start on the same machine. */
const PAUSE_MS = 15

type Ramp = { readonly state: string; readonly step: number; readonly judgement: { outcome: string } | null }
type Shown = { readonly status: string; readonly inForce: number; readonly ramp: Ramp | null }

async function shown(system: Constellation): Promise<Shown> {
  return (await system.manage('GET', ROLLOUT)).body as unknown as Shown
}

async function command(system: Constellation, path: string, body: object = {}): Promise<void> {
  const { status, body: answer } = await system.manage('POST', path, body)
  expect(status, `${path}: ${JSON.stringify(answer)}\n${system.report()}`).toBeLessThan(300)
}

async function beginRamp(
  system: Constellation,
  steps: readonly number[],
  guards: object,
  everyMs: number,
): Promise<void> {
  await command(system, '/v1/rollouts/default', {
    name: 'slow',
    graph: GRAPH,
    flag: 'next',
    key: ['header:X-User'],
    salt: 'ramps',
  })
  const plan = { steps, everyMs, guards: { ...guards, minimumRequests: 100 }, forgeableKey: true }
  await command(system, `${ROLLOUT}/ramp`, plan)
}

/**
 * Returns the milliseconds that this machine takes for enough requests: each group of a step has to have 100
 * of them. A step that is not clear all the same is begun again.
 */
async function lengthOfStep(traffic: ReturnType<typeof load>): Promise<number> {
  const began = performance.now()
  const before = traffic.answered
  await waitFor('answers', () => Promise.resolve(traffic.answered - before >= REQUESTS_OF_STEP))
  return Math.round(Math.max(LEAST_STEP_MS, performance.now() - began))
}

/** Answers that are neither those of base nor those of the flag, as long as it lasts. */
function load(system: Constellation) {
  const ended = new AbortController()
  const wrong: { readonly variant: string; readonly fields: readonly string[] }[] = []
  let asked = 0
  let answered = 0
  const ask = async (url: string) => {
    while (!ended.signal.aborted) {
      // Each is another text, so that none is answered along with an equal one, which nobody counts.
      asked += 1
      const answer = await query(url, { 'X-User': `user-${asked % USERS}` }, `${SHOP_QUERY} # ${asked}`)
      answered += 1
      const variant = variantOf(answer)
      if (variant !== 'base' && variant !== 'next') wrong.push({ variant, fields: failedFields(answer.body) })
      await sleep(PAUSE_MS)
    }
  }
  const asking = Promise.all(system.routerUrls.flatMap((url) => [ask(url), ask(url), ask(url)]))
  return {
    wrong,
    get answered() {
      return answered
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      await asking
    },
  }
}

/** Names of the fields that errors are about. */
function failedFields(body: unknown): readonly string[] {
  const { errors = [] } = body as { errors?: readonly { path?: readonly unknown[] }[] }
  return [...new Set(errors.map(({ path = [] }) => String(path.at(-1))))].sort()
}

async function rolloutEvents(system: Constellation): Promise<readonly { type: string; step?: number }[]> {
  const { body } = await system.manage('GET', '/v1/log?namespace=default&limit=1000')
  const records = body['records'] as { events: { type: string; step?: number }[] }[]
  return records.flatMap(({ events }) => events).filter(({ type }) => type.startsWith('rollout.'))
}

/** Waits until the ramp is where `isThere` says. A step that was not clear is begun again. */
async function follow(system: Constellation, what: string, isThere: (now: Shown) => boolean): Promise<Shown> {
  let last: Shown | null = null
  await waitFor(
    what,
    async () => {
      last = await shown(system)
      if (last.status === 'active' && last.ramp?.state === 'paused')
        await command(system, `${ROLLOUT}/resume`)
      return isThere(last)
    },
    { withinMs: 240_000, everyMs: 200 },
  )
  if (last === null) throw new Error(`${what} was never looked at`)
  return last
}

describe.skipIf(!natsServerAvailable() || !redisServerAvailable())('ramps on real servers', () => {
  it('go on to their end, each step once, whoever is killed meanwhile', { timeout: 400_000 }, async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    const seed = Number(process.env['SWITCHYARD_TEST_SEED'] ?? FIXED_SEED)
    console.log(`seed ${seed} (SWITCHYARD_TEST_SEED)`)
    const random = new Random(seed)
    await using traffic = load(system)
    const stepMs = await lengthOfStep(traffic)
    await beginRamp(system, [40, 50, 60, 100], { errors: { points: 50 } }, stepMs)
    for (const [step, victim] of [
      [1, 'config-distribution'],
      [2, 'registry-0'],
      [3, 'composer-0'],
    ] as const) {
      await sleep(random.next() * stepMs)
      const program = system.programs.get(victim)
      await program?.kill9()
      await program?.start()
      await waitForReady(system, system.registryUrls[0] ?? '')
      await follow(
        system,
        `step ${step}`,
        ({ status, ramp }) => status === 'completed' || (ramp?.step ?? 0) >= step,
      )
    }
    await follow(system, 'the end of the ramp', ({ status }) => status === 'completed')
    const events = await rolloutEvents(system)
    expect(events.filter(({ type }) => type === 'rollout.advanced').map(({ step }) => step)).toEqual([
      1, 2, 3,
    ])
    expect(events.filter(({ type }) => type === 'rollout.completed')).toHaveLength(1)
    expect(traffic.wrong, system.report()).toEqual([])
  })

  it('are aborted when their flag fails, although composers are away and the graph is held', {
    timeout: 400_000,
  }, async () => {
    await using shop = await openShop()
    await using system = await startOnRealServers()
    await publishShop(system, shop)
    // Its first step is not over before the flag has failed.
    await beginRamp(system, [50, 90], { errors: { points: 5 } }, 3_600_000)
    const { body: graph } = await system.manage('GET', `/v1/graphs/default/${GRAPH}`)
    const pin = await system.manage('PUT', `/v1/graphs/default/${GRAPH}/pin`, { revision: graph['revision'] })
    expect(pin.status).toBe(200)
    for (const name of ['composer-0', 'composer-1']) await system.programs.get(name)?.kill9()
    {
      await using traffic = load(system)
      await shop.stockNext[Symbol.asyncDispose]()
      const { inForce, ramp } = await follow(system, 'the abort', ({ status }) => status === 'aborted')
      expect(inForce).toBe(0)
      expect(ramp?.judgement, system.report()).toMatchObject({ outcome: 'abort' })
      // Only the calls of the flag's own subgraph failed.
      expect(traffic.wrong.length).toBeGreaterThan(0)
      for (const { variant, fields } of traffic.wrong)
        expect(fields, variant).toEqual(['inStock', 'stockVariant'])
    }
    await waitFor('the abort on every router', async () => {
      const asked = Array.from({ length: 20 }, (_, user) => ({ 'X-User': `user-${user}` }))
      const answers = await Promise.all(
        system.routerUrls.flatMap((url) =>
          asked.map(async (headers) => variantOf(await query(url, headers))),
        ),
      )
      return answers.every((variant) => variant === 'base')
    })
    const events = await rolloutEvents(system)
    expect(events.filter(({ type }) => type === 'rollout.aborted')).toHaveLength(1)
  })
})
