import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePorts, LINK, runSwitchyard } from '../../../src/index.ts'
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
        const finished = await runSwitchyard(['namespace', 'list'], environment, system.folder)
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
      const finished = await runSwitchyard(['graph', 'list', '--json'], environment, system.folder)
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
      const created = await world.cli(
        4,
        'ff',
        'create',
        'x',
        '-n',
        space.name,
        '--label',
        't=1',
        '--fs',
        'b-next',
        '-e',
      )
      const listed = await world.cli(0, 'ff', 'list', '-n', space.name)
      const wrong = await world.cli(2, 'ff', 'create')
      for (const { stdout, stderr } of [created, listed, wrong]) expect(stdout + stderr).not.toContain(COLOUR)
    },
  },
  {
    rules: ['command.namespace', 'command.namespace.default', 'resource.namespace.default'],
    it: 'namespaces are created and listed; "default" is always among them and cannot be created',
    async run({ cli, json }) {
      const name = `made-${Date.now().toString(36)}`
      expect((await cli(0, 'namespace', 'create', name)).stdout).toContain(`Namespace "${name}" was created.`)
      expect((await json(1, 'namespace', 'create', name)).error?.code).toBe('ALREADY_EXISTS')
      expect((await json(1, 'namespace', 'create', 'default')).error?.code).toBe('ALREADY_EXISTS')
      const { result } = await json(0, 'namespace', 'list')
      expect(result?.['namespaces']).toEqual(expect.arrayContaining([{ name: 'default' }, { name }]))
      const { result: graphs } = await json(0, 'graph', 'list')
      expect(graphs?.['graphs']).toMatchObject([{ namespace: 'default', name: 'shop' }])
    },
  },
  {
    rules: ['command.graph', 'command.subgraph.create', 'command.subgraph.publish', 'command.subgraph.list'],
    it: 'a graph is made from the command line alone: graph, subgraph, schema, lists',
    async run(world) {
      const space = await world.space()
      const own = ['-n', space.name]
      await world.file('one.graphql', sdlOf('one'))
      await world.cli(0, 'graph', 'create', 'g', '--label-matcher', 't=1', ...own)
      const created = await world.cli(
        0,
        'subgraph',
        'create',
        'one',
        '--routing-url',
        URL_OF,
        '--label',
        't=1',
        ...own,
      )
      expect(created.stdout).toContain('Subgraph "one" was created.')
      const { stdout } = await world.cli(0, 'subgraph', 'publish', 'one', '--schema', 'one.graphql', ...own)
      expect(stdout).toMatch(/The schema of "one" was published\.\n +g +composed/)
      const graphs = await world.cli(0, 'federated-graph', 'list', ...own)
      expect(graphs.stdout).toMatch(/\bg\b.*t=1/)
      const subgraphs = await world.cli(0, 'subgraph', 'list', ...own)
      expect(subgraphs.stdout).toMatch(/one.*t=1/)
      const { result } = await world.json(0, 'subgraph', 'list', ...own)
      expect(result?.['subgraphs']).toMatchObject([
        { name: 'one', routingUrl: URL_OF, labels: ['t=1'], published: true, base: null },
      ])
    },
  },
  {
    rules: ['command.subgraph.publish-creates'],
    it: 'publish creates a missing subgraph only when --routing-url is given',
    async run(world) {
      const space = await twoSubgraphs(world)
      await world.file('c.graphql', sdlOf('c'))
      const args = ['subgraph', 'publish', 'c', '--schema', 'c.graphql', '-n', space.name]
      expect((await world.cli(1, ...args)).stderr).toContain('no subgraph "c"')
      const created = await world.json(0, ...args, '--routing-url', URL_OF, '--label', 't=1')
      expect(created.result?.['message']).toBe('Subgraph "c" was created. The schema of "c" was published.')
      expect(reportOf(created)).toEqual(['g: composed'])
      const moved = await world.cli(0, ...args, '--routing-url', 'http://127.0.0.1:8/other')
      expect(moved.stderr).toContain(`its routing URL is still ${URL_OF}`)
    },
  },
  {
    rules: [
      'command.feature-subgraph.create',
      'command.feature-subgraph.publish',
      'command.feature-subgraph.publish-creates',
      'command.subgraph.publish',
    ],
    it: 'feature subgraphs are created, published by either command, and listed apart',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      await world.file('b-next.graphql', sdlOf('b', 'b8'))
      const make = ['--routing-url', URL_OF, '--subgraph', 'b']
      const created = await world.cli(0, 'feature-subgraph', 'create', 'b-next', ...make, ...own)
      expect(created.stdout).toContain('Feature subgraph "b-next" was created; it replaces "b".')
      await world.cli(0, 'subgraph', 'publish', 'b-next', '--schema', 'b-next.graphql', ...own)
      const again = await world.json(0, 'fs', 'publish', 'b-next', '--schema', 'b-next.graphql', ...own)
      expect(again.result?.['changed']).toBe(false)
      const publish = ['fs', 'publish', 'b-too', '--schema', 'b-next.graphql', ...own]
      await world.cli(1, ...publish)
      await world.cli(2, ...publish, '--routing-url', URL_OF)
      await world.cli(2, ...publish, '--subgraph', 'b')
      await world.cli(0, ...publish, ...make)
      const { result } = await world.json(0, 'fs', 'list', ...own)
      expect(result?.['subgraphs']).toMatchObject([
        { name: 'a-next', base: 'a' },
        { name: 'b-next', base: 'b', published: true },
        { name: 'b-too', base: 'b', published: true },
      ])
    },
  },
  {
    rules: ['command.feature-flag.create', 'command.feature-flag.switch', 'command.feature-flag.list'],
    it: 'flags are created with both spellings, switched, and listed with their state per graph',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      await world.cli(
        0,
        'feature-flag',
        'create',
        'long',
        '--label',
        't=1',
        '--feature-subgraphs',
        'a-next',
        ...own,
      )
      await world.cli(0, 'ff', 'create', 'short', '--label', 't=1', '--fs', 'a-next', '-e', ...own)
      await world.cli(0, 'feature-flag', 'enable', 'long', ...own)
      await world.cli(0, 'ff', 'disable', 'short', ...own)
      await space.waitForState('long', 'g', 'served')
      const { stdout } = await world.cli(0, 'feature-flag', 'list', ...own)
      expect(stdout).toMatch(/^long\s+enabled.*g: served$/m)
      expect(stdout).toMatch(/^short\s+disabled.*g: not served: the flag is disabled$/m)
    },
  },
  {
    rules: ['command.router.list'],
    it: 'router list shows every router, its graph, revision, flags and the age of its config',
    async run({ cli, json, system, routersAnswer }) {
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      const { result } = await json(0, 'router', 'list')
      const routers = result?.['routers'] as Record<string, unknown>[]
      expect(routers).toHaveLength(system.routerUrls.length)
      for (const router of routers) {
        expect(router).toMatchObject({ namespace: 'default', graph: 'shop', state: 'serving', alive: true })
        expect(router['revision']).toBeGreaterThan(0)
        expect(JSON.stringify(router)).toContain('"next"')
      }
      const { stdout } = await cli(0, 'router', 'list')
      expect(stdout).toMatch(/default\/shop/)
    },
  },
  {
    rules: ['command.router.compose', 'command.router.compose-flags', 'command.plan'],
    it: 'router compose works offline, refuses failing flags unless relaxed, and plan prints per flag',
    async run({ cli, file, system }) {
      await file('r-a.graphql', sdlOf('a'))
      await file('r-b.graphql', sdlOf('b'))
      await file('r-a2.graphql', sdlOf('a', 'a2'))
      await file('r-bad.graphql', sdlOf('a', 'b'))
      const graph = (schema: string): string => `version: 1
subgraphs:
  - { name: a, routing_url: ${URL_OF}, schema: { file: ./r-a.graphql } }
  - { name: b, routing_url: ${URL_OF}, schema: { file: ./r-b.graphql } }
feature_flags:
  - name: x
    feature_graphs:
      - { name: a_next, subgraph_name: a, routing_url: ${URL_OF}, schema: { file: ${schema} } }
`
      await file('good.yaml', graph('./r-a2.graphql'))
      await file('bad.yaml', graph('./r-bad.graphql'))
      await cli(0, 'router', 'compose', '--input', 'good.yaml', '--out', 'good.json')
      const failed = await cli(4, 'router', 'compose', '--input', 'bad.yaml', '--out', 'bad.json')
      expect(failed.stdout + failed.stderr).toMatch(/r-bad\.graphql:\d+:\d+/)
      await expect(readFile(join(system.folder, 'bad.json'))).rejects.toThrow('ENOENT')
      await cli(0, 'router', 'compose', '--input', 'bad.yaml', '--out', 'bad.json', '--allow-failed-flags')
      await file('q.graphql', '{ a a2 }')
      const plan = await cli(
        0,
        'plan',
        '--execution-config',
        'good.json',
        '--query',
        'q.graphql',
        '--flag',
        'x',
      )
      expect(plan.stdout).toContain('a_next')
      await cli(1, 'plan', '--execution-config', 'good.json', '--query', 'q.graphql')
    },
  },
  {
    rules: ['command.router.compose-input'],
    it: 'router compose refuses unknown keys, unknown subgraphs and two replacements of one base',
    async run({ cli, file }) {
      await file('i-a.graphql', sdlOf('a'))
      const base = `version: 1\nsubgraphs:\n  - { name: a, routing_url: ${URL_OF}, schema: { file: i-a.graphql } }\n`
      const member = (name: string, of: string) =>
        `      - { name: ${name}, subgraph_name: ${of}, routing_url: ${URL_OF}, schema: { file: i-a.graphql } }\n`
      const inputs = {
        'unknown key': `${base}colour: red\n`,
        'unknown subgraph_name': `${base}feature_flags:\n  - name: x\n    feature_graphs:\n${member('n', 'ghost')}`,
        'two replacements': `${base}feature_flags:\n  - name: x\n    feature_graphs:\n${member('n', 'a')}${member('m', 'a')}`,
      }
      const named = {
        'unknown key': /wrong\.yaml:4:\d+: .*"colour"/,
        'unknown subgraph_name': /wrong\.yaml:\d+:\d+: .*"ghost"/,
        'two replacements': /wrong\.yaml:\d+:\d+: .*("n".*"m"|"m".*"n"|"a")/,
      }
      for (const [what, text] of Object.entries(inputs)) {
        await file('wrong.yaml', text)
        const { stdout, stderr } = await cli(
          1,
          'router',
          'compose',
          '--input',
          'wrong.yaml',
          '--out',
          'wrong.json',
        )
        expect(stdout + stderr, what).toMatch(named[what as keyof typeof named])
      }
    },
  },
  {
    rules: ['command.router.verify'],
    it: 'router verify finds the engine and a stitched gateway of one mind about the shop, base and flag',
    async run({ cli, json, served }) {
      await served.waitForState('next', 'shop', 'served')
      await cli(0, 'config', 'fetch', 'shop', '--out', 'verify.json')
      const args = ['router', 'verify', '--execution-config', 'verify.json', '--operation-count', '20']
      const base = await cli(0, ...args)
      expect(base.stdout).toMatch(/20/)
      const flag = await json(0, ...args, '--flag', 'next')
      expect(flag.ok).toBe(true)
      await cli(1, ...args, '--flag', 'ghost')
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
