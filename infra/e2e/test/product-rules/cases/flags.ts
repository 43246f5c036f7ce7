import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

export const flags: readonly Case[] = [
  {
    rules: ['applies.labels', 'applies.namespace'],
    it: 'a flag applies to the graphs of its namespace whose matchers its labels satisfy',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.graph('same', 't=1,t=9')
      await space.graph('other', 't=2')
      const elsewhere = await twoSubgraphs(world)
      const created = await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      expect(created.affectedGraphs).toEqual(['g', 'same'])
      expect(Object.keys(await space.states('x'))).toEqual(['g', 'same'])
      expect(await elsewhere.flags()).toEqual([])
      const nowhere = await space.flag('y', ['a-next'], { labels: ['t=3'], enabled: true })
      expect(nowhere).toMatchObject({ affectedGraphs: [], compositions: [] })
      expect(nowhere.warnings).toEqual([
        '"y" applies to no federated graph now, so nothing is composed with it.',
      ])
    },
  },
  {
    rules: ['applies.bases'],
    it: 'a flag that replaces a subgraph of another graph does not apply, and says which one is missing',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.publish('far', sdlOf('far'), ['t=2'])
      await space.feature('far-next', 'far', sdlOf('far', 'far2'))
      const created = await space.flag('x', ['a-next', 'far-next'], { labels: ['t=1'], enabled: true })
      expect(created).toMatchObject({ affectedGraphs: [], compositions: [] })
      expect(created.warnings[0]).toContain('does not apply to federated graph "g": it replaces "far"')
      expect(await space.states('x')).toEqual({
        g: 'not served: it replaces "far", which takes no part in this graph',
      })
    },
  },
  {
    rules: ['applies.base-published'],
    it: 'a flag applies once the base that it replaces has a published schema',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.write('POST', space.path('subgraphs'), {
        name: 'late',
        routingUrl: URL_OF,
        labels: ['t=1'],
      })
      await space.feature('late-next', 'late', sdlOf('late', 'late2'))
      const created = await space.flag('x', ['late-next'], { labels: ['t=1'], enabled: true })
      expect(created.compositions).toEqual([])
      expect(reportOf(await space.publish('late', sdlOf('late')))).toEqual([
        'g with x: composed',
        'g: composed',
      ])
    },
  },
  {
    rules: ['applies.published', 'applies.unpublished-left-out'],
    it: 'unpublished feature subgraphs are left out with a warning; without a published one the flag does not apply',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b')
      const none = await space.flag('none', ['b-next'], { labels: ['t=1'], enabled: true })
      expect(none.compositions).toEqual([])
      expect(none.warnings[0]).toBe(
        'Feature subgraph "b-next" has no published schema and is left out of "none" until it has.',
      )
      expect(await space.states('none')).toEqual({
        g: 'not served: none of its feature subgraphs has a published schema',
      })
      const some = await space.flag('some', ['a-next', 'b-next'], { labels: ['t=1'], enabled: true })
      expect(reportOf(some)).toEqual(['g with some: composed', 'g: unchanged'])
      expect(some.warnings).toEqual([
        'Feature subgraph "b-next" has no published schema and is left out of "some" until it has.',
      ])
      expect(reportOf(await space.publish('b-next', sdlOf('b', 'b2')))).toEqual([
        'g with none: composed',
        'g with some: composed',
        'g: unchanged',
      ])
    },
  },
  {
    rules: [
      'flag.refusals',
      'flag.refusal-changes-nothing',
      'flag.duplicate-name',
      'flag.same-base',
      'flag.other-namespace',
      'exit.refused',
    ],
    it: 'creating a flag lists all problems at once, numbered, and changes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      const other = await world.space()
      await other.publish('base', sdlOf('x'), [])
      await other.feature('theirs', 'base', sdlOf('x', 'y'))
      await space.feature('a-too', 'a', sdlOf('a', 'a4'))
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const before = await space.flags()
      const members = ['a-next', 'a-too', 'b', 'theirs', 'constructor']
      const expected = [
        /flag "x" .* already/,
        /"b" is a subgraph, not a feature subgraph/,
        /no feature subgraph "theirs"/,
        /no feature subgraph "constructor"/,
        /"a-next" and "a-too" replace the same subgraph "a"/,
      ]
      const body = { name: 'x', featureSubgraphs: members, labels: ['t=1'], enabled: true }
      const { status, code, detail, problems } = await space.refused(
        'POST',
        space.path('feature-flags'),
        body,
      )
      expect([status, code, problems?.length]).toEqual([422, 'FEATURE_FLAG_INVALID', expected.length])
      for (const problem of expected) expect(problems?.join('\n')).toMatch(problem)
      expect(detail).toBe('Feature flag "x" was not created, and nothing was changed: 5 problems.')
      const own = ['-n', space.name, '--label', 't=1']
      const { stderr } = await world.cli(1, 'ff', 'create', 'x', ...own, '--fs', ...members)
      for (const problem of expected) expect(stderr).toMatch(problem)
      expect(stderr).toMatch(/\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n {2}4\. .*\n {2}5\. /)
      expect(await space.flags()).toEqual(before)
    },
  },
  {
    rules: ['flag.empty-list'],
    it: 'a flag needs at least one feature subgraph',
    async run(world) {
      const space = await twoSubgraphs(world)
      const refused = await space.refused('POST', space.path('feature-flags'), {
        name: 'x',
        featureSubgraphs: [],
      })
      expect([refused.status, refused.code]).toEqual([422, 'FEATURE_FLAG_INVALID'])
      await world.cli(2, 'ff', 'create', 'x', '-n', space.name)
      await world.cli(2, 'ff', 'create', 'x', '-n', space.name, '--fs', ' ')
      expect(await space.flags()).toEqual([])
    },
  },
  {
    rules: ['feature-subgraph.no-labels'],
    it: 'labels for a feature subgraph are refused wherever they can be given',
    async run(world) {
      const space = await twoSubgraphs(world)
      const created = { name: 'n', routingUrl: URL_OF, subgraph: 'a', labels: ['t=1'] }
      expect((await space.refused('POST', space.path('feature-subgraphs'), created)).code).toBe(
        'INVALID_REQUEST',
      )
      const path = space.path('subgraphs', 'a-next', 'schema')
      const published = await space.refused('PUT', path, { sdl: sdlOf('a', 'z'), labels: ['t=1'] })
      expect(published.code).toBe('INVALID_REQUEST')
      expect(published.detail).toContain('no labels')
      const args = ['--subgraph', 'a', '--routing-url', URL_OF, '-n', space.name, '--label', 't=1']
      expect((await world.cli(2, 'fs', 'create', 'n', ...args)).stderr).toContain('no labels')
      expect(await space.subgraphs()).toHaveLength(3)
    },
  },
  {
    rules: [
      'feature-subgraph.base-exists',
      'feature-subgraph.base-same-namespace',
      'feature-subgraph.base-is-base',
      'exit.refused',
    ],
    it: 'the base of a feature subgraph exists, is in its namespace and is no feature subgraph',
    async run(world) {
      const space = await twoSubgraphs(world)
      const other = await world.space()
      await other.publish('theirs', sdlOf('x'), [])
      for (const subgraph of ['ghost', 'theirs', 'a-next', 'n']) {
        const body = { name: 'n', routingUrl: URL_OF, subgraph }
        const { status, code } = await space.refused('POST', space.path('feature-subgraphs'), body)
        expect([status, code], subgraph).toEqual([404, 'BASE_SUBGRAPH_NOT_FOUND'])
      }
      const args = ['-n', space.name, '--routing-url', URL_OF, '--subgraph', 'a-next']
      const { stderr } = await world.cli(1, 'fs', 'create', 'n', ...args)
      expect(stderr).toContain('Name the subgraph that it replaces: "a"')
      expect(await space.subgraphs()).toHaveLength(3)
    },
  },
  {
    rules: ['no-op.flag', 'exit.no-op'],
    it: 'switching a flag to what it is changes nothing and says so',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.waitForState('x', 'g', 'served')
      const before = await space.read(space.path('graphs'))
      const again = await space.enable('x')
      expect(again).toMatchObject({ changed: false, affectedGraphs: [], compositions: [], pending: false })
      expect(again.message).toBe('Feature flag "x" is enabled already; nothing was changed.')
      const { ok, result, compositions } = await world.json(0, 'ff', 'enable', 'x', '-n', space.name)
      expect([ok, result?.['changed'], compositions]).toEqual([true, false, []])
      expect(await space.read(space.path('graphs'))).toEqual(before)
      expect((await space.disable('x')).changed).toBe(true)
      expect((await space.disable('x')).changed).toBe(false)
    },
  },
  {
    rules: ['no-op.publish', 'exit.no-op'],
    it: 'publishing the same bytes changes nothing and says so; one more space is another schema',
    async run(world) {
      const space = await twoSubgraphs(world)
      expect(await space.publish('a', sdlOf('a'))).toMatchObject({
        changed: false,
        affectedGraphs: [],
        compositions: [],
      })
      await world.file('same.graphql', space.own(sdlOf('a')))
      const { stdout } = await world.cli(
        0,
        'subgraph',
        'publish',
        'a',
        '--schema',
        'same.graphql',
        '-n',
        space.name,
      )
      expect(stdout).toContain('nothing was changed')
      expect(await space.publish('a', `${sdlOf('a')} `)).toMatchObject({
        changed: true,
        affectedGraphs: ['g'],
      })
    },
  },
]
