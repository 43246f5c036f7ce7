import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs } from '../world.ts'

const OTHER_URL = 'http://127.0.0.1:8/other'

export const changes: readonly Case[] = [
  {
    rules: ['trigger.flag-updated'],
    it: 'updating an enabled flag composes the graphs that it applied to and those that it applies to now',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.graph('h', 't=1,t=2')
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      const narrowed = await space.change('feature-flags', 'x', { labels: ['t=2'] })
      expect(narrowed.affectedGraphs).toEqual(['g', 'h'])
      expect(reportOf(narrowed)).toEqual(['g: unchanged', 'h with x: unchanged', 'h: unchanged'])
      expect(Object.keys(await space.states('x'))).toContain('h')
      await space.feature('b-next', 'b', sdlOf('b', 'b2'))
      const replaced = await space.change('feature-flags', 'x', { featureSubgraphs: ['b-next'] })
      expect(reportOf(replaced)).toEqual(['h with x: composed', 'h: unchanged'])
      const same = await space.change('feature-flags', 'x', {
        featureSubgraphs: ['b-next'],
        labels: ['t=2', 't=2'],
      })
      expect(same).toMatchObject({ changed: false, affectedGraphs: [] })
      await space.disable('x')
      expect((await space.change('feature-flags', 'x', { labels: [] })).affectedGraphs).toEqual([])
    },
  },
  {
    rules: ['flag.refusals', 'flag.refusal-changes-nothing', 'flag.empty-list'],
    it: 'updating a flag refuses what creating it refuses, with the same list, and changes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('a-too', 'a')
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const before = await space.flags()
      const path = space.path('feature-flags', 'x')
      const body = { labels: [], featureSubgraphs: ['a-next', 'a-too', 'b', 'ghost'] }
      const { code, problems } = await space.refused('PATCH', path, body)
      expect([code, problems?.length]).toEqual(['FEATURE_FLAG_INVALID', 3])
      expect((await space.refused('PATCH', path, { featureSubgraphs: [] })).code).toBe('FEATURE_FLAG_INVALID')
      expect((await space.refused('PATCH', path, {})).code).toBe('INVALID_REQUEST')
      const args = ['ff', 'update', 'x', '-n', space.name, '--fs', 'a-next', 'a-too']
      expect((await world.cli(1, ...args)).stderr).toContain('replace the same subgraph "a"')
      expect(await space.flags()).toEqual(before)
    },
  },
  {
    rules: ['trigger.flag-deleted'],
    it: 'deleting an enabled flag composes the graphs that it applied to; a disabled one none',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('on', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.flag('off', ['a-next'], { labels: ['t=1'] })
      expect(await space.remove('feature-flags', 'off')).toMatchObject({ changed: true, affectedGraphs: [] })
      const removed = await space.remove('feature-flags', 'on')
      expect(reportOf(removed)).toEqual(['g: unchanged'])
      expect(await space.flags()).toEqual([])
      expect((await space.refused('DELETE', space.path('feature-flags', 'on'))).code).toBe('NOT_FOUND')
      expect(await space.subgraphs()).toHaveLength(3)
    },
  },
  {
    rules: ['trigger.base-updated', 'trigger.replaced-base-reused'],
    it: 'a new routing URL composes the graphs that contain the subgraph; who replaces it is reused',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      const moved = await space.change('subgraphs', 'a', { routingUrl: OTHER_URL })
      expect(reportOf(moved)).toEqual(['g with x: unchanged', 'g: composed'])
      const movedNext = await space.change('subgraphs', 'a-next', { routingUrl: OTHER_URL })
      expect(reportOf(movedNext)).toEqual(['g with x: composed', 'g: unchanged'])
      expect(await space.change('subgraphs', 'a', { routingUrl: OTHER_URL })).toMatchObject({
        changed: false,
      })
      await space.disable('x')
      const alone = await space.change('subgraphs', 'a-next', { routingUrl: `${OTHER_URL}/2` })
      expect(alone).toMatchObject({ changed: true, affectedGraphs: [] })
    },
  },
  {
    rules: ['trigger.base-relabelled', 'applies.bases', 'feature-subgraph.no-labels'],
    it: 'new labels compose the graphs that the subgraph leaves and enters, and take flags along',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.graph('h', 't=2')
      await space.graph('unrelated', 't=3')
      await space.flag('x', ['a-next'], { labels: ['t=1', 't=2'], enabled: true })
      const moved = await space.change('subgraphs', 'a', { labels: ['t=2'] })
      expect(moved.affectedGraphs).toEqual(['g', 'h'])
      expect(reportOf(moved)).toEqual([
        'g: composed',
        'h with x: composed',
        // What it was composed from is what "g" was composed from at first, yet new to it.
        'h: composed',
      ])
      expect(moved.warnings).toEqual([
        '"x" does not apply to federated graph "g": it replaces "a", which takes no part in that graph.',
      ])
      expect(await space.graphs()).toEqual({ g: ['b'], h: ['a'], unrelated: [] })
      const refused = await space.refused('PATCH', space.path('subgraphs', 'a-next'), { labels: ['t=2'] })
      expect(refused.code).toBe('INVALID_REQUEST')
      const emptied = await space.change('subgraphs', 'a', { labels: [] })
      expect(reportOf(emptied)).toEqual(['h: empty'])
      expect(emptied.warnings.join('\n')).toContain('Nothing can be composed for "h" now')
    },
  },
  {
    rules: ['delete.base', 'delete.flag-left-empty', 'trigger.base-deleted'],
    it: 'deleting a base takes its feature subgraphs along; flags lose them, an empty flag stays',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b', sdlOf('b', 'b2'))
      await space.flag('both', ['a-next', 'b-next'], { labels: ['t=1'], enabled: true })
      await space.flag('one', ['a-next'], { labels: ['t=1'], enabled: true })
      const removed = await space.remove('subgraphs', 'a')
      expect(removed.message).toContain(
        '"a" was deleted, and with it the feature subgraphs that replace it: "a-next"',
      )
      expect(removed.message).toContain('Feature flag "one" lost "a-next" and has no member left')
      expect(reportOf(removed)).toEqual(['g with both: composed', 'g: composed'])
      expect((await space.subgraphs()).map(({ name }) => name)).toEqual(['b', 'b-next'])
      expect(await space.flags()).toMatchObject([
        { name: 'both', featureSubgraphs: ['b-next'], enabled: true },
        { name: 'one', featureSubgraphs: [], enabled: true },
      ])
      await space.waitForState('one', 'g', 'not served: it has no feature subgraph any more')
      const member = await space.remove('subgraphs', 'b-next')
      expect(reportOf(member)).toEqual(['g: unchanged'])
      const last = await space.remove('subgraphs', 'b')
      expect(reportOf(last)).toEqual(['g: empty'])
    },
  },
  {
    rules: ['trigger.matchers-changed', 'matcher.none'],
    it: 'new matchers compose that graph alone',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.publish('bare', sdlOf('bare'), [])
      await space.graph('h', 't=1')
      const changed = await space.change('graphs', 'g', { labelMatchers: [] })
      expect(changed.affectedGraphs).toEqual(['g'])
      expect(await space.graphs()).toEqual({ g: ['bare'], h: ['a', 'b'] })
      expect(await space.change('graphs', 'g', { labelMatchers: [] })).toMatchObject({ changed: false })
      const emptied = await space.change('graphs', 'g', { labelMatchers: ['t=9'] })
      expect(reportOf(emptied)).toEqual(['g: empty'])
    },
  },
  {
    rules: ['failure.removals.deleted', 'failure.removals-go-out', 'broken-base.served-flag-stays'],
    it: 'flags that are deleted or relabelled leave the routers although the base fails; others stay',
    async run({ served, shop, routersAnswer }) {
      const members = ['catalogue-next', 'stock-next']
      for (const name of ['deleted', 'relabelled']) {
        await served.flag(name, members, { labels: ['team=shop'], enabled: true })
        await routersAnswer('next', { 'X-Feature-Flag': name })
      }
      const broken = `${shop.users.sdl}\nextend type User { reviews: Int }\ntype Review { text: Int }`
      expect(reportOf(await served.publish('users', broken))).toContain('shop: failed')
      await served.remove('feature-flags', 'deleted')
      await routersAnswer('base', { 'X-Feature-Flag': 'deleted' })
      await served.change('feature-flags', 'relabelled', { labels: ['team=nobody'] })
      await routersAnswer('base', { 'X-Feature-Flag': 'relabelled' })
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await routersAnswer('base')
      await served.publish('users', shop.users.sdl)
      await served.remove('feature-flags', 'relabelled')
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
    },
  },
  {
    rules: ['delete.base', 'failure.flag-leaves'],
    it: 'a flag whose feature subgraphs are deleted is not served any more, until it has others',
    async run({ served, shop, routersAnswer }) {
      const make = async (name: string, subgraph: string, url: string, sdl: string): Promise<void> => {
        await served.write('POST', served.path('feature-subgraphs'), { name, routingUrl: url, subgraph })
        await served.publish(name, sdl)
      }
      await make('catalogue-too', 'catalogue', shop.catalogueNext.url, shop.catalogueNext.sdl)
      await make('stock-too', 'stock', shop.stockNext.url, shop.stockNext.sdl)
      await served.flag('too', ['catalogue-too', 'stock-too'], { labels: ['team=shop'], enabled: true })
      await routersAnswer('next', { 'X-Feature-Flag': 'too' })
      await served.remove('subgraphs', 'catalogue-too')
      await served.remove('subgraphs', 'stock-too')
      await routersAnswer('base', { 'X-Feature-Flag': 'too' })
      await served.change('feature-flags', 'too', { featureSubgraphs: ['catalogue-next', 'stock-next'] })
      await routersAnswer('next', { 'X-Feature-Flag': 'too' })
      await served.remove('feature-flags', 'too')
      await routersAnswer('base', { 'X-Feature-Flag': 'too' })
    },
  },
  {
    rules: ['wait.pending'],
    it: 'a write that does not wait is answered as pending, and done all the same',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const path = `${space.path('feature-flags', 'x', 'enable')}?wait=0`
      const enabled = await space.write('POST', path)
      expect(enabled).toMatchObject({ changed: true, affectedGraphs: ['g'] })
      expect(enabled.pending).toBe(enabled.compositions.length === 0)
      await space.waitForState('x', 'g', 'served')
    },
  },
]
