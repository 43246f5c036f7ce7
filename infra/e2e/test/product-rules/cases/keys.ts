import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { sdlOf, twoSubgraphs, type World } from '../world.ts'

type Call = readonly [method: string, path: string, body?: unknown]

export const keys: readonly Case[] = [
  {
    rules: ['command.api-key', 'auth.key-form', 'auth.bootstrap'],
    it: 'api-key create shows the key once; the key works, is listed without its secret, and is dead when deleted',
    async run(world) {
      const { cli, json, system } = world
      const { stdout } = await cli(0, 'api-key', 'create', 'ci', '--scope', 'read')
      const key = stdout.trim()
      expect(key).toMatch(/^swy_[0-9A-Za-z]+_[0-9A-Za-z_-]{43,64}$/)
      const secret = key.split('_').slice(2).join('_')
      const asKey = (...args: string[]) =>
        runCommand(
          args,
          { SWITCHYARD_REGISTRY_URL: system.registryUrls[0] ?? '', SWITCHYARD_API_KEY: key },
          system.folder,
        )
      expect((await asKey('graph', 'list')).code).toBe(0)
      expect((await asKey('graph', 'create', 'no')).code).toBe(1)
      const { result } = await json(0, 'api-key', 'list')
      expect(JSON.stringify(result)).toContain('"ci"')
      expect(JSON.stringify(result)).not.toContain(secret)
      await cli(2, 'api-key', 'delete', 'ci')
      await cli(0, 'api-key', 'delete', 'ci', '--force')
      expect((await asKey('graph', 'list')).code).toBe(1)
      await cli(2, 'api-key', 'create', 'wrong', '--scope', 'everything')
      for (const program of system.programs.values()) expect(program.output).not.toContain(secret)
    },
  },
  {
    rules: [
      'auth.scope.read',
      'auth.scope.publish',
      'auth.scope.deploy',
      'auth.scope.trace',
      'auth.scope.admin',
    ],
    it: 'each scope allows what it says and nothing else',
    async run(world) {
      const space = await twoSubgraphs(world)
      const other = await twoSubgraphs(world)
      const statusOf = async (key: string, [method, path, body]: Call): Promise<number> => {
        const headers = { authorization: `Bearer ${key}` }
        return (
          await world.system.manage(method, path, body ?? (method === 'GET' ? undefined : {}), { headers })
        ).status
      }
      const reads: Call[] = [
        ['GET', space.path('graphs')],
        ['GET', space.path('subgraphs', 'a')],
        ['GET', space.path('feature-flags')],
      ]
      const publishes: Call[] = [
        ['PUT', space.path('subgraphs', 'a', 'schema'), { sdl: sdlOf('a', 'scoped') }],
      ]
      const deploys: Call[] = [
        ['PATCH', space.path('subgraphs', 'a'), { routingUrl: 'http://127.0.0.1:7/' }],
        ['POST', space.path('feature-flags'), { name: 'scoped', featureSubgraphs: ['a-next'] }],
        ['POST', space.path('feature-flags', 'scoped', 'enable')],
        ['DELETE', space.path('feature-flags', 'scoped')],
        ['PATCH', space.path('graphs', 'g'), { labelMatchers: ['t=1,t=5'] }],
      ]
      const elsewhere: Call[] = [
        ['PUT', other.path('subgraphs', 'a', 'schema'), { sdl: sdlOf('a', 'never') }],
        ['POST', other.path('graphs'), { name: 'never' }],
      ]
      const admin: Call[] = [
        ['GET', '/v1/api-keys'],
        ['POST', '/v1/api-keys', { name: 'never', scopes: ['admin'] }],
        ['GET', '/v1/export'],
      ]
      const creating: Call = [
        'PUT',
        space.path('subgraphs', 'new', 'schema'),
        { sdl: sdlOf('n'), routingUrl: 'http://127.0.0.1:7/' },
      ]
      const expectAll = async (key: string, calls: readonly Call[], allowed: boolean): Promise<void> => {
        for (const call of calls) {
          const status = await statusOf(key, call)
          if (allowed) expect(status, call.join(' ')).toBeLessThan(300)
          else expect(status, call.join(' ')).toBe(403)
        }
      }
      const read = await keyWith(world, 'read')
      await expectAll(read, reads, true)
      await expectAll(read, [...publishes, ...deploys, ...elsewhere, ...admin, creating], false)
      const publish = await keyWith(world, `publish:${space.name}`)
      await expectAll(publish, [...reads, ...publishes], true)
      await expectAll(publish, [...deploys, ...elsewhere, ...admin, creating], false)
      const deploy = await keyWith(world, `deploy:${space.name}`)
      await expectAll(deploy, [...reads, ...publishes, ...deploys, creating], true)
      await expectAll(deploy, [...elsewhere, ...admin], false)
      expect(await statusOf(deploy, ['DELETE', `/v1/namespaces/${other.name}`])).toBe(403)
      const tokenOf = ({ name }: { readonly name: string }): Call => [
        'POST',
        `/v1/graphs/${name}/g/trace-tokens`,
      ]
      for (const key of [read, publish, deploy]) expect(await statusOf(key, tokenOf(space))).toBe(403)
      const trace = await keyWith(world, `trace:${space.name}`)
      await expectAll(
        trace,
        [...reads, ...publishes, ...deploys, ...elsewhere, ...admin, creating, tokenOf(other)],
        false,
      )
      // Registries without a key file cannot sign: the right is there all the same.
      expect([201, 409, 503]).toContain(await statusOf(trace, tokenOf(space)))
      const all = await keyWith(world, 'admin')
      expect(await statusOf(all, ['GET', '/v1/api-keys'])).toBe(200)
      await expectAll(all, [...reads, ...elsewhere], true)
    },
  },
  {
    rules: ['command.registry.export', 'command.registry.import'],
    it: 'export writes JSON Lines without secrets, and import refuses a registry that holds something',
    async run({ cli, json, system }) {
      await cli(0, 'registry', 'export', '--out', 'backup.ndjson')
      const text = await readFile(join(system.folder, 'backup.ndjson'), 'utf8')
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string })
      expect(lines.length).toBeGreaterThan(10)
      expect(lines.at(-1)?.type).toBe('end')
      expect(text).not.toContain(system.apiKey)
      const before = await system.manage('GET', '/v1/namespaces')
      const { ok, error } = await json(1, 'registry', 'import', 'backup.ndjson')
      expect([ok, error?.status]).toEqual([false, 409])
      expect(await system.manage('GET', '/v1/namespaces')).toEqual(before)
      await cli(2, 'registry', 'import', 'missing.ndjson')
    },
  },
]

async function keyWith({ system }: World, scope: string): Promise<string> {
  const name = `k-${scope.replace(':', '.')}`.slice(0, 100)
  const { status, body } = await system.manage('POST', '/v1/api-keys', { name, scopes: [scope] })
  expect(status, JSON.stringify(body)).toBe(201)
  return String(body['key'])
}
