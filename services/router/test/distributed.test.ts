/** The router process as production runs it: manifests in Redis, notices and heartbeats over NATS. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openConfigStore } from '@switchyard/config-store'
import { createNatsAnnouncer } from '@switchyard/event-log'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { ConfigWorld } from './support/config-world.ts'
import { post, until } from './support/router.ts'
import { startShop } from './support/shop.ts'

const REDIS = '/usr/bin/redis-server'
const NATS = '/usr/sbin/nats-server'
const MAIN = programFile('services/router/src/main.ts')
const missing = [REDIS, NATS].filter((path) => !existsSync(path))
if (missing.length > 0)
  console.warn(`SKIPPED: the distributed router, since ${missing.join(' and ')} is missing`)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function start(use: AsyncDisposableStack, command: string, args: string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: bareEnvironment(env),
  })
  const exit = once(child, 'exit')
  const output = { text: '' }
  child.stdout?.on('data', (chunk) => (output.text += String(chunk)))
  use.defer(async () => {
    child.kill('SIGTERM')
    await exit
  })
  return { child, output, exit }
}

describe.skipIf(missing.length > 0)('a router on Redis and NATS', () => {
  it('serves the manifest of Redis, swaps on a notice, tells the fleet, and outlives both servers', async () => {
    await using use = new AsyncDisposableStack()
    const shop = use.use(await startShop())
    const redisPort = await freePort()
    const redis = start(use, REDIS, ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''])
    const natsPort = await freePort()
    const nats = start(use, NATS, ['-a', '127.0.0.1', '-p', String(natsPort)])
    const redisUrl = `redis://127.0.0.1:${redisPort}`
    const natsUrl = `nats://127.0.0.1:${natsPort}`
    const world = use.use(
      await ConfigWorld.create({
        store: await openConfigStore({ kind: 'redis', url: redisUrl }, { name: 'test' }),
        announcer: createNatsAnnouncer({ url: natsUrl, name: 'test' }),
      }),
    )
    const { heartbeats } = world
    await until(
      () =>
        world.store.ping().then(
          () => true,
          () => false,
        ),
      'Redis answers',
    )
    await world.publish({ revision: 1, base: shop.base })

    const keys = join(world.directory, 'keys.json')
    await writeFile(keys, JSON.stringify(world.keys))
    const settings = join(world.directory, 'router.yaml')
    // Polls are too rare to find anything here: it is the notice that is heard.
    await writeFile(settings, 'config: { poll_interval: 1h }')
    const router = start(use, process.execPath, [MAIN], {
      SWITCHYARD_REDIS_URL: redisUrl,
      SWITCHYARD_NATS_URL: natsUrl,
      SWITCHYARD_GRAPH: 'default/shop',
      SWITCHYARD_CONFIG_KEYS: keys,
      SWITCHYARD_CONFIG: settings,
      SWITCHYARD_LAST_KNOWN_GOOD_DIR: world.copies,
      SWITCHYARD_HOST: '127.0.0.1',
      SWITCHYARD_PORT: '0',
      SUBGRAPHS_ALLOWED_NETWORKS: 'loopback',
    })
    const graphqlUrl = await until(
      () => /"url":"([^"]+)"/.exec(router.output.text)?.[1],
      'the router listens',
    )
    const version = async () => (await post({ graphqlUrl }, { query: '{ version }' })).json.data?.['version']
    await until(async () => (await version()) === 'products', 'revision 1 is served')
    await until(() => heartbeats.at(-1)?.revision === 1, 'its heartbeat is heard')

    await world.publish({ revision: 2, base: shop.flag })
    await until(async () => (await version()) === 'products-next', 'revision 2 is served')
    await until(() => heartbeats.at(-1)?.revision === 2, 'its heartbeat is heard')

    redis.child.kill('SIGKILL')
    nats.child.kill('SIGKILL')
    await Promise.all([redis.exit, nats.exit])
    expect(await version()).toBe('products-next')
    router.child.kill('SIGTERM')
    expect((await router.exit)[0]).toBe(0)
  })
})
