import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

export const resources: readonly Case[] = [
  {
    rules: ['resource.graph', 'resource.subgraph'],
    it: 'a graph holds the published subgraphs whose labels match, and lists say what each is',
    async run(world) {
      const space = await world.space()
      await space.graph('g', 't=1')
      await space.publish('in', sdlOf('a'), ['t=1', 'more=x'])
      await space.publish('out', sdlOf('b'), ['t=2'])
      await space.write('POST', space.path('subgraphs'), {
        name: 'later',
        routingUrl: URL_OF,
        labels: ['t=1'],
      })
      expect(await space.graphs()).toEqual({ g: ['in'] })
      expect(await space.subgraphs()).toMatchObject([
        { name: 'in', routingUrl: URL_OF, labels: ['more=x', 't=1'], published: true, base: null },
        { name: 'later', published: false, schema: null },
        { name: 'out', labels: ['t=2'] },
      ])
      await space.publish('later', sdlOf('c'))
      expect(await space.graphs()).toEqual({ g: ['in', 'later'] })
    },
  },
  {
    rules: ['resource.feature-subgraph.alone', 'feature-subgraph.publish-alone'],
    it: 'a feature subgraph that is in no flag changes no graph and composes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      const published = await space.publish('a-next', sdlOf('a', 'a3'))
      expect(published).toMatchObject({ changed: true, affectedGraphs: [], compositions: [] })
      expect(await space.graphs()).toEqual({ g: ['a', 'b'] })
    },
  },
  {
    rules: ['resource.feature-subgraph.shared', 'resource.flag', 'resource.flag.independent'],
    it: 'two flags share a feature subgraph and are switched independently of each other',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('one', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.flag('two', ['a-next'], { labels: ['t=1'], enabled: true })
      expect(reportOf(await space.disable('one'))).toEqual(['g with two: unchanged', 'g: unchanged'])
      expect(await space.flags()).toMatchObject([
        { name: 'one', labels: ['t=1'], featureSubgraphs: ['a-next'], enabled: false },
        { name: 'two', labels: ['t=1'], featureSubgraphs: ['a-next'], enabled: true },
      ])
      expect(reportOf(await space.enable('one'))).toEqual([
        'g with one: unchanged',
        'g with two: unchanged',
        'g: unchanged',
      ])
    },
  },
  {
    rules: ['resource.composition', 'resource.flag.independent'],
    it: 'routers get one config with the base and every enabled flag, and flags come and go one by one',
    async run({ served, routersAnswer }) {
      await served.flag('again', ['catalogue-next', 'stock-next'], { labels: ['team=shop'], enabled: true })
      await routersAnswer('next', { 'X-Feature-Flag': 'again' })
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await served.disable('next')
      await routersAnswer('base', { 'X-Feature-Flag': 'next' })
      await routersAnswer('next', { 'X-Feature-Flag': 'again' })
      await served.enable('next')
      await served.disable('again')
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await routersAnswer('base', { 'X-Feature-Flag': 'again' })
      await routersAnswer('base')
    },
  },
  {
    rules: ['flag.created-disabled', 'trigger.flag-created-disabled'],
    it: 'a flag is created disabled, and that composes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      const created = await space.flag('x', ['a-next'], { labels: ['t=1'] })
      expect(created).toMatchObject({ changed: true, affectedGraphs: [], compositions: [] })
      expect(await space.flags()).toMatchObject([{ name: 'x', enabled: false }])
      expect(await space.states('x')).toEqual({ g: 'not served: the flag is disabled' })
    },
  },
  {
    rules: ['flag.created-enabled', 'trigger.flag-created-enabled', 'unchanged.reported'],
    it: 'a flag created enabled composes the base again and the flag',
    async run(world) {
      const space = await twoSubgraphs(world)
      const created = await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      expect(created.affectedGraphs).toEqual(['g'])
      expect(reportOf(created)).toEqual(['g with x: composed', 'g: unchanged'])
      expect(await space.flags()).toMatchObject([{ name: 'x', enabled: true }])
    },
  },
  {
    rules: ['flag.active', 'select.disabled', 'applies.enabled'],
    it: 'feature subgraphs answer while their flag is enabled and not while it is disabled',
    async run({ served, routersAnswer }) {
      await served.disable('next')
      await routersAnswer('base', { 'X-Feature-Flag': 'next' })
      expect((await served.states('next'))['shop']).toMatch(/^(pending|not served: the flag is disabled)$/)
      await served.enable('next')
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await served.waitForState('next', 'shop', 'served')
    },
  },
  {
    rules: ['flag.needs-both', 'failure.flag-leaves', 'failure.flag-returns', 'failure.state-visible'],
    it: 'a flag that does not compose is not served, stays enabled, and returns when it composes',
    async run({ served, shop, routersAnswer }) {
      const broken = await served.publish(
        'stock-next',
        shop.stock.sdl.replace('inStock: Int!', 'reviews: [String!]!'),
      )
      expect(reportOf(broken)).toEqual(['shop with next: failed', 'shop: unchanged'])
      await routersAnswer('base', { 'X-Feature-Flag': 'next' })
      await routersAnswer('base')
      const [flag] = (await served.flags()).filter(({ name }) => name === 'next')
      expect(flag?.enabled).toBe(true)
      await served.waitForState('next', 'shop', /^not served: its composition fails \(.+\)$/)
      expect(reportOf(await served.publish('stock-next', shop.stockNext.sdl))).toContain(
        'shop with next: composed',
      )
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await served.waitForState('next', 'shop', 'served')
    },
  },
]
