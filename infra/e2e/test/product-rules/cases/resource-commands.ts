import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

export const resourceCommands: readonly Case[] = [
  {
    rules: ['delete.confirm', 'option.namespace'],
    it: 'deletes refuse where nobody can be asked, name --force, and do it with --force or -f',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      await space.flag('x', ['a-next'])
      const deletes = [
        ['ff', 'delete', 'x', ...own],
        ['fs', 'delete', 'a-next', ...own],
        ['subgraph', 'delete', 'a', ...own],
        ['graph', 'delete', 'g', ...own],
        ['namespace', 'delete', space.name],
      ]
      for (const line of deletes) {
        expect((await world.cli(2, ...line)).stderr, line.join(' ')).toContain('--force')
      }
      expect((await space.flags()).length + (await space.subgraphs()).length).toBe(4)
      for (const [at, line] of deletes.entries()) await world.cli(0, ...line, at % 2 === 0 ? '--force' : '-f')
      const { result } = await world.json(0, 'namespace', 'list')
      expect(JSON.stringify(result)).not.toContain(space.name)
    },
  },
  {
    rules: ['command.namespace.delete'],
    it: 'namespace delete removes everything in it, and never "default"',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      await world.cli(0, 'namespace', 'delete', space.name, '--force')
      expect((await world.json(1, 'subgraph', 'list', '-n', space.name)).error?.code).toBe('NOT_FOUND')
      await world.cli(0, 'namespace', 'create', space.name)
      expect([await space.flags(), await space.subgraphs(), await space.graphs()]).toEqual([[], [], {}])
      expect((await world.json(1, 'namespace', 'delete', 'default', '-f')).error?.code).toBe(
        'NAMESPACE_PROTECTED',
      )
      expect(Object.keys(await world.served.graphs())).toContain('shop')
    },
  },
  {
    rules: ['command.graph.update', 'command.graph.get', 'command.graph.delete'],
    it: 'graph update replaces or removes matchers, get shows it, delete removes it',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      await space.publish('bare', sdlOf('bare'), [])
      await world.cli(0, 'graph', 'update', 'g', '--label-matcher', 't=1,t=2', 'e=1', ...own)
      expect(await space.graphs()).toEqual({ g: [] })
      const unset = await world.cli(0, 'federated-graph', 'update', 'g', '--unset-label-matchers', ...own)
      expect(unset.stdout).toContain('Federated graph "g" was updated.')
      await world.cli(2, 'graph', 'update', 'g', ...own)
      await world.cli(2, 'graph', 'update', 'g', '--unset-label-matchers', '--label-matcher', 't=1', ...own)
      const { result } = await world.json(0, 'graph', 'get', 'g', ...own)
      expect(result).toMatchObject({
        name: 'g',
        labelMatchers: [],
        subgraphs: ['bare'],
        base: 'composed',
        pinnedRevision: null,
      })
      await world.cli(0, 'graph', 'delete', 'g', '-f', ...own)
      expect((await world.json(1, 'graph', 'get', 'g', ...own)).error?.code).toBe('NOT_FOUND')
      expect(await space.subgraphs()).toHaveLength(4)
    },
  },
  {
    rules: ['command.graph.fetch', 'resource.composition'],
    it: 'graph fetch writes the supergraphs, the schemas and the execution config with every flag',
    async run({ cli, file, system, served }) {
      await served.waitForState('next', 'shop', 'served')
      await cli(0, 'graph', 'fetch', 'shop', '--out', 'fetched')
      const folder = join(system.folder, 'fetched')
      const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as {
        base: { subgraphs: { name: string }[] }
        featureFlags: Record<string, { subgraphs: { name: string }[] }>
      }
      expect(config.base.subgraphs.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['catalogue', 'stock', 'users']),
      )
      expect(config.featureFlags['next']?.subgraphs.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['catalogue-next', 'stock-next', 'users']),
      )
      expect(await readFile(join(folder, 'supergraph.graphql'), 'utf8')).toContain('nameVariant')
      expect(await readFile(join(folder, 'supergraphs/next.graphql'), 'utf8')).toContain('badge')
      expect(await readdir(join(folder, 'subgraphs'))).toEqual(
        expect.arrayContaining(['catalogue.graphql', 'catalogue-next.graphql', 'users.graphql']),
      )
      const query = await file('fetched.graphql', '{ products { nameVariant stockVariant } }')
      await cli(0, 'plan', '--execution-config', 'fetched/config.json', '--query', query)
    },
  },
  {
    rules: ['command.subgraph.update', 'command.subgraph.get', 'command.subgraph.delete'],
    it: 'subgraph update, get and delete do what they say',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      const url = 'http://127.0.0.1:8/moved'
      await world.cli(0, 'subgraph', 'update', 'a', '--routing-url', url, '--label', 't=1', 'u=1', ...own)
      const { result } = await world.json(0, 'subgraph', 'get', 'a', ...own)
      expect(result).toMatchObject({
        name: 'a',
        routingUrl: url,
        labels: ['t=1', 'u=1'],
        published: true,
        graphs: ['g'],
        featureSubgraphs: ['a-next'],
      })
      const schema = await world.cli(0, 'subgraph', 'get', 'a', '--schema', ...own)
      expect(schema.stdout).toContain('type Query { a: Int }')
      await world.cli(0, 'subgraph', 'update', 'a', '--unset-labels', ...own)
      expect(await space.graphs()).toEqual({ g: ['b'] })
      await world.cli(2, 'subgraph', 'update', 'a', ...own)
      await world.cli(2, 'subgraph', 'update', 'a', '--label', 'x=1', '--unset-labels', ...own)
      const removed = await world.cli(0, 'subgraph', 'delete', 'a', '--force', ...own)
      expect(removed.stdout).toContain('"a-next"')
      expect((await space.subgraphs()).map(({ name }) => name)).toEqual(['b'])
      await world.cli(1, 'subgraph', 'delete', 'a', '--force', ...own)
    },
  },
  {
    rules: ['command.feature-subgraph.update', 'feature-subgraph.no-labels'],
    it: 'fs update and delete change feature subgraphs and leave subgraphs alone',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      const url = 'http://127.0.0.1:8/moved'
      await world.cli(0, 'feature-subgraph', 'update', 'a-next', '--routing-url', url, ...own)
      expect((await space.subgraphs()).find(({ name }) => name === 'a-next')).toMatchObject({
        routingUrl: url,
        base: 'a',
      })
      const wrong = await world.json(1, 'fs', 'update', 'a', '--routing-url', url, ...own)
      expect(wrong.error?.code).toBe('FEATURE_SUBGRAPH_EXPECTED')
      expect((await world.json(1, 'fs', 'delete', 'a', '-f', ...own)).error?.code).toBe(
        'FEATURE_SUBGRAPH_EXPECTED',
      )
      const labelled = await world.cli(1, 'subgraph', 'update', 'a-next', '--label', 't=1', ...own)
      expect(labelled.stderr).toContain('no labels')
      await world.cli(0, 'fs', 'delete', 'a-next', '-f', ...own)
      expect((await space.subgraphs()).map(({ name }) => name)).toEqual(['a', 'b'])
    },
  },
  {
    rules: ['command.feature-flag.update', 'command.feature-flag.get', 'command.feature-flag.delete'],
    it: 'ff update replaces members and labels, get shows state and compositions, delete removes the flag',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      await space.feature('b-next', 'b', sdlOf('b', 'b2'))
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      await world.cli(0, 'ff', 'update', 'x', '--fs', 'b-next', ...own)
      await space.waitForState('x', 'g', 'served')
      const { result, compositions } = await world.json(0, 'feature-flag', 'get', 'x', ...own)
      expect(result).toMatchObject({
        name: 'x',
        labels: ['t=1'],
        featureSubgraphs: ['b-next'],
        enabled: true,
        graphs: [{ graph: 'g', state: 'served' }],
      })
      expect(compositions).toMatchObject([{ graph: 'g', featureFlag: 'x', errors: [] }])
      await world.cli(0, 'ff', 'update', 'x', '--unset-labels', ...own)
      expect(await space.flags()).toMatchObject([{ labels: [], featureSubgraphs: ['b-next'] }])
      await world.cli(0, 'ff', 'update', 'x', '--label', 't=1 t=2', ...own)
      expect(await space.flags()).toMatchObject([{ labels: ['t=1', 't=2'] }])
      await world.cli(2, 'ff', 'update', 'x', ...own)
      await world.cli(0, 'ff', 'delete', 'x', '-f', ...own)
      expect((await world.json(1, 'ff', 'get', 'x', ...own)).error?.code).toBe('NOT_FOUND')
    },
  },
  {
    rules: ['command.graph.get', 'failure.state-visible', 'errors.compiler-like'],
    it: 'graph get and ff get show why a flag is not served, with the errors',
    async run(world) {
      const space = await twoSubgraphs(world)
      const own = ['-n', space.name]
      await space.feature('b-next', 'b', sdlOf('b', 'a'))
      await space.flag('x', ['b-next'], { labels: ['t=1'], enabled: true })
      await space.waitForState('x', 'g', /^not served: its composition fails/)
      const shown = [
        await world.cli(0, 'graph', 'get', 'g', ...own),
        await world.cli(0, 'ff', 'get', 'x', ...own),
      ]
      for (const { stdout } of shown) {
        expect(stdout).toContain('not served: its composition fails')
        expect(stdout).toContain('INVALID_FIELD_SHARING')
        expect(stdout).toMatch(/b-next:\d+:\d+/)
      }
      await space.write('POST', space.path('subgraphs'), { name: 'c', routingUrl: URL_OF })
    },
  },
]
