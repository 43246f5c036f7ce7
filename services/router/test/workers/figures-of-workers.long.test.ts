/** A guarded rollout in a router with real worker processes. */
import { fileURLToPath } from 'node:url'
import type { ManifestRollout } from '@switchyard/contracts'
import type { RouterFigures } from '@switchyard/guards'
import { createLogger, hearFigures } from '@switchyard/service-kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../src/config/router-config.ts'
import { startPrimary } from '../../src/workers/start-primary.ts'
import { brokenArtifact } from '../support/artifacts.ts'
import { ConfigWorld, GRAPH, type Publication } from '../support/config-world.ts'
import { FLEET_KEY, guarded, USERS } from '../support/guarded-router.ts'
import { type LogLine, post, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const SETTINGS = 'workers: 2\ntraffic: { share_inflight: false }'
const COMPILED = fileURLToPath(new URL('../../../../.cache/compiled', import.meta.url))

const stack = new AsyncDisposableStack()
let shop: Shop
beforeAll(async () => {
  shop = stack.use(await startShop())
})
afterAll(() => stack.disposeAsync())

/** Each request comes on a connection of its own, so that workers take turns. */
async function start(rollouts: readonly ManifestRollout[]) {
  const world = stack.use(await ConfigWorld.create())
  const heard: RouterFigures[] = []
  const logs: LogLine[] = []
  const logger = createLogger({
    name: 'router',
    to: { write: (line: string) => void logs.push(JSON.parse(line)) },
  })
  stack.use(
    hearFigures({
      subscribe: (subject, handler) => world.announcer.subscribe(subject, handler),
      fleetKey: FLEET_KEY,
      logger,
      onFigures: (figures) => heard.push(figures),
    }),
  )
  const publish = (revision: number, change: Partial<Publication> = {}) =>
    world.publish({ revision, base: shop.base, flags: { next: shop.flag }, rollouts, ...change })
  await publish(1)
  const file = { path: 'router.yaml', text: SETTINGS }
  const config = loadRouterConfig({ file, defaultNetworks: LOCAL_NETWORKS })
  const { announcer, store, keys } = world
  const primary = stack.use(
    await startPrimary({
      config: { ...config, host: '127.0.0.1', port: 0 },
      source: { kind: 'config-store', store, keys, graph: GRAPH, trusted: true },
      announcer,
      fleetKey: FLEET_KEY,
      logger,
      instance: 'r1',
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, SWITCHYARD_LOG_LEVEL: 'error' },
      file,
      defaultNetworks: LOCAL_NETWORKS,
      keepsMetrics: false,
    }),
  )
  const served = (revision: number) =>
    until(() => world.heartbeats.at(-1)?.revision === revision, `revision ${revision} is served`)
  await served(1)
  let answered = 0
  const ask = async (query: string, user: string) => {
    const target = { graphqlUrl: `${primary.url}/graphql` }
    const reply = await post(target, { query }, { 'x-user': user, connection: 'close' })
    if (reply.headers['x-feature-flag'] === 'next') answered += 1
    return reply
  }
  const counted = () =>
    until(() => heard.at(-1)?.figures.inside.requests === answered, 'all answers of the flag are reported')
  return { ask, counted, heard, logs, publish, served, world }
}

/** The processes of workers, by what the log says of them. */
const workersIn = (logs: readonly LogLine[]) =>
  logs.flatMap(({ event, workerPid }) =>
    event === 'worker.up' && typeof workerPid === 'number' ? [workerPid] : [],
  )

it('reports the sums of all workers, keeps what a killed one had counted, and stops a rollout in all', async () => {
  const rollouts = [guarded({ guard: { step: 7, stop: { errors: { percent: 60 } } } })]
  const { ask, counted, heard, logs, publish, served, world } = await start(rollouts)
  const users = [...USERS.inside, ...USERS.inside]
  /** Whether all workers give their clients the flag, or all of them base. */
  const areAll = (flag: string | undefined) => async () => {
    const replies = await Promise.all(users.map((user) => ask('{ version }', user)))
    return replies.every(({ headers }) => headers['x-feature-flag'] === flag)
  }
  await until(() => workersIn(logs).length === 2, 'both workers are up')
  await until(areAll('next'), 'both workers have compiled the flag')
  await counted()
  expect(heard.at(-1)).toMatchObject({ instance: 'r1', step: 7, revision: 1 })
  expect(heard.at(-1)?.boot).toBe(world.heartbeats.at(-1)?.boot)
  process.kill(workersIn(logs)[0] ?? 0, 'SIGKILL')
  await until(() => workersIn(logs).length === 3, 'another worker is up')
  await until(areAll('next'), 'it has compiled the flag')
  await counted()
  // So many that those of the last ten seconds exceed the limit at some time.
  const failing = async () => {
    for (const user of USERS.inside) await ask('{ fails }', user)
    return heard.at(-1)?.stopped !== undefined
  }
  await until(failing, 'the rollout is stopped')
  await until(areAll(undefined), 'all workers give base')
  expect(logs.filter(({ event }) => event === 'rollout.stopped')).toHaveLength(1)
  // A worker that starts later is told.
  process.kill(workersIn(logs).at(-1) ?? 0, 'SIGKILL')
  await until(() => workersIn(logs).length === 4, 'one more worker is up')
  await until(areAll(undefined), 'it gives base, too')
  await publish(2)
  await served(2)
  await until(areAll('next'), 'the next revision releases it again')
}, 300_000)

it('takes a rollout back in all workers before the revision is served, and in one that starts meanwhile', async () => {
  const rollouts = [guarded()]
  const { ask, logs, publish, served, world } = await start(rollouts)
  const areAll = (flag: string | undefined) => async () => {
    const replies = await Promise.all(USERS.inside.map((user) => ask('{ version }', user)))
    return replies.every(({ headers }) => headers['x-feature-flag'] === flag)
  }
  await until(() => workersIn(logs).length === 2, 'both workers are up')
  await until(areAll('next'), 'both workers have compiled the flag')
  // No worker can ever serve it, so all that is seen of it came before.
  await publish(2, { base: brokenArtifact(), rollouts: [guarded({ percent: 0 })] })
  await until(areAll(undefined), 'all workers give base')
  await until(() => world.heartbeats.at(-1)?.rejected?.code === 'MANIFEST_NOT_BUILT', 'it is refused')
  process.kill(workersIn(logs).at(-1) ?? 0, 'SIGKILL')
  await until(() => workersIn(logs).length === 3, 'another worker is up')
  for (let round = 0; round < 10; round++) expect(await areAll(undefined)()).toBe(true)
  expect(world.heartbeats.at(-1)?.revision).toBe(1)
  expect(logs.filter(({ event }) => event === 'rollouts.taken-back')).toHaveLength(1)
  await publish(3)
  await served(3)
  await until(areAll('next'), 'all workers give the flag again')
}, 300_000)
