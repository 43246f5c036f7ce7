import { expect } from 'vitest'
import { freePorts, LINK, runCommand } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

const COLOUR = `${String.fromCodePoint(27)}[`

export const commandLine: readonly Case[] = [
  {
    rules: ['exit.done', 'json.envelope', 'output.stderr', 'option.json', 'option.namespace'],
    it: 'a write with -j prints one document: ok, result, compositions, routers',
    async run(world) {
      const space = await twoSubgraphs(world)
      const args = ['--label', 't=1', '--fs', 'a-next', '--enabled', '-n', space.name, '-j']
      const { stdout } = await world.cli(0, 'ff', 'create', 'x', ...args)
      const document = JSON.parse(stdout) as Record<string, unknown>
      expect(document).toMatchObject({
        ok: true,
        result: { changed: true, message: 'Feature flag "x" was created enabled.', warnings: [] },
        compositions: [
          { graph: 'g', featureFlag: null, status: 'unchanged', errors: [] },
          { graph: 'g', featureFlag: 'x', status: 'composed', errors: [], hints: [] },
        ],
        routers: { serving: 0, total: 0 },
      })
      expect(Object.keys(document).toSorted()).toEqual(['compositions', 'ok', 'result', 'routers'])
    },
  },
  {
    rules: ['json.error', 'exit.refused', 'output.stderr'],
    it: 'a refusal with --json is {ok: false, error} with the code, at exit 1',
    async run(world) {
      const space = await world.space()
      const { ok, error } = await world.json(1, 'ff', 'enable', 'ghost', '--namespace', space.name)
      expect([ok, error?.code, error?.status]).toEqual([false, 'NOT_FOUND', 404])
      const wrong = await world.json(2, 'ff', 'enable')
      expect([wrong.ok, wrong.error?.code]).toEqual([false, 'COMMAND_LINE_INVALID'])
      const unknown = await world.json(1, 'graph', 'create', 'g', '-n', 'no-such-namespace')
      expect(unknown.error?.code).toBe('NOT_FOUND')
    },
  },
  {
    rules: ['exit.empty-graph', 'exit.done', 'command.graph'],
    it: 'a graph with nothing to compose yet is created with a warning, exit 0',
    async run(world) {
      const space = await world.space()
      const { stdout, stderr } = await world.cli(
        0,
        'federated-graph',
        'create',
        'g',
        '--label-matcher',
        't=1',
        '-n',
        space.name,
      )
      expect(stdout).toMatch(/g +nothing to compose yet/)
      expect(stderr).toContain('warning: Nothing can be composed for "g" yet')
    },
  },
  {
    rules: ['exit.refused.unauthorised', 'setting.api-key', 'setting.registry-url', 'auth.bearer'],
    it: 'a wrong key is refused with exit 1, wherever it is given',
    async run({ system }) {
      const registry = { SWITCHYARD_REGISTRY_URL: system.registryUrls[0] ?? '' }
      for (const key of [`swy_e2e_${'1'.repeat(64)}`, `swy_nobody_${'0'.repeat(64)}`, 'nonsense']) {
        const environment = { ...registry, SWITCHYARD_API_KEY: key }
        const finished = await runCommand(['namespace', 'list'], environment, system.folder)
        expect(finished.code, finished.stderr).toBe(1)
        expect(finished.stderr).toContain('API key')
        expect(finished.stderr + finished.stdout).not.toContain(key)
      }
    },
  },
  {
    rules: ['exit.refused.invalid-sdl', 'command.subgraph.publish'],
    it: 'SDL that does not parse is refused with file, line and column, exit 1, and nothing is published',
    async run(world) {
      const space = await twoSubgraphs(world)
      await world.file('invalid.graphql', 'type Query {\n  a Int\n}\n')
      const { stdout, stderr } = await world.cli(
        1,
        'subgraph',
        'publish',
        'a',
        '--schema',
        'invalid.graphql',
        '-n',
        space.name,
      )
      expect(stdout + stderr).toMatch(/invalid\.graphql:2:5/)
      expect(await space.publish('a', sdlOf('a'))).toMatchObject({ changed: false })
    },
  },
  {
    rules: ['exit.usage', 'exit.usage.file'],
    it: 'a wrong command line is refused with exit 2 and a reason, before anything is sent',
    async run({ cli, file, system }) {
      await file('empty.graphql', '')
      const lines = [
        ['no-such-command'],
        ['ff', 'no-such-command'],
        ['ff', 'enable'],
        ['ff', 'enable', 'x', '--no-such-option'],
        ['subgraph', 'create', 'x'],
        ['subgraph', 'create', 'x', '--routing-url', URL_OF, '--label', 'nolabel'],
        ['subgraph', 'publish', 'users'],
        ['subgraph', 'publish', 'users', '--schema', 'missing.graphql'],
        ['subgraph', 'publish', 'users', '--schema', 'empty.graphql'],
        ['graph', 'create', 'g', '--label-matcher', 'a=1,,b=2'],
      ]
      await Promise.all(
        lines.map(async (line) => {
          const { stdout, stderr } = await cli(2, ...line)
          expect([stdout, stderr.length > 20], line.join(' ')).toEqual(['', true])
        }),
      )
      expect(await system.manage('GET', '/v1/graphs/default')).toMatchObject({
        status: 200,
        body: { graphs: [{ name: 'shop' }] },
      })
    },
  },
  {
    rules: ['exit.unreachable', 'setting.registry-url'],
    it: 'a registry that cannot be reached is exit 3, and its address is named',
    async run({ system }) {
      const [port = 0] = await freePorts(1)
      const environment = {
        SWITCHYARD_REGISTRY_URL: `http://127.0.0.1:${port}`,
        SWITCHYARD_API_KEY: system.apiKey,
      }
      const finished = await runCommand(['graph', 'list', '--json'], environment, system.folder)
      expect(finished.code).toBe(3)
      const document = JSON.parse(finished.stdout) as { ok: boolean; error: { code: string; detail: string } }
      expect([document.ok, document.error.code]).toEqual([false, 'REGISTRY_UNREACHABLE'])
      expect(document.error.detail).toContain(`127.0.0.1:${port}`)
    },
  },
  {
    rules: ['exit.composition-failed', 'json.envelope'],
    it: 'a flag that is switched on and does not compose is exit 4: ok is false, the write is kept',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b', sdlOf('b', 'a'))
      await space.flag('x', ['b-next'], { labels: ['t=1'] })
      const document = await world.json(4, 'ff', 'enable', 'x', '-n', space.name)
      expect(document).toMatchObject({ ok: false, result: { changed: true } })
      expect(reportOf(document)).toEqual(['g with x: failed', 'g: unchanged'])
      const [error] = document.compositions?.find(({ featureFlag }) => featureFlag === 'x')?.errors ?? []
      expect(error?.code).toMatch(/^[A-Z_]+$/)
      expect(await space.flags()).toMatchObject([{ enabled: true }])
    },
  },
  {
    rules: ['output.colours'],
    it: 'nothing is coloured where there is no terminal',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b', sdlOf('b', 'a'))
      const own = ['-n', space.name, '--label', 't=1']
      const created = await world.cli(4, 'ff', 'create', 'x', ...own, '--fs', 'b-next', '-e')
      const listed = await world.cli(0, 'ff', 'list', '-n', space.name)
      const wrong = await world.cli(2, 'ff', 'create')
      for (const { stdout, stderr } of [created, listed, wrong]) expect(stdout + stderr).not.toContain(COLOUR)
    },
  },
  {
    rules: ['output.github', 'errors.compiler-like'],
    it: '--output github marks the place in the file as an annotation',
    async run(world) {
      const space = await twoSubgraphs(world)
      await world.file('marked.graphql', `${LINK}\ntype Query {\n  b: Int\n}\n`)
      const options = ['--schema', 'marked.graphql', '-n', space.name, '--output', 'github']
      const checked = await world.cli(1, 'subgraph', 'check', 'a', ...options)
      expect(checked.stdout).toMatch(/^::error file=marked\.graphql,line=4,col=3.*::.+$/m)
      const published = await world.cli(4, 'subgraph', 'publish', 'a', ...options)
      expect(published.stdout).toMatch(/^::error file=marked\.graphql,line=4,col=3.*::.+$/m)
    },
  },
  {
    rules: ['command.help'],
    it: 'commands have help with examples, and the shell completes commands and names',
    async run({ cli }) {
      for (const line of [
        ['ff', 'create'],
        ['graph', 'update'],
        ['router', 'compose'],
      ]) {
        const { stdout } = await cli(0, ...line, '--help')
        expect(stdout).toMatch(/Usage: switchyard/)
        expect(stdout).toMatch(/Examples:\n +\$ switchyard/)
      }
      expect((await cli(0, 'completion', 'bash')).stdout).toContain('complete')
      expect((await cli(0, '__complete', '--', 'feature-flag', 'en')).stdout).toContain('enable')
      expect((await cli(0, '__complete', '--', 'ff', 'enable', 'ne')).stdout).toContain('next')
    },
  },
]
