import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

export const creatingCommands: readonly Case[] = [
  {
    rules: ['command.namespace', 'command.namespace.default', 'resource.namespace.default'],
    it: 'namespaces are created and listed; "default" is always among them and cannot be created',
    async run({ cli, json }) {
      const name = `made-${Date.now().toString(36)}`
      expect((await cli(0, 'namespace', 'create', name)).stdout).toContain(`Namespace "${name}" was created.`)
      expect((await json(1, 'namespace', 'create', name)).error?.code).toBe('ALREADY_EXISTS')
      expect((await json(1, 'namespace', 'create', 'default')).error?.code).toBe('ALREADY_EXISTS')
      const { result } = await json(0, 'namespace', 'list')
      expect(result?.['namespaces']).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'default' }),
          expect.objectContaining({ name }),
        ]),
      )
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
      // It stays pending until routers are told of a configuration without it.
      await space.waitForState('short', 'g', 'not served: the flag is disabled')
      const { stdout } = await world.cli(0, 'feature-flag', 'list', ...own)
      expect(stdout).toMatch(/^long\s+new.*g: served$/m)
      expect(stdout).toMatch(/^short\s+disabled.*g: not served: the flag is disabled$/m)
    },
  },
]
