/** The services of the package as a distributed set-up: each does its own job, and no other. */
import {
  type Constellation,
  listeningPorts,
  openShop,
  publishShop,
  query,
  type Run,
  type Shop,
  SpawnedProgram,
  startDistributed,
  variantOf,
  waitForReady,
} from '@switchyard/e2e'
import {
  natsServerAvailable,
  redisServerAvailable,
  type SpawnedServer,
  startNatsServer,
  startRedisServer,
} from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS } from '../../src/programs.ts'
import type { Installed } from '../installed.ts'

const SERVICES = Object.keys(PROGRAMS).filter((name) => name !== 'switchyard')

/** To be called where a package is installed before the tests. */
export function testServices(installed: () => Installed): void {
  const missing = [
    ...(natsServerAvailable() ? [] : ['nats-server']),
    ...(redisServerAvailable() ? [] : ['redis-server']),
  ]
  describe.skipIf(missing.length > 0)(`its services on NATS and Redis ${missing.join(', ')}`, () => {
    let servers: readonly SpawnedServer[] = []
    let shop: Shop
    let system: Constellation
    /** Environments by the names of programs. */
    const environments = new Map<string, Readonly<Record<string, string>>>()
    const run: Run = async ({ name, service, environment }) => {
      environments.set(name, environment)
      const command = installed().program(`switchyard-${service}`)
      return new SpawnedProgram(name, command, { ...installed().environment, ...environment })
    }

    beforeAll(async () => {
      const [nats, redis] = [await startNatsServer(), await startRedisServer()]
      servers = [nats, redis]
      shop = await openShop()
      const environment = { SWITCHYARD_METRICS_PORT: '0' }
      system = await startDistributed({ natsUrl: nats.url, redisUrl: redis.url, environment, run })
      await publishShop(system, shop)
    })
    afterAll(async () => {
      await system?.[Symbol.asyncDispose]()
      await shop?.[Symbol.asyncDispose]()
      for (const server of servers) await server[Symbol.asyncDispose]()
    })

    it('serve a graph and its flag', async () => {
      for (const url of system.routerUrls) {
        expect(variantOf(await query(url))).toBe('base')
        expect(variantOf(await query(url, { 'X-Feature-Flag': 'next' }))).toBe('next')
      }
      const apart = {
        SWITCHYARD_REGISTRY_URL: system.registryUrls[0] ?? '',
        SWITCHYARD_API_KEY: system.apiKey,
      }
      const { code, stdout } = await installed().run('switchyard', ['graph', 'list'], apart)
      expect(code).toBe(0)
      expect(stdout).toContain('shop')
    })

    it.each(SERVICES)(
      '%s is healthy, listens on its own port alone, and logs under its own name',
      async (command) => {
        const service = command.slice('switchyard-'.length)
        const programs = [...system.programs].filter(([name]) => name.startsWith(service))
        expect(programs.length).toBeGreaterThan(0)
        for (const [name, program] of programs) {
          const port = Number(environments.get(name)?.['SWITCHYARD_PORT'])
          await waitForReady(system, `http://127.0.0.1:${port}`)
          expect(await listeningPorts(program.pid), name).toEqual([port])
          expect(new Set(program.events.map((event) => event['name'])), name).toEqual(new Set([service]))
        }
      },
    )

    it.each(SERVICES)('%s refuses settings that are no use', async (command) => {
      const { code, stdout, stderr } = await installed().run(command, [], { SWITCHYARD_PORT: 'x' })
      expect(`${stdout}${stderr}`).toContain('SWITCHYARD_PORT')
      expect(code).toBe(1)
    })
  })
}
