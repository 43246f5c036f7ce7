import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs } from '../world.ts'

export const checks: readonly Case[] = [
  {
    rules: ['command.subgraph.check', 'exit.refused'],
    it: 'subgraph check composes every affected graph and flag, exits 1 when one fails, and writes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.feature('b-next', 'b', sdlOf('b', 'clash'))
      await space.flag('x', ['b-next'], { labels: ['t=1'], enabled: true })
      await space.waitForState('x', 'g', 'served')
      const before = [await space.subgraphs(), await space.flags(), await space.read(space.path('graphs'))]
      const check = ['subgraph', 'check', 'a', '-n', space.name, '--schema']
      await world.file('fine.graphql', sdlOf('a', 'a9'))
      const fine = await world.json(0, ...check, 'fine.graphql')
      expect(reportOf(fine)).toEqual(['g with x: composed', 'g: composed'])
      await world.file('clash.graphql', sdlOf('a', 'clash'))
      const failing = await world.cli(1, ...check, 'clash.graphql')
      expect(failing.stdout + failing.stderr).toMatch(/clash\.graphql:\d+:\d+/)
      const report = await world.json(1, ...check, 'clash.graphql')
      expect([report.ok, reportOf(report)]).toEqual([false, ['g with x: failed', 'g: composed']])
      expect([await space.subgraphs(), await space.flags(), await space.read(space.path('graphs'))]).toEqual(
        before,
      )
    },
  },
  {
    rules: ['command.subgraph.check-breaking'],
    it: 'subgraph check exits 1 on a breaking change of the client schema, for base and for flags',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.publish('a', sdlOf('a', 'gone'))
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.waitForState('x', 'g', 'served')
      await world.file('breaking.graphql', sdlOf('a'))
      const own = ['--schema', 'breaking.graphql', '-n', space.name]
      const base = await world.cli(1, 'subgraph', 'check', 'a', ...own)
      expect(base.stdout).toMatch(/Query\.gone|'gone'|"gone"/)
      const flag = await world.cli(1, 'fs', 'check', 'a-next', ...own)
      expect(flag.stdout).toContain('a2')
      await world.cli(0, 'subgraph', 'check', 'a', ...own, '--allow-breaking')
      await world.file('wider.graphql', sdlOf('a', 'gone', 'wider'))
      await world.cli(0, 'subgraph', 'check', 'a', '--schema', 'wider.graphql', '-n', space.name)
      await world.cli(1, 'subgraph', 'check', 'b', '--delete', '-n', space.name)
      await world.cli(2, 'subgraph', 'check', 'a', '-n', space.name)
      await world.cli(1, 'subgraph', 'check', 'ghost', '--schema', 'wider.graphql', '-n', space.name)
    },
  },
  {
    rules: ['command.feature-flag.diff'],
    it: 'ff diff tells what clients see otherwise with the flag, enabled or not',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'] })
      const off = await world.cli(0, 'ff', 'diff', 'x', '-n', space.name)
      expect(off.stdout).toContain('a2')
      await space.enable('x')
      await space.waitForState('x', 'g', 'served')
      const { stdout } = await world.cli(0, 'feature-flag', 'diff', 'x', '-n', space.name, '--json')
      expect(stdout).toContain('a2')
      expect(JSON.parse(stdout)).toMatchObject({ ok: true })
      await world.cli(1, 'ff', 'diff', 'ghost', '-n', space.name)
      const shop = await world.cli(0, 'ff', 'diff', 'next')
      expect(shop.stdout).toContain('badge')
    },
  },
]
