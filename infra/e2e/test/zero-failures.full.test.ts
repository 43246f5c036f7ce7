/**
 * Nothing that is done to a running Switchyard on purpose may fail a request: many toggles, restarts of the
 * routers one by one, a restart of each other service. And of a router that is killed only those may fail
 * that were on it.
 *
 * Constant load goes to two routers, through the load balancer of Compose with its own configuration, which
 * looks at requests, and through one that knows connections only, as a Service of Kubernetes does.
 */
import type { Failure, LoadReport } from '@switchyard/bench'
import {
  haproxyAvailable,
  isLongRun,
  natsServerAvailable,
  redisServerAvailable,
  startTcpBalancer,
  type TcpBalancer,
  waitFor,
} from '@switchyard/testkit'
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DEFERRED_REQUEST,
  type LoadBalancer,
  type OnRealServers,
  openShop,
  type ServiceProgram,
  publishShop,
  REPOSITORY,
  type Shop,
  SHOP_REQUESTS,
  startLoadBalancer,
  startOnRealServers,
  startShopLoad,
  toggleFlag,
  waitForReady,
} from '../src/index.ts'
import { Gate } from './support/gate.ts'

/** Each request has calls of its own, so that those in progress are counted at the subgraph. */
const UNSHARED = 'traffic: { share_inflight: false }'
const SETTINGS = `${readFileSync(`${REPOSITORY}/infra/docker/compose/router.yaml`, 'utf8')}\n${UNSHARED}\n`
/**
 * Clients of each of the two load balancers, and milliseconds between an answer and the next request of a
 * client.
 */
const CLIENTS = 4
const CLIENTS_OF_A_KILLED_ROUTER = 16
const PAUSE = isLongRun() ? 50 : 100
const TOGGLES = isLongRun() ? 200 : 60
const missing = [
  natsServerAvailable() ? [] : ['nats-server'],
  redisServerAvailable() ? [] : ['redis-server'],
  haproxyAvailable() ? [] : ['haproxy'],
].flat()
const noServers = missing.length === 0 ? '' : ` (not installed: ${missing.join(', ')})`

