import { type HttpSubgraph, waitFor } from '@switchyard/testkit'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  type Constellation,
  type Finished,
  freePorts,
  listeningPorts,
  Program,
  query,
  runCommand,
  variantOf,
} from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { Space } from '../world.ts'

const QUERY = '{ products { nameVariant stockVariant } }'

export const up: readonly Case[] = [
  {
    rules: [
      'command.up.only-graph',
      'command.up.waits',
      'command.up.ports',
      'command.up.data-dir',
      'auth.key-file',
      'name.nasty',
      'setting.api-key',
    ],
    it: 'up without a key and without --graph makes a key, waits, and serves the only graph, whatever its name',
    async run({ system, shop }) {
      await using other = await startUp(join(system.folder, 'other/data'))
      const answer = await query(other.routerUrl, {}, QUERY)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([
        503,
        expect.stringMatching(/^\d+$/),
      ])
      expect(JSON.stringify(answer.body)).toMatch(/federated graph/)
      expect(await listeningPorts(other.program.pid)).toEqual(other.ports)

      const keyFile = join(system.folder, 'other/data/api-key')
      expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
      const key = (await readFile(keyFile, 'utf8')).trim()
      expect(key).toMatch(/^swy_/)
      expect((await other.cli('namespace', 'list')).code).toBe(1)
      const created = await other.cli('namespace', 'create', 'constructor', '--data-dir', 'other/data')
      expect(created.code, created.stderr).toBe(0)

      const space = new Space(other, 'constructor')
      await space.graph('a.b/c@d')
      const publish = (name: string, { sdl, url }: HttpSubgraph, subgraph?: string) =>
        space.write('PUT', space.path('subgraphs', name, 'schema'), { sdl, routingUrl: url, subgraph })
      await publish('constructor', shop.catalogue)
      await publish('toString', shop.stock)
      await publish('valueOf', shop.catalogueNext, 'constructor')
      await publish('n/e.x@t', shop.stockNext, 'toString')
      await space.flag('hasOwnProperty', ['valueOf', 'n/e.x@t'], { enabled: true })
      await other.answers('base')
      await other.answers('next', { 'X-Feature-Flag': 'hasOwnProperty' })
      await other.answers('base', { 'X-Feature-Flag': 'constructor' })

      await other.program.stop()
      other.program.start()
      await other.answers('next', { 'X-Feature-Flag': 'hasOwnProperty' })
      expect(other.program.output).not.toContain(key)
    },
  },
  {
    rules: ['command.registry.import', 'command.registry.export', 'command.up.waits'],
    it: 'an export imported into an empty registry serves the same graph with the same flags',
    async run({ system, cli, served }) {
      await served.waitForState('next', 'shop', 'served')
      await cli(0, 'registry', 'export', '--out', 'moved.ndjson')
      await using other = await startUp(
        join(system.folder, 'moved'),
        ['--graph', 'default/shop'],
        system.apiKey,
      )
      expect((await query(other.routerUrl, {}, QUERY)).status).toBe(503)
      const move = () => other.cli('registry', 'import', 'moved.ndjson', '--data-dir', 'moved')
      const imported = await move()
      expect(imported.code, imported.stderr).toBe(0)
      await other.answers('base')
      await other.answers('next', { 'X-Feature-Flag': 'next' })
      for (const path of ['/v1/namespaces', '/v1/subgraphs/default', '/v1/feature-flags/default']) {
        expect(logged(await other.manage('GET', path)), path).toEqual(
          logged(await system.manage('GET', path)),
        )
      }
      expect((await move()).code).toBe(1)
    },
  },
]

type Up = AsyncDisposable & {
  readonly program: Program
  readonly routerUrl: string
  readonly ports: readonly number[]
  /** Without a key in the environment. */
  readonly cli: (...args: string[]) => Promise<Finished>
  /** With the key of its data directory. */
  readonly manage: Constellation['manage']
  readonly answers: (variant: string, headers?: Readonly<Record<string, string>>) => Promise<void>
}

async function startUp(dataDir: string, args: readonly string[] = [], key?: string): Promise<Up> {
  const ports = await freePorts(2)
  const [registryPort, routerPort] = ports.map(String)
  const ownPorts = ['--registry-port', registryPort ?? '', '--router-port', routerPort ?? '']
  const program = new Program(
    'other up',
    'services/cli/src/main.ts',
    ['up', '--data-dir', dataDir, ...ownPorts, ...args],
    key === undefined ? {} : { SWITCHYARD_BOOTSTRAP_API_KEY: key },
  )
  const registryUrl = `http://127.0.0.1:${registryPort}`
  const routerUrl = `http://127.0.0.1:${routerPort}`
  const folder = join(dataDir, dataDir.endsWith('/data') ? '../..' : '..')
  const started = async (): Promise<boolean> => {
    if (!program.running) throw new Error(program.output)
    // The registry listens first; a connection that the router refuses counts as not started.
    const answers = [fetch(`${registryUrl}/health/ready`), fetch(`${routerUrl}/health/live`)]
    return (await Promise.all(answers)).every(({ status }) => status === 200)
  }
  try {
    await waitFor('the other installation to be ready', started)
  } catch (error) {
    await program.stop()
    throw error
  }
  return {
    program,
    routerUrl,
    ports: ports.toSorted((left, right) => left - right),
    cli: (...words) => runCommand(words, { SWITCHYARD_REGISTRY_URL: registryUrl }, folder),
    manage: async (method, path, body) => {
      const key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim()
      const response = await fetch(`${registryUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    answers: async (variant, headers = {}) => {
      await waitFor(`the other router to answer ${variant}`, async () => {
        const got = variantOf(await query(routerUrl, headers, QUERY))
        if (got !== variant) throw new Error(`${got}\n${program.output.slice(-2000)}`)
        return true
      })
    },
    async [Symbol.asyncDispose]() {
      await program.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** An answer without what follows from what a registry has heard of flags since it started. */
function logged(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) =>
      name === 'use' || name === 'stage' ? undefined : value,
    ),
  )
}
