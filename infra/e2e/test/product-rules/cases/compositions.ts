import { expect } from 'vitest'
import { LINK, query, variantOf } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

export const compositions: readonly Case[] = [
  {
    rules: ['trigger.feature-subgraph-created', 'trigger.feature-subgraph-in-no-enabled-flag'],
    it: 'creating a feature subgraph, and publishing it while only disabled flags have it, composes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      expect(await space.feature('new', 'b')).toMatchObject({
        changed: true,
        affectedGraphs: [],
        compositions: [],
      })
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const published = await space.publish('a-next', sdlOf('a', 'a5'))
      expect(published).toMatchObject({ changed: true, affectedGraphs: [], compositions: [] })
      expect(published.warnings).toEqual([
        '"a-next" is in no enabled feature flag, so nothing is composed with it.',
      ])
    },
  },
  {
    rules: ['trigger.flag-enabled', 'trigger.flag-disabled', 'unchanged.reported'],
    it: 'switching a flag composes every graph that it applies to, and reports what did not change as such',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.graph('h', 't=1')
      await space.graph('unrelated', 't=2')
      await space.feature('b-next', 'b', sdlOf('b', 'b2'))
      await space.flag('other', ['b-next'], { labels: ['t=1'], enabled: true })
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const enabled = await space.enable('x')
      expect(enabled.affectedGraphs).toEqual(['g', 'h'])
      expect(reportOf(enabled)).toEqual([
        'g with other: unchanged',
        expect.stringMatching(/^g with x: (composed|unchanged)$/),
        'g: unchanged',
        'h with other: unchanged',
        expect.stringMatching(/^h with x: (composed|unchanged)$/),
        'h: unchanged',
      ])
      expect(reportOf(enabled).join()).toContain('x: composed')
      const disabled = await space.disable('x')
      expect(disabled.affectedGraphs).toEqual(['g', 'h'])
      expect(reportOf(disabled)).toEqual([
        'g with other: unchanged',
        'g: unchanged',
        'h with other: unchanged',
        'h: unchanged',
      ])
    },
  },
  {
    rules: ['trigger.feature-subgraph-in-enabled-flag'],
    it: 'publishing a feature subgraph composes the graphs of the enabled flags that have it',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.graph('h', 't=2')
      await space.flag('one', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.flag('two', ['a-next'], { labels: ['t=1'], enabled: true })
      const published = await space.publish('a-next', sdlOf('a', 'a6'))
      expect(published.affectedGraphs).toEqual(['g'])
      expect(reportOf(published).at(-1)).toBe('g: unchanged')
      expect(reportOf(published)).toHaveLength(3)
    },
  },
  {
    rules: ['trigger.base-published', 'trigger.replaced-base-reused', 'trigger.graph-created'],
    it: 'publishing a base composes the graphs that contain it; a flag that replaces it is reused',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b', sdlOf('b', 'b2'))
      await space.flag('replaces-a', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.flag('replaces-b', ['b-next'], { labels: ['t=1'], enabled: true })
      const created = await space.graph('empty', 't=2')
      expect(created.affectedGraphs).toEqual(['empty'])
      expect(reportOf(created)).toEqual(['empty: empty'])
      const published = await space.publish('a', sdlOf('a', 'a7'))
      expect(published.affectedGraphs).toEqual(['g'])
      expect(reportOf(published)).toEqual([
        'g with replaces-a: unchanged',
        'g with replaces-b: composed',
        'g: composed',
      ])
      expect((await space.graph('whole', 't=1')).affectedGraphs).toEqual(['whole'])
    },
  },
  {
    rules: [
      'failure.write-kept',
      'exit.composition-failed',
      'wait.reports',
      'errors.compiler-like',
      'errors.unrelated',
    ],
    it: 'a publish that does not compose is kept and says where: code, file, line, column and caret',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.publish('unrelated', sdlOf('u'), ['t=1'])
      await world.file('takes.graphql', `${LINK}\ntype Query {\n  b: String\n  own: Int\n}\n`)
      const args = ['subgraph', 'publish', 'a', '--schema', 'takes.graphql', '-n', space.name]
      const { stdout, stderr } = await world.cli(4, ...args)
      const text = stdout + stderr
      expect(stdout).toContain('The schema of "a" was published.')
      expect(text).toMatch(/[A-Z]+(_[A-Z]+)+/)
      expect(text).toMatch(/takes\.graphql:4:3/)
      expect(text).toMatch(/\n.*\|.*b: String\n.*\^/)
      expect(text).toMatch(/b:\d+:\d+/)
      expect(text).not.toContain('unrelated')
      const [published] = (await space.subgraphs()).filter(({ name }) => name === 'a')
      // Who publishes it once more hears of it once more.
      const again = await world.json(4, ...args)
      expect(again.result?.['changed']).toBe(false)
      expect(published?.['schema']).toMatch(/^[0-9a-f]{64}$/)
      expect((await space.read(space.path('graphs')))['graphs']).toMatchObject([{ base: 'failed' }])
    },
  },
  {
    rules: ['exit.older-failure'],
    it: 'a failure that was there before is a warning and does not count',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b', sdlOf('b', 'a'))
      await space.flag('broken', ['b-next'], { labels: ['t=1'], enabled: true })
      await space.flag('fine', ['a-next'], { labels: ['t=1'] })
      const { stdout, stderr } = await world.cli(0, 'ff', 'enable', 'fine', '-n', space.name)
      expect(stdout).toMatch(/g with flag broken +failed before, unchanged/)
      expect(stderr).toContain('warning: g with flag broken still fails as before')
    },
  },
  {
    rules: [
      'failure.base-keeps-last-good',
      'failure.removals-go-out',
      'failure.additions-wait',
      'broken-base.served-flag-stays',
      'broken-base.new-flag-waits',
      'flag.needs-both',
    ],
    it: 'while the base is broken the last good one is served, removals go out, additions wait',
    async run({ served, system, shop, routersAnswer }) {
      const members = ['catalogue-next', 'stock-next']
      await served.flag('waits', members, { labels: ['team=shop'] })
      await served.flag('leaves', members, { labels: ['team=shop'], enabled: true })
      await routersAnswer('next', { 'X-Feature-Flag': 'leaves' })
      await served.waitForState('leaves', 'shop', 'served')

      // Not shareable in the reviews, which no flag replaces: base and flags fail alike.
      const broken = await served.publish(
        'users',
        `${shop.users.sdl}\nextend type User { reviews: Int }\ntype Review { text: Int }`,
      )
      expect(reportOf(broken)).toContain('shop: failed')
      await routersAnswer('base')
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await served.waitForState('next', 'shop', 'served')

      const removed = await served.disable('leaves')
      expect(reportOf(removed)).toContain('shop: failed')
      await routersAnswer('base', { 'X-Feature-Flag': 'leaves' })
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })

      const added = await served.enable('waits')
      expect(added.compositions.map(({ featureFlag }) => featureFlag)).toContain('waits')
      await served.waitForState('waits', 'shop', 'not served: the base composition fails')
      for (const url of system.routerUrls) {
        expect(variantOf(await query(url, { 'X-Feature-Flag': 'waits' }))).toBe('base')
      }
      await routersAnswer('base')

      await served.publish('users', shop.users.sdl)
      await routersAnswer('next', { 'X-Feature-Flag': 'waits' })
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await served.waitForState('waits', 'shop', 'served')
      await served.disable('waits')
    },
  },
  {
    rules: ['wait.live', 'wait.reports'],
    it: 'a write tells what was composed and on how many routers it is live',
    async run({ served, system, cli, json, routersAnswer }) {
      await served.disable('next')
      const { stdout } = await cli(0, 'ff', 'enable', 'next')
      expect(stdout).toMatch(/^Feature flag "next" was enabled\.$/m)
      expect(stdout).toMatch(/^ +shop +unchanged$/m)
      expect(stdout).toMatch(/^ +shop with flag next +composed(, as known from before)?$/m)
      const count = system.routerUrls.length
      expect(stdout).toContain(`live on ${count}/${count} router`)
      await routersAnswer('next', { 'X-Feature-Flag': 'next' })
      const off = await json(0, 'ff', 'disable', 'next')
      expect(off.routers).toEqual({ serving: count, total: count, verified: true })
      await routersAnswer('base', { 'X-Feature-Flag': 'next' })
      await served.enable('next')
    },
  },
  {
    rules: ['wait.no-wait'],
    it: '--no-wait answers before the compositions and exits 0',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const { stdout } = await world.cli(0, 'ff', 'enable', 'x', '-n', space.name, '--no-wait')
      expect(stdout).toMatch(/Not waiting for the compositions|g with flag x/)
      await world.cli(2, 'ff', 'enable', 'x', '-n', space.name, '--no-wait', '--require-composed')
      const body = { name: 'h', labelMatchers: ['t=1'] }
      const created = await space.write('POST', `${space.path('graphs')}?wait=0`, body)
      expect(created.affectedGraphs).toEqual(['h'])
      await space.write('POST', space.path('subgraphs'), { name: 'c', routingUrl: URL_OF })
    },
  },
]