describe.skipIf(missing.length > 0)(`constant load on two routers${noServers}`, () => {
  const gate = new Gate()
  let shop: Shop
  let system: OnRealServers
  let haproxy: LoadBalancer
  let connections: TcpBalancer
  const lines: string[] = []

  beforeAll(async () => {
    shop = await openShop({ beforeStock: () => gate.pass() })
    system = await startOnRealServers({
      registries: 2,
      routerSettings: SETTINGS,
      environment: { ENGINE_ENABLE_DEFER: 'true', SWITCHYARD_TRUSTED_PROXIES: '127.0.0.1/32' },
    })
    await publishShop(system, shop)
    haproxy = await startLoadBalancer(system)
    connections = await startTcpBalancer({ urls: system.routerUrls })
  })

  afterAll(async () => {
    console.log(lines.join('\n'))
    await connections?.[Symbol.asyncDispose]()
    await haproxy?.[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
    await shop?.[Symbol.asyncDispose]()
  })

  it(`notices nothing of ${TOGGLES} toggles`, () =>
    unnoticed(`${TOGGLES} toggles`, async () => {
      await toggleFlag(system, TOGGLES)
    }))

  it('notices nothing of routers that are restarted one after the other', () =>
    unnoticed('rolling restart of both routers', async () => {
      for (const index of [0, 1]) await restartRouter(index)
    }))

  it.each(['registry-0', 'registry-1', 'composer-0', 'composer-1', 'config-distribution'])(
    'notices nothing of a restart of %s',
    (name) =>
      unnoticed(`restart of ${name}`, async () => {
        const program = programOf(name)
        await program.stop()
        await program.start()
        await Promise.all(system.registryUrls.map((url) => waitForReady(system, url)))
        await toggleFlag(system, 2)
      }),
  )

  it.each(['nats', 'redis'] as const)('notices nothing of a restart of %s', (name) =>
    unnoticed(`restart of ${name === 'nats' ? 'NATS' : 'Redis'}`, async () => {
      await system[name].restart()
      await Promise.all(system.registryUrls.map((url) => waitForReady(system, url)))
      await toggleFlag(system, 2)
    }),
  )

  it('loses nothing but what was on a router that is killed', async () => {
    const failures = { haproxy: [] as Failure[], connections: [] as Failure[] }
    let gone = 0
    const reports = await underLoad(async (progress) => {
      // Requests that wait for the stock are on both routers.
      gate.close()
      await waitFor('requests to be underway', () => gate.waiting >= 60)
      const router = programOf('router-0')
      const routerUrl = system.routerUrls[0] ?? ''
      await router.kill9()
      // A client that kept a connection to it finds out in the turns of the event loop that follow.
      await waitFor('its connections to end', () => connections.connectionsTo(routerUrl) === 0)
      await turn()
      await turn()
      gone = Date.now()
      gate.open()
      const before = progress()
      await waitFor('others to be answered', () => progress() >= before + 100)
      await router.start()
      await isBack(0)
    }, failures)
    note('kill -9 of a router', reports)
    for (const [through, found] of Object.entries(failures)) {
      expect(found.filter(({ sentAt }) => sentAt === null || Date.parse(sentAt) > gone)).toEqual([])
      expect(found.length, `${through}: nothing was on it`).toBeGreaterThan(0)
      expect(
        found.every(({ kind }) => LOST.has(kind)),
        JSON.stringify(found[0]),
      ).toBe(true)
    }
    // A query by GET changes nothing, so that HAProxy may ask again.
    expect(failures.haproxy.filter(({ request }) => request.includes('GET'))).toEqual([])
  })

  const LOST = new Set(['connection', 'http-status', 'cut-stream'])

  async function unnoticed(what: string, disturb: () => Promise<void>): Promise<void> {
    const reports = await underLoad(disturb)
    note(what, reports)
    for (const { failures, requests } of reports) {
      expect(failures, system.report()).toEqual({})
      expect(requests).toBeGreaterThan(0)
    }
  }

  async function underLoad(
    disturb: (answered: () => number) => Promise<void>,
    failures: { readonly haproxy: Failure[]; readonly connections: Failure[] } | null = null,
  ): Promise<readonly LoadReport[]> {
    const options = (found: Failure[] | undefined) => ({
      pace: {
        kind: 'connections' as const,
        count: failures === null ? CLIENTS : CLIENTS_OF_A_KILLED_ROUTER,
        pause: PAUSE,
      },
      requests: [...SHOP_REQUESTS, DEFERRED_REQUEST],
      onFailure: (failure: Failure) => found?.push(failure),
    })
    await using one = startShopLoad([haproxy.url], options(failures?.haproxy))
    await using two = startShopLoad([connections.url], options(failures?.connections))
    await disturb(() => one.report.requests + two.report.requests)
    return [await one.stop(), await two.stop()]
  }

  function note(what: string, [one, two]: readonly LoadReport[]): void {
    lines.push(`| ${what} | ${one?.requests} | ${one?.failed} | ${two?.requests} | ${two?.failed} |`)
  }

  async function restartRouter(index: number): Promise<void> {
    const router = programOf(`router-${index}`)
    await router.stop()
    await router.start()
    await isBack(index)
  }

  /** It serves, and both load balancers know that. */
  async function isBack(index: number): Promise<void> {
    const url = system.routerUrls[index] ?? ''
    await waitForReady(system, url)
    await waitFor('the load balancers to send requests to it again', () => {
      const said = haproxy.output
        .split('\n')
        .findLast((line) => line.includes(`routers/router-${index + 1} is `))
      return connections.ready.includes(url) && said?.includes(' is UP') === true
    })
  }

  function programOf(name: string): ServiceProgram {
    return system.programs.get(name) ?? expect.fail(`no ${name}`)
  }
})
