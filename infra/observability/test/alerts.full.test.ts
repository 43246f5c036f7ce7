/**
 * Every alert, made to fire by breaking the real thing: a platform of real processes on real NATS and Redis,
 * watched by a real Prometheus with the rules that are shipped, whose durations are shortened.
 *
 * Each test leaves the platform as the next one needs it, so they run in this order or not at all.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  GRAPH,
  LINK,
  type OnRealServers,
  openShop,
  Program,
  publishShop,
  query,
  type ServiceProgram,
  type Shop,
  startOnRealServers,
  waitForVariant,
} from '@switchyard/e2e'
import {
  askRedis,
  createCertificate,
  freePorts,
  natsServerAvailable,
  redisServerAvailable,
  startTcpProxy,
  type TcpProxy,
  waitFor,
} from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alerts } from '../src/rules.ts'
import { leakWhen, publishToNats } from './broken-parts.ts'
import { type Prometheus, prometheusAvailable, startPrometheus } from './prometheus.ts'
import { shortenedRules } from './shortened-rules.ts'
import { scrapePages, type Target } from './ways-of-scraping.ts'

const missing = !prometheusAvailable() || !natsServerAvailable() || !redisServerAvailable()
if (missing)
  process.stderr.write('Without prometheus, nats-server and redis-server no alert is made to fire.\n')

const PROGRAMS = [
  ['registry-0', 'registry'],
  ['composer-0', 'composer'],
  ['composer-1', 'composer'],
  ['config-distribution', 'config-distribution'],
  ['router-0', 'router'],
  ['router-1', 'router'],
  ['router-with-tls', 'router'],
] as const
const WITHIN_MS = 180_000
const TEST_MS = 600_000
const DAY = 86_400_000
const SLOW_MS = 7000
const STATUS = `router.status.default.${GRAPH}.forged`
const MANIFEST_KEYS = '*manifest*'

describe.skipIf(missing)('an alert fires when', () => {
  const parts = new AsyncDisposableStack()
  const fired = new Set<string>()
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-alerts-'))
  const leak = join(folder, 'leak')
  const backup = join(folder, 'backup.ndjson')
  let isSlow = false
  let shop: Shop
  let system: OnRealServers
  let prometheus: Prometheus
  let targets: readonly Target[]
  const proxies: TcpProxy[] = []

  beforeAll(async () => {
    parts.defer(() => rmSync(folder, { recursive: true, force: true }))
    const ports = await freePorts(PROGRAMS.length)
    targets = PROGRAMS.map(([instance, service], index) => ({ instance, service, port: ports[index] ?? 0 }))
    shop = parts.use(await openShop({ beforeStock: () => (isSlow ? sleep(SLOW_MS) : undefined) }))
    const module = join(folder, 'leak.mjs')
    writeFileSync(module, leakWhen(leak))
    system = parts.use(
      await startOnRealServers({
        optionsOf: (name) => ({
          environment: {
            SWITCHYARD_METRICS_PORT: metricsPort(name),
            ...(name === 'composer-1'
              ? { NODE_OPTIONS: `--max-old-space-size=400 --max-semi-space-size=1 --import ${module}` }
              : {}),
          },
        }),
      }),
    )
    prometheus = parts.use(await startPrometheus([scrapePages(targets)], shortenedRules()))
  })

  afterAll(async () => {
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
    await parts.disposeAsync()
  })

  const metricsPort = (name: string) => String(targets.find(({ instance }) => instance === name)?.port ?? 0)

  function program(name: string): ServiceProgram {
    const found = system.programs.get(name)
    if (found === undefined) throw new Error(`There is no program ${name}.`)
    return found
  }

  /** `meanwhile` is done again and again until it fires. */
  async function fires(
    alert: string,
    labels: Readonly<Record<string, string>> = {},
    meanwhile: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    const matchers = Object.entries(labels).map(([name, value]) => `, ${name}="${value}"`)
    const expression = `ALERTS{alertname="${alert}", alertstate="firing"${matchers.join('')}}`
    try {
      await waitFor(
        `${alert} to fire`,
        async () => {
          await meanwhile()
          return (await prometheus.ask(expression)).length > 0
        },
        { withinMs: WITHIN_MS, everyMs: 200 },
      )
    } catch (error) {
      throw new Error(`${alert} does not fire.\n${system.report(1500)}`, { cause: error })
    }
    fired.add(alert)
  }

  /** Of these instances and no others; one that is slow to follow on a busy machine is waited for. */
  async function firesFor(alert: string, instances: readonly string[]): Promise<void> {
    if (instances.length > 0) await fires(alert, { instance: instances[0] ?? '' })
    await waitFor(
      `${alert} to fire for ${instances.join(', ') || 'nobody'} alone`,
      async () => {
        const firing = await prometheus.ask(`ALERTS{alertname="${alert}", alertstate="firing"}`)
        const found = firing.map(({ labels }) => labels['instance'] ?? '').sort()
        return found.join() === [...instances].sort().join()
      },
      { withinMs: WITHIN_MS, everyMs: 200 },
    )
  }

  /** Of what an earlier test broke nothing may be left. */
  async function isSilent(alert: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const matchers = Object.entries(labels).map(([name, value]) => `, ${name}="${value}"`)
    expect(
      await prometheus.ask(`ALERTS{alertname="${alert}", alertstate="firing"${matchers.join('')}}`),
    ).toEqual([])
  }

  const publishUsers = async (sdl: string) => {
    const { status } = await system.manage('PUT', '/v1/subgraphs/default/users/schema', { sdl })
    expect(status).toBeLessThan(300)
  }
  const changed = (name: string) => `${shop.users.sdl}\ntype ${name} { id: ID! }`
  const [first, second] = ['router-0', 'router-1'] as const
  const urlOf = (name: string) => system.routerUrls[name === first ? 0 : 1] ?? ''

  it(
    'routers have no configuration, and answer with a server error',
    async () => {
      const ask = () => query(urlOf(first), {}, '{ __typename }')
      await fires('SwitchyardRouterNotReady', { instance: first }, ask)
      await fires('SwitchyardRouterErrors', { instance: first }, ask)
      await publishShop(system, shop)
    },
    TEST_MS,
  )

  it(
    'all composers are killed',
    async () => {
      await isSilent('SwitchyardServiceGone')
      await program('composer-0').kill9()
      await program('composer-1').kill9()
      await fires('SwitchyardServiceDown', { instance: 'composer-0' })
      await fires('SwitchyardServiceGone', { service: 'composer' })
      await program('composer-0').start()
      await program('composer-1').start()
    },
    TEST_MS,
  )

  it(
    'a base does not compose, for as long as it does not',
    async () => {
      await publishUsers(`${LINK}type Query { me: Nobody }`)
      await fires('SwitchyardCompositionFails', { graph: `default/${GRAPH}`, composition: 'base' })
      await fires('SwitchyardBaseFails', { graph: `default/${GRAPH}` })
      await publishUsers(shop.users.sdl)
      await waitFor(
        'the end of it',
        async () => (await prometheus.ask('switchyard_composer_failing')).length === 0,
        {
          withinMs: WITHIN_MS,
        },
      )
    },
    TEST_MS,
  )

  it(
    'Redis refuses writes',
    async () => {
      await isSilent('SwitchyardPublicationFails')
      await askRedis(system.redis, {}, 'CONFIG', 'SET', 'min-replicas-to-write', '1')
      await publishUsers(changed('Refused'))
      await fires('SwitchyardPublicationFails', { step: 'projection' })
      await fires('SwitchyardServiceNotReady', { component: 'config-distribution' })
      expect(program('config-distribution').output).not.toMatch(/(?:is|was) written to the config store/)
      await askRedis(system.redis, {}, 'CONFIG', 'SET', 'min-replicas-to-write', '0')
      await waitFor(
        'what waits',
        async () => {
          const waiting = await prometheus.ask('switchyard_config_distribution_waiting > 0')
          return waiting.length === 0
        },
        { withinMs: WITHIN_MS },
      )
    },
    TEST_MS,
  )

  it(
    'Redis is killed',
    async () => {
      await system.redis.kill9()
      await fires('SwitchyardDisconnected', { instance: first, system: 'redis' })
      await system.redis.restart()
    },
    TEST_MS,
  )

  it(
    'one router does not hear of what is published',
    async () => {
      const { natsUrl, redisUrl } = await cutOff()
      const router = new Program('router-1', 'services/router/src/main.ts', [], {
        ...environmentOf('router-1'),
        SWITCHYARD_NATS_URL: natsUrl,
        SWITCHYARD_REDIS_URL: redisUrl,
      })
      parts.use(router)
      await waitFor('it to be ready', async () => (await fetch(`${urlOf(second)}/health/ready`)).ok)
      for (const proxy of proxies) proxy.cut()
      await publishUsers(changed('Unheard'))
      await firesFor('SwitchyardRoutersDiffer', [second])
      for (const proxy of proxies) proxy.pass()
      // For the restore at the end: what is published after the backup reaches every router.
      await bothServe('the same', ([one, other]) => one !== undefined && one === other)
      const exported = await system.cli('registry', 'export', '--out', backup)
      expect(exported.code, exported.stderr).toBe(0)
      const [before] = await revisions()
      await publishUsers(changed('AfterBackup'))
      await bothServe('the next', (served) => served.every((revision) => revision === (before ?? 0) + 1))
    },
    TEST_MS,
  )

  it(
    'somebody writes a manifest into Redis that no one signed',
    async () => {
      const [key = ''] = (await askRedis(system.redis, {}, 'KEYS', MANIFEST_KEYS)) as string[]
      const forge = async () => {
        const epoch = '9'.repeat(15)
        await askRedis(
          system.redis,
          {},
          'HSET',
          key,
          'epoch',
          epoch,
          'revision',
          '9',
          'manifest',
          '{}',
          'signature',
          'x..y',
        )
        await publishToNats(system.nats, `config.default.${GRAPH}`, { epoch: Number(epoch), revision: 9 })
      }
      await fires('SwitchyardManifestRefused', { instance: first }, forge)
    },
    TEST_MS,
  )

  it(
    'heartbeats come that no router signed',
    async () => {
      const heartbeat = {
        instance: 'forged',
        boot: 'b',
        namespace: 'default',
        graph: GRAPH,
        epoch: 1,
        revision: 1,
        registrySequence: 1,
        flags: [],
        configCreatedAt: null,
        state: 'serving',
      }
      await fires('SwitchyardHeartbeatForged', {}, () => publishToNats(system.nats, STATUS, heartbeat))
    },
    TEST_MS,
  )

  it(
    'a subgraph is slow',
    async () => {
      isSlow = true
      const asked = new Set<Promise<unknown>>()
      await fires('SwitchyardRequestsSlow', { instance: first }, async () => {
        if (asked.size >= 5) return
        const one = query(urlOf(first)).finally(() => asked.delete(one))
        asked.add(one)
      })
      isSlow = false
      await Promise.all(asked)
    },
    TEST_MS,
  )

  it(
    'the artifact of a flag is damaged in Redis, and a router starts without a copy',
    async () => {
      const ask = (...words: readonly [string, ...string[]]) => askRedis(system.redis, {}, ...words)
      const [key = ''] = (await ask('KEYS', MANIFEST_KEYS)) as string[]
      const manifest = (await ask('HGET', key, 'manifest')) as string
      const artifact = /"next":\{"artifact":"([0-9a-f]{64})"/.exec(manifest)?.[1] ?? 'none'
      const [place = ''] = (await ask('KEYS', `*:artifact:${artifact}`)) as string[]
      const router = program(first)
      await router.stop()
      rmSync(join(system.folder, 'last-known-good-0'), { recursive: true })
      await ask('SET', place, 'damaged')
      await router.start()
      await fires('SwitchyardConfigDamaged', { instance: first, part: 'flags' })
      // Config-distribution writes it again, and the router takes it up, without anybody's help.
      await waitForVariant(system, urlOf(first), 'next')
    },
    TEST_MS,
  )

  it(
    'subgraphs are dead, although every answer has the status 200',
    async () => {
      await isSilent('SwitchyardAnswersWithErrors')
      await shop.stock[Symbol.asyncDispose]()
      await shop.reviews[Symbol.asyncDispose]()
      await fires('SwitchyardAnswersWithErrors', { instance: first }, async () => {
        const { status } = await query(urlOf(first))
        expect(status).toBe(200)
      })
    },
    TEST_MS,
  )

  it(
    'an event loop is held up',
    async () => {
      const { pid } = program(first)
      await fires('SwitchyardEventLoopBlocked', { instance: first }, async () => {
        process.kill(pid, 'SIGSTOP')
        await sleep(150)
        process.kill(pid, 'SIGCONT')
      })
    },
    TEST_MS,
  )

  it(
    'a heap leaks',
    async () => {
      await isSilent('SwitchyardMemoryHigh', { instance: 'composer-1' })
      writeFileSync(leak, '')
      await fires('SwitchyardMemoryHigh', { instance: 'composer-1' })
      rmSync(leak)
    },
    TEST_MS,
  )

  it(
    'the certificate of a router is about to expire',
    async () => {
      const { cert, key } = createCertificate({ to: Date.now() + DAY })
      writeFileSync(join(folder, 'cert.pem'), cert)
      writeFileSync(join(folder, 'key.pem'), key)
      const settings = join(folder, 'tls.yaml')
      writeFileSync(settings, 'tls: { cert_file: cert.pem, key_file: key.pem }\n')
      const [port = 0] = await freePorts(1)
      parts.use(
        new Program('router-with-tls', 'services/router/src/main.ts', [], {
          ...environmentOf('router-with-tls'),
          SWITCHYARD_PORT: String(port),
          SWITCHYARD_CONFIG: settings,
          SWITCHYARD_LAST_KNOWN_GOOD_DIR: join(folder, 'last-known-good'),
        }),
      )
      await fires('SwitchyardCertificateExpires', { instance: 'router-with-tls' })
      await fires('SwitchyardCertificateExpiresSoon', { instance: 'router-with-tls' })
    },
    TEST_MS,
  )

  it(
    'a process ends again and again',
    async () => {
      const restarted = program('composer-0')
      const startOf = async () =>
        (await prometheus.ask('process_start_time_seconds{instance="composer-0"}'))[0]?.value
      await isSilent('SwitchyardRestarts', { instance: 'composer-0' })
      for (let count = 0; count < 3; count++) {
        const before = await waitFor('its start', startOf, { withinMs: WITHIN_MS })
        await restarted.kill9()
        await restarted.start()
        await waitFor(
          'the next start',
          async () => {
            const now = await startOf()
            return now !== undefined && now !== before
          },
          { withinMs: WITHIN_MS, everyMs: 200 },
        )
      }
      await fires('SwitchyardRestarts', { instance: 'composer-0' })
    },
    TEST_MS,
  )

  it(
    'a reader cannot go on behind a record that it does not know',
    async () => {
      await publishToNats(system.nats, 'registry.events.other', { v: 99, type: 'of the future' })
      await fires('SwitchyardLogLagGrows', { log: 'registry' })
    },
    TEST_MS,
  )

  it(
    'NATS is away, and comes back without its data',
    async () => {
      await isSilent('SwitchyardLogLost')
      await system.nats.kill9()
      await fires('SwitchyardLogSilent', { log: 'registry' })
      for (const name of readdirSync(system.nats.dataDirectory))
        rmSync(join(system.nats.dataDirectory, name), { recursive: true, force: true })
      await system.nats.restart()
      // Nobody makes streams anew by the way, and services that run say that they are gone.
      await fires('SwitchyardLogLost', { log: 'registry' })
      await isSilent('SwitchyardLogSilent', { instance: 'registry-0' })
      for (const name of ['registry-0', 'composer-0', 'config-distribution']) {
        const told = () => program(name).events.filter(({ event }) => event === 'log.lost')
        await waitFor(`${name} to say so`, () => told().length > 0, { withinMs: WITHIN_MS })
        expect(told()[0], name).toMatchObject({ end: null, log: expect.any(String) as string })
      }
      for (const name of ['registry-0', 'composer-0', 'composer-1', 'config-distribution']) {
        await program(name).stop()
        await program(name).start()
      }
      await fires('SwitchyardRouterServesUnknownRevision')
    },
    TEST_MS,
  )

  it(
    'a restored log and a router that has not heard of it have the same revision, and different manifests',
    async () => {
      await waitFor('the registry', async () => (await fetch(`${system.registryUrls[0]}/health/ready`)).ok, {
        withinMs: WITHIN_MS,
      })
      await isSilent('SwitchyardRoutersDiffer')
      for (const proxy of proxies) proxy.cut()
      const imported = await system.cli('registry', 'import', backup)
      expect(imported.code, imported.stderr).toBe(0)
      await firesFor('SwitchyardRoutersDiffer', [second])
      const [one, other] = await revisions()
      expect(one).toBe(other)
      // It ends when the router hears of the restore.
      for (const proxy of proxies) proxy.pass()
      await firesFor('SwitchyardRoutersDiffer', [])
    },
    TEST_MS,
  )

  it('any of those that are shipped is tried', () => {
    expect([...fired].sort()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .sort(),
    )
  })

  /** Of both routers, as they tell it. */
  async function revisions(): Promise<readonly (number | undefined)[]> {
    const ask = async (instance: string) =>
      (await prometheus.ask(`switchyard_router_revision{instance="${instance}"}`))[0]?.value
    return Promise.all([ask(first), ask(second)])
  }

  async function bothServe(
    what: string,
    isSo: (served: readonly (number | undefined)[]) => boolean,
  ): Promise<void> {
    await waitFor(`both routers to serve ${what}`, async () => isSo(await revisions()), {
      withinMs: WITHIN_MS,
      everyMs: 200,
    })
  }

  /** What the constellation gave the router with the same configuration, with the port of its own metrics. */
  function environmentOf(name: string): Readonly<Record<string, string>> {
    return {
      SWITCHYARD_NATS_URL: system.nats.url,
      SWITCHYARD_REDIS_URL: system.redis.url,
      SWITCHYARD_FLEET_KEY: 'f'.repeat(32),
      SWITCHYARD_HOST: '127.0.0.1',
      SWITCHYARD_PORT: new URL(urlOf(second)).port,
      SWITCHYARD_GRAPH: `default/${GRAPH}`,
      SWITCHYARD_CONFIG: join(system.folder, 'router.yaml'),
      SWITCHYARD_CONFIG_KEYS: join(system.folder, 'config-keys.json'),
      SWITCHYARD_LAST_KNOWN_GOOD_DIR: join(system.folder, 'last-known-good-1'),
      SUBGRAPHS_ALLOWED_NETWORKS: 'loopback',
      SWITCHYARD_METRICS_PORT: metricsPort(name),
    }
  }

  /** Ends the second router, and gives addresses of NATS and Redis that can be cut off for it alone. */
  async function cutOff(): Promise<{ readonly natsUrl: string; readonly redisUrl: string }> {
    await program(second).stop()
    const [nats, redis] = await Promise.all(
      [system.nats, system.redis].map(({ port }) => startTcpProxy({ host: '127.0.0.1', port })),
    )
    if (nats === undefined || redis === undefined) throw new Error('no proxies')
    proxies.push(nats, redis)
    return { natsUrl: `nats://127.0.0.1:${nats.port}`, redisUrl: `redis://127.0.0.1:${redis.port}` }
  }
})
