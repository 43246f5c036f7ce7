import { compose } from '@switchyard/composition'
import { buildApiSchema } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { accessChanges } from '../src/changes/access-changes.ts'
import { Platform } from './platform.ts'

const RULES =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@inaccessible", "@authenticated", "@requiresScopes", "@policy"])\n'

function graphOf(sdl: string) {
  const result = compose({ subgraphs: [{ name: 'only', routingUrl: 'http://only/', sdl: RULES + sdl }] })
  if (result.kind === 'failed') throw new Error(result.errors.map(({ message }) => message).join('\n'))
  return { supergraphSdl: result.supergraphSdl, schema: buildApiSchema(result.supergraphSdl) }
}

const changesOf = (before: string, after: string) =>
  accessChanges(graphOf(before), graphOf(after)).map(({ criticality, path }) => `${criticality} ${path}`)

const FIELD = (rule: string) => `type Query { a: Int ${rule} b: Int }`
const SCOPES = (lists: string) => `@requiresScopes(scopes: ${lists})`

describe('who may see what, before and after', () => {
  it.each<[what: string, before: string, after: string, changes: readonly string[]]>([
    ['nothing changes', FIELD('@authenticated'), FIELD('@authenticated'), []],
    ['a field gets a rule', FIELD(''), FIELD('@authenticated'), ['breaking Query.a']],
    ['a field loses its rule', FIELD(SCOPES('[["x"]]')), FIELD(''), ['dangerous Query.a']],
    ['another scope is demanded', FIELD(SCOPES('[["x"]]')), FIELD(SCOPES('[["y"]]')), ['breaking Query.a']],
    [
      'one more scope is demanded',
      FIELD(SCOPES('[["x"]]')),
      FIELD(SCOPES('[["x", "y"]]')),
      ['breaking Query.a'],
    ],
    [
      'another scope does, too',
      FIELD(SCOPES('[["x"]]')),
      FIELD(SCOPES('[["x"], ["y"]]')),
      ['dangerous Query.a'],
    ],
    [
      'who has a scope is known anyway',
      FIELD(SCOPES('[["x"]]')),
      FIELD(`${SCOPES('[["x"]]')} @authenticated`),
      [],
    ],
    [
      'scopes become a policy',
      FIELD(SCOPES('[["x"]]')),
      FIELD('@policy(policies: [["x"]])'),
      ['breaking Query.a'],
    ],
    [
      'a type and an enum get rules',
      'type Query { t: T e: E } type T { x: Int } enum E { A }',
      'type Query { t: T e: E } type T @authenticated { x: Int } enum E @authenticated { A }',
      ['breaking E', 'breaking T'],
    ],
    [
      'a type of an interface gets a rule',
      'type Query { i: I } interface I { x: Int } type A implements I { x: Int } type B implements I { x: Int }',
      'type Query { i: I } interface I { x: Int } type A implements I @authenticated { x: Int } type B implements I { x: Int }',
      ['breaking A', 'breaking I'],
    ],
    ['what is new has a rule', 'type Query { b: Int }', FIELD('@authenticated'), []],
    [
      'what clients do not see gets a rule',
      FIELD('@inaccessible'),
      FIELD('@inaccessible @authenticated'),
      [],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes)
  })

  it('says what has to be met', () => {
    const [change] = accessChanges(graphOf(FIELD('')), graphOf(FIELD(SCOPES('[["x", "y"], ["z"]]'))))
    expect(change).toEqual({
      criticality: 'breaking',
      type: 'DIRECTIVE_USAGE_ADDED',
      path: 'Query.a',
      message: `'Query.a' is seen only by requests that meet @requiresScopes(scopes: [["x","y"],["z"]]) now`,
    })
  })
})

describe('a check of a schema that says who may see a field', () => {
  const check = async (allowUnenforcedAuthorization: boolean) => {
    const platform = new Platform().graph('shop')
    if (allowUnenforcedAuthorization)
      platform.run({ type: 'update-federated-graph', name: 'shop', allowUnenforcedAuthorization })
    platform.subgraph('products', RULES + FIELD('')).serve()
    const { changes } = await platform.check(
      platform.publication('products', RULES + FIELD('@authenticated')),
    )
    return changes.map(({ path, criticality }) => [path, criticality])
  }

  it('does not pass where clients may see less', async () => {
    expect(await check(false)).toEqual([['Query.a', 'breaking']])
  })

  it('finds no change where the graph allows that nobody enforces it', async () => {
    expect(await check(true)).toEqual([])
  })
})
