import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../case.ts'
import { sdlOf, URL_OF } from '../world.ts'

export const routerCommands: readonly Case[] = [
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
    rules: ['command.router.verify-live'],
    it: 'router verify --live asks the real subgraphs, and finds their answers equal, base and flag',
    async run({ shop, file, cli, json }) {
      await file('live-catalogue.graphql', shop.catalogue.sdl)
      await file('live-stock.graphql', shop.stock.sdl)
      await file('live-next.graphql', shop.catalogueNext.sdl)
      await file(
        'live.yaml',
        `version: 1
subgraphs:
  - { name: catalogue, routing_url: ${shop.catalogue.url}, schema: { file: live-catalogue.graphql } }
  - { name: stock, routing_url: ${shop.stock.url}, schema: { file: live-stock.graphql } }
feature_flags:
  - name: next
    feature_graphs:
      - { name: c, subgraph_name: catalogue, routing_url: ${shop.catalogueNext.url}, schema: { file: live-next.graphql } }
`,
      )
      await cli(0, 'router', 'compose', '--input', 'live.yaml', '--out', 'live.json')
      const before = shop.catalogueNext.calls()
      const args = [
        'router',
        'verify',
        '--execution-config',
        'live.json',
        '--operation-count',
        '10',
        '--live',
      ]
      const equal = { ok: true, result: { operations: 10, different: [], oneOnly: [], unreachable: [] } }
      expect(await json(0, ...args)).toMatchObject(equal)
      expect(shop.catalogueNext.calls()).toBe(before)
      expect(await json(0, ...args, '--flag', 'next')).toMatchObject(equal)
      expect(shop.catalogueNext.calls()).toBeGreaterThan(before)
    },
  },
]
