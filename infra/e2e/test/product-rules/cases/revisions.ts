import { waitFor } from '@switchyard/testkit'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { query } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { sdlOf, twoSubgraphs, type World } from '../world.ts'

type Revision = {
  readonly revision: number
  readonly reason: string
  readonly featureFlags: readonly string[]
}

export const revisions: readonly Case[] = [
  {
    rules: ['command.config.history', 'command.config.rollback', 'command.config.release'],
    it: 'a rollback holds the graph on an old revision whatever is published, and release lets it go',
    async run(world) {
      const { served, shop, cli, json } = world
      const [newest] = await history(world)
      const widened = shop.users.sdl.replace('name: String!', 'name: String! held: String')
      await served.publish('users', widened)
      await fieldIsServed(world, 'held', true)

      await cli(2, 'config', 'rollback', 'shop', '--to', String(newest?.revision))
      const rolled = await cli(0, 'config', 'rollback', 'shop', '--to', String(newest?.revision), '--force')
      expect(rolled.stdout).toContain(`Federated graph "shop" is held on revision ${newest?.revision}.`)
      await fieldIsServed(world, 'held', false)
      expect((await json(0, 'graph', 'get', 'shop')).result).toMatchObject({
        pinnedRevision: newest?.revision,
      })
      expect((await cli(0, 'graph', 'list')).stdout).toContain(`held on ${newest?.revision}`)

      const published = await served.publish(
        'users',
        widened.replace('held: String', 'held: String heldToo: String'),
      )
      expect(published.warnings.join('\n')).toContain(`held on revision ${newest?.revision}`)
      await fieldIsServed(world, 'heldToo', false)
      expect((await served.disable('next')).warnings).toEqual([])
      await world.routersAnswer('base', { 'X-Feature-Flag': 'next' })
      await served.enable('next')

      expect((await json(1, 'config', 'rollback', 'shop', '--to', '999999', '-f')).error?.code).toBe(
        'NOT_FOUND',
      )
      const released = await cli(0, 'config', 'release', 'shop')
      expect(released.stdout).toContain('follows the newest revision again')
      await fieldIsServed(world, 'heldToo', true)
      expect((await json(0, 'config', 'release', 'shop')).result?.['changed']).toBe(false)
      await world.routersAnswer('next', { 'X-Feature-Flag': 'next' })
      await served.publish('users', shop.users.sdl)
      await fieldIsServed(world, 'held', false)
    },
  },
  {
    rules: ['command.config.history', 'no-op.flag'],
    it: 'the history has one revision per change that routers see, none for what changes nothing',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('x', ['a-next'], { labels: ['t=1'], enabled: true })
      await space.waitForState('x', 'g', 'served')
      const { result } = await world.json(0, 'config', 'history', 'g', '-n', space.name)
      const before = result?.['revisions'] as Revision[]
      expect(before[0]).toMatchObject({ reason: 'composition', featureFlags: ['x'] })
      expect(before.map(({ revision }) => revision)).toEqual(before.map((_, at) => before.length - at))
      await space.enable('x')
      await space.publish('a', sdlOf('a'))
      await space.disable('x')
      await space.waitForState('x', 'g', 'not served: the flag is disabled')
      const after = await world.json(0, 'config', 'history', 'g', '-n', space.name)
      const list = after.result?.['revisions'] as Revision[]
      expect(list).toHaveLength(before.length + 1)
      expect(list[0]).toMatchObject({ featureFlags: [] })
    },
  },
  {
    rules: ['command.config.diff'],
    it: 'config diff compares the schemas and plans of two revisions, each with a flag or without',
    async run(world) {
      const { served, cli, json, file } = world
      await served.waitForState('next', 'shop', 'served')
      await file('badges.graphql', 'query Badges { products { badge } }')
      const line = ['config', 'diff', 'shop', 'latest', 'latest', '--to-flag', 'next']
      const { result } = await json(0, ...line, '--operations', 'badges.graphql')
      expect(result).toMatchObject({
        schema: { breaking: 0, changes: [{ path: 'Product.badge' }] },
        plans: { operations: 1, changes: [{ status: 'gained', added: [{ subgraph: 'catalogue-next' }] }] },
      })
      await cli(1, ...line, '--exit-code')
      await cli(0, 'config', 'diff', 'shop', 'latest', 'latest', '--exit-code')
      await cli(1, 'config', 'diff', 'shop', '1', '999')
      await cli(2, 'config', 'diff', 'shop', '1')
    },
  },
  {
    rules: ['command.config.fetch', 'resource.composition'],
    it: 'config fetch writes what routers serve: base and flags in one file that plan and routers read',
    async run({ cli, file, system, served }) {
      await served.waitForState('next', 'shop', 'served')
      await cli(0, 'config', 'fetch', 'shop', '--out', 'fetched-config.json')
      const config = JSON.parse(await readFile(join(system.folder, 'fetched-config.json'), 'utf8')) as {
        featureFlags: Record<string, unknown>
      }
      expect(Object.keys(config.featureFlags)).toContain('next')
      await file('badge.graphql', '{ products { badge } }')
      const plan = ['plan', '--execution-config', 'fetched-config.json', '--query', 'badge.graphql']
      expect((await cli(0, ...plan, '--flag', 'next')).stdout).toContain('catalogue-next')
      await cli(1, ...plan)
      await cli(1, 'config', 'fetch', 'ghost', '--out', 'never.json')
    },
  },
]

async function history({ json }: World): Promise<readonly Revision[]> {
  const { result } = await json(0, 'config', 'history', 'shop')
  return result?.['revisions'] as Revision[]
}

async function fieldIsServed({ system }: World, field: string, served: boolean): Promise<void> {
  for (const url of system.routerUrls) {
    await waitFor(`${url} ${served ? 'to serve' : 'not to serve'} "${field}"`, async () => {
      const { body } = await query(url, {}, '{ __type(name: "User") { fields { name } } }')
      const text = JSON.stringify(body)
      if (!text.includes('"name"') || text.includes(`"${field}"`) !== served) throw new Error(text)
      return true
    })
  }
}
