import { expect } from 'vitest'
import { serveSubgraph, waitFor } from '@switchyard/testkit'
import { LINK, query } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import { reportOf, sdlOf, twoSubgraphs, URL_OF } from '../world.ts'

const LONGEST = `${'n'.repeat(99)}9`
/** Words of the language, all signs that a name may hold, one character, as long as allowed. */
export const NASTY = ['constructor', 'toString', 'a.b/c@d', 'x', LONGEST, 'hasOwnProperty', 'A_b-C'] as const
const FORBIDDEN = [
  '',
  '__proto__',
  'a..b',
  'a./b',
  '.a',
  'a-',
  'a b',
  ' a',
  'é',
  'a\nb',
  'a,b',
  'a;b',
  '%41',
  'n'.repeat(101),
] as const
const FORBIDDEN_LABELS = [
  'a',
  'a=',
  '=b',
  'a=b=c',
  'a=b,c=d',
  '_a=b',
  'a=b.',
  'a=b c',
  'é=b',
  `${'k'.repeat(64)}=v`,
  `k=${'v'.repeat(64)}`,
] as const

export const names: readonly Case[] = [
  {
    rules: ['label.characters', 'label.form'],
    it: 'labels of every allowed form choose graphs, others are refused with the rule',
    async run(world) {
      const space = await world.space()
      const allowed = [
        `${'k'.repeat(63)}=${'v'.repeat(63)}`,
        'a=1',
        'A.b_c-d=E..f--g__h',
        'constructor=toString',
      ]
      await space.publish('s', sdlOf('a'), allowed)
      await Promise.all(allowed.map((label, at) => space.graph(`g${at}`, label)))
      expect(Object.values(await space.graphs())).toEqual(allowed.map(() => ['s']))
      for (const label of FORBIDDEN_LABELS) {
        const body = { name: 'wrong', routingUrl: URL_OF, labels: [label] }
        const { code, detail } = await space.refused('POST', space.path('subgraphs'), body)
        expect([code, detail], label).toEqual([
          'INVALID_REQUEST',
          expect.stringContaining('a label is key=value'),
        ])
      }
      expect(await space.subgraphs()).toHaveLength(1)
      await world.cli(
        2,
        'subgraph',
        'create',
        'wrong',
        '--routing-url',
        URL_OF,
        '--label',
        'a=b.',
        '-n',
        space.name,
      )
    },
  },
  {
    rules: ['label.set', 'list.spaces'],
    it: 'a list is split at spaces, quoted or not, and repeated labels collapse',
    async run(world) {
      const space = await world.space()
      const args = ['--routing-url', URL_OF, '-n', space.name, '--no-wait']
      await world.cli(0, 'subgraph', 'create', 's', ...args, '--label', 'a=1', 'b=2 c=3', 'a=1')
      await world.cli(0, 'fs', 'create', 's-next', '--subgraph', 's', ...args)
      await space.publish('r', sdlOf('r'), ['a=1'])
      await space.feature('r-next', 'r')
      await world.cli(0, 'ff', 'create', 'x', '-n', space.name, '--fs', 's-next r-next', '--label', 'a=1 b=2')
      expect((await space.subgraphs()).find(({ name }) => name === 's')).toMatchObject({
        labels: ['a=1', 'b=2', 'c=3'],
      })
      expect(await space.flags()).toMatchObject([
        { featureSubgraphs: ['r-next', 's-next'], labels: ['a=1', 'b=2'] },
      ])
    },
  },
  {
    rules: ['matcher.and-or', 'matcher.none', 'list.spaces'],
    it: 'matchers are AND over groups and OR inside a group; none match only what has no labels',
    async run(world) {
      const space = await world.space()
      await Promise.all([
        space.publish('prod-a', sdlOf('pa'), ['team=A', 'env=prod']),
        space.publish('prod-b', sdlOf('pb'), ['team=B', 'env=prod']),
        space.publish('prod-c', sdlOf('pc'), ['team=C', 'env=prod']),
        space.publish('test-a', sdlOf('ta'), ['team=A', 'env=test']),
        space.publish('bare', sdlOf('bare'), []),
      ])
      await world.cli(
        0,
        'graph',
        'create',
        'g',
        '-n',
        space.name,
        '--label-matcher',
        'team=A,team=B',
        'env=prod',
      )
      await space.graph('plain')
      expect(await space.graphs()).toEqual({ g: ['prod-a', 'prod-b'], plain: ['bare'] })
      const wrong = await space.refused('POST', space.path('graphs'), {
        name: 'h',
        labelMatchers: ['a=1,,b=2'],
      })
      expect(wrong.code).toBe('INVALID_REQUEST')
    },
  },
  {
    rules: ['name.namespace'],
    it: 'a namespace is lower-case letters and digits with single "_" or "-" between',
    async run({ system, cli }) {
      for (const name of ['Upper', 'a--b', '-a', 'a_', 'a.b', '__proto__', 'é', '', 'a b', 'n'.repeat(101)]) {
        const reply = await system.manage('POST', '/v1/namespaces', { name })
        expect([reply.status, reply.body['code']], name).toEqual([400, 'INVALID_REQUEST'])
      }
      for (const name of ['constructor', '0', 'a-b_c', 'n'.repeat(100)]) {
        expect((await system.manage('POST', '/v1/namespaces', { name })).status, name).toBe(201)
        expect((await system.manage('POST', '/v1/namespaces', { name })).body['code'], name).toBe(
          'ALREADY_EXISTS',
        )
      }
      const { stderr } = await cli(2, 'namespace', 'create', 'a--b')
      expect(stderr).toContain('a namespace is')
    },
  },
  {
    rules: ['name.resource', 'name.flag-travels'],
    it: 'a name that breaks the rule is refused with it, for every kind of thing',
    async run(world) {
      const space = await twoSubgraphs(world)
      for (const name of FORBIDDEN) {
        const refusals = await Promise.all([
          space.refused('POST', space.path('graphs'), { name }),
          space.refused('POST', space.path('subgraphs'), { name, routingUrl: URL_OF }),
          space.refused('POST', space.path('feature-subgraphs'), { name, routingUrl: URL_OF, subgraph: 'a' }),
          space.refused('POST', space.path('feature-flags'), { name, featureSubgraphs: ['a-next'] }),
        ])
        for (const { code, detail } of refusals) {
          expect([code, detail], name).toEqual([
            'INVALID_REQUEST',
            expect.stringContaining('a name is 1 to 100'),
          ])
        }
        if (name === '') continue
        const path = space.path('subgraphs', name, 'schema')
        const published = await space.refused('PUT', path, { sdl: sdlOf('a'), routingUrl: URL_OF })
        expect([400, 404], `${name} ${published.code}`).toContain(published.status)
      }
      expect(await space.subgraphs()).toHaveLength(3)
      const { stderr } = await world.cli(2, 'ff', 'create', 'a..b', '--fs', 'a-next', '-n', space.name)
      expect(stderr).toContain('a name is 1 to 100')
    },
  },
  {
    rules: ['name.nasty', 'name.resource', 'name.unique'],
    it: 'names like "constructor", with every sign, or 100 characters long are only names, for every kind at once',
    async run(world) {
      const space = await world.space()
      for (const [at, name] of NASTY.entries()) {
        const label = `n=${at}`
        await space.publish(name, sdlOf(`field${at}`), [label])
        await space.graph(name, label)
        const next = `${'z'.repeat(at + 1)}.next`
        await space.feature(next, name, sdlOf(`field${at}`, 'more'))
        const created = await space.flag(name, [next], { labels: [label], enabled: true })
        expect(reportOf(created), name).toEqual([`${name} with ${name}: composed`, `${name}: unchanged`])
      }
      expect(await space.graphs()).toEqual(Object.fromEntries(NASTY.map((name) => [name, [name]])))
      for (const name of NASTY) {
        const again = await space.refused('POST', space.path('graphs'), { name })
        expect([again.status, again.code]).toEqual([409, 'ALREADY_EXISTS'])
        expect(reportOf(await space.disable(name))).toEqual([`${name}: unchanged`])
      }
      for (const [at, name] of NASTY.entries()) {
        const next = `${'z'.repeat(at + 1)}.next`
        expect(await space.read(space.path('graphs', name))).toMatchObject({ name, subgraphs: [name] })
        expect(await space.read(space.path('subgraphs', name))).toMatchObject({
          name,
          featureSubgraphs: [next],
        })
        expect(await space.change('feature-flags', name, { labels: [] })).toMatchObject({ changed: true })
        expect(await space.read(space.path('feature-flags', name))).toMatchObject({ name, labels: [] })
        const moved = await space.change('subgraphs', name, { routingUrl: 'http://127.0.0.1:8/' })
        expect(reportOf(moved)).toEqual([`${name}: composed`])
        expect(reportOf(await space.remove('subgraphs', name))).toEqual([`${name}: empty`])
        expect(await space.remove('feature-flags', name)).toMatchObject({ changed: true })
        expect(await space.remove('graphs', name)).toMatchObject({ affectedGraphs: [name] })
      }
      expect([await space.graphs(), await space.subgraphs(), await space.flags()]).toEqual([{}, [], []])
      for (const name of ['valueOf', 'isPrototypeOf']) {
        expect((await space.refused('POST', space.path('feature-flags', name, 'enable'))).code).toBe(
          'NOT_FOUND',
        )
      }
    },
  },
  {
    rules: ['name.nasty', 'name.flag-travels', 'select.response-header'],
    it: 'flags of every nasty name are served under exactly that name, by header and by cookie',
    async run({ served, system, routersAnswer }) {
      const members = ['catalogue-next', 'stock-next']
      const more = { labels: ['team=shop'], enabled: true }
      await Promise.all(NASTY.map((name) => served.flag(name, members, more)))
      for (const name of NASTY) {
        await routersAnswer('next', { 'X-Feature-Flag': name })
        await routersAnswer('next', { Cookie: `feature_flag=${name}` })
        await routersAnswer('next', { Cookie: `feature_flag=${encodeURIComponent(name)}` })
        const answer = await query(system.routerUrls[0] ?? '', { 'X-Feature-Flag': name })
        expect(answer.headers.get('x-feature-flag')).toBe(name)
      }
      await Promise.all(NASTY.map((name) => served.disable(name)))
      for (const name of NASTY) await routersAnswer('base', { 'X-Feature-Flag': name })
    },
  },
  {
    rules: ['name.nasty'],
    it: 'a subgraph called "constructor" with types, fields and aliases of such names answers right',
    async run({ served, system, routersAnswer }) {
      await using subgraph = await serveSubgraph({
        sdl: `${LINK}
          type Query { valueOf(constructor: Int): constructor }
          type constructor @key(fields: "toString") { toString: ID! hasOwnProperty: Int }`,
        resolvers: {
          Query: {
            valueOf: (_: unknown, args: { constructor: number }) => ({
              toString: 't',
              hasOwnProperty: args.constructor,
            }),
          },
        },
      })
      const published = await served.write('PUT', served.path('subgraphs', 'constructor', 'schema'), {
        sdl: subgraph.sdl,
        routingUrl: subgraph.url,
        labels: ['team=shop'],
      })
      expect(reportOf(published)).toContain('shop: composed')
      await routersAnswer('base')
      const text =
        '{ constructor: products { __proto__: id toString: nameVariant } valueOf(constructor: 7) { constructor: hasOwnProperty __proto__: toString } }'
      const expected = `{"data":{"constructor":[${['1', '2', '3']
        .map((id) => `{"__proto__":"${id}","toString":"base"}`)
        .join(',')}],"valueOf":{"constructor":7,"__proto__":"t"}}}`
      for (const url of system.routerUrls) {
        await waitFor('the new subgraph to be served', async () => {
          const response = await fetch(`${url}/graphql`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ query: text }),
          })
          const got = await response.text()
          if (got !== expected) throw new Error(got)
          return true
        })
      }
    },
  },
  {
    rules: ['name.unique', 'name.feature-subgraph'],
    it: 'a name is taken once per kind in a namespace, and subgraphs share theirs with feature subgraphs',
    async run(world) {
      const space = await twoSubgraphs(world)
      await space.flag('f', ['a-next'])
      const taken = await Promise.all([
        space.refused('POST', space.path('graphs'), { name: 'g' }),
        space.refused('POST', space.path('subgraphs'), { name: 'a', routingUrl: URL_OF }),
        space.refused('POST', space.path('subgraphs'), { name: 'a-next', routingUrl: URL_OF }),
        space.refused('POST', space.path('feature-subgraphs'), {
          name: 'b',
          routingUrl: URL_OF,
          subgraph: 'a',
        }),
        space.refused('POST', space.path('feature-subgraphs'), {
          name: 'a-next',
          routingUrl: URL_OF,
          subgraph: 'a',
        }),
        space.refused('POST', space.path('feature-flags'), { name: 'f', featureSubgraphs: ['a-next'] }),
      ])
      expect(taken.map(({ status, code }) => [status, code])).toEqual(
        taken.map(() => [409, 'ALREADY_EXISTS']),
      )
      await space.graph('a')
      await space.flag('a', ['a-next'])
      const other = await world.space()
      await other.publish('a', sdlOf('a'), [])
      await other.graph('g')
    },
  },
]
