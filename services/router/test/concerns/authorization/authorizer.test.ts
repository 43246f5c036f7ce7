import { compileSupergraph, openGraph, prepareOperation } from '@switchyard/engine'
import { claimReader } from '@switchyard/values'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type AuthorizationRules, Authorizer } from '../../../src/concerns/authorization/authorizer.ts'
import { type PolicyRule, ruleCheck } from '../../../src/concerns/authorization/policy-rule.ts'
import { undecidedPolicies } from '../../../src/concerns/authorization/undecided-policies.ts'
import { loadRouterConfig } from '../../../src/config/router-config.ts'

describe('the path of a claim', () => {
  const claims = JSON.parse('{"a":{"b":[1],"c.d":2},"x.y":3,"__proto__":{"z":4}}')

  it.each<[string | readonly string[], unknown]>([
    ['a.b', [1]],
    [['a', 'c.d'], 2],
    [['x.y'], 3],
    ['x.y', undefined],
    ['a.b.c', undefined],
    ['toString', undefined],
    ['a.constructor', undefined],
    ['missing', undefined],
  ])('%j leads to %j', (path, value) => {
    expect(claimReader(path)(claims)).toEqual(value)
  })
})

describe('the rule of a policy', () => {
  const claims = { role: 'admin', groups: ['a', 'b', 3], level: 3, on: true, nothing: null }

  it.each<[boolean, PolicyRule]>([
    [true, { claim: 'role', equals: 'admin' }],
    [true, { claim: 'level', equals: 3 }],
    [true, { claim: 'on', equals: true }],
    [false, { claim: 'level', equals: '3' }],
    [false, { claim: 'nothing', equals: false }],
    [false, { claim: 'absent', equals: '' }],
    [true, { claim: 'groups', contains: 'a' }],
    [true, { claim: 'groups', contains: 3 }],
    [false, { claim: 'groups', contains: 'c' }],
    // A text is no list, so that part of a text is never taken for the whole.
    [false, { claim: 'role', contains: 'admin' }],
    [
      true,
      {
        all: [
          { claim: 'role', equals: 'admin' },
          { claim: 'groups', contains: 'b' },
        ],
      },
    ],
    [
      false,
      {
        all: [
          { claim: 'role', equals: 'admin' },
          { claim: 'groups', contains: 'c' },
        ],
      },
    ],
    [true, { any: [{ claim: 'role', equals: 'x' }, { all: [{ claim: 'on', equals: true }] }] }],
    [false, { any: [{ claim: 'role', equals: 'x' }, { all: [{ claim: 'on', equals: false }] }] }],
  ])('says %s to %j', (holds, rule) => {
    expect(ruleCheck(rule)(claims)).toBe(holds)
  })
})

describe('who may see what', () => {
  const sdl = readFileSync(new URL('../../fixtures/supergraph-base.graphql', import.meta.url), 'utf8')
    .replace(
      '@link',
      '@link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY) @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", for: SECURITY) @link(url: "https://specs.apollo.dev/policy/v0.1", for: SECURITY) @link',
    )
    .replace(
      /(version: String!? )/,
      '$1 @authenticated @requiresScopes(scopes: [["a", "b"]]) @policy(policies: [["p"]])',
    )
  const graph = openGraph(compileSupergraph(sdl))
  const operation = prepareOperation(graph, { document: '{ version }' })
  const kindsGranted = (claims: Record<string, unknown> | null, rules: Partial<AuthorizationRules> = {}) => {
    const authorizer = new Authorizer({ scopesClaim: 'scope', policies: new Map(), ...rules })
    const granted = authorizer.granted(operation, claims === null ? null : { claims, key: 'k' })
    return [...granted].map((number) => graph.access?.conditions[number]?.kind)
  }

  it.each<[readonly string[], Record<string, unknown> | null]>([
    [[], null],
    [['authenticated'], {}],
    [['authenticated', 'scopes'], { scope: 'x  b a' }],
    [['authenticated', 'scopes'], { scope: ['a', 'b'] }],
    [['authenticated'], { scope: 'a' }],
    [['authenticated'], { scope: 'a\tb' }],
    [['authenticated'], { scope: ['a b'] }],
    [['authenticated'], { scope: ['a', 'b', 1] }],
    [['authenticated'], { scope: { a: true, b: true } }],
    [['authenticated'], { scope: null }],
  ])('%j is met by the claims %j', (kinds, claims) => {
    expect(kindsGranted(claims)).toEqual(kinds)
  })

  it('is nobody for a policy without a rule', () => {
    expect(
      kindsGranted({ role: 'x' }, { policies: new Map([['q', { claim: 'role', equals: 'x' }]]) }),
    ).toEqual(['authenticated'])
    expect(
      kindsGranted({ role: 'x' }, { policies: new Map([['p', { claim: 'role', equals: 'x' }]]) }),
    ).toEqual(['authenticated', 'policies'])
    const conditions = graph.access?.conditions ?? []
    expect(undecidedPolicies(conditions, new Set(['q']))).toEqual(['p'])
    expect(undecidedPolicies(conditions, new Set(['p']))).toEqual([])
  })
})

describe('the section authorization', () => {
  const read = (text: string) => loadRouterConfig({ file: { path: 'router.yaml', text } }).authorization

  it('has rules of all forms', () => {
    const text = `authorization: { scopes_claim: [https://shop.example/scopes], policies: {
      a: { claim: role, equals: admin }, b: { any: [{ claim: roles, contains: x }, { all: [{ claim: n, equals: 1 }] }] } } }`
    expect(read(text)).toEqual({
      scopesClaim: ['https://shop.example/scopes'],
      policies: new Map<string, PolicyRule>([
        ['a', { claim: 'role', equals: 'admin' }],
        ['b', { any: [{ claim: 'roles', contains: 'x' }, { all: [{ claim: 'n', equals: 1 }] }] }],
      ]),
      rejectUnauthorized: false,
      allowUnenforced: false,
    })
    expect(read('').scopesClaim).toBe('scope')
  })

  it.each([
    [
      'policies: { a: { claim: role } }',
      /"authorization\.policies\.a": expected \{claim: name, equals: value\}/,
    ],
    ['policies: { a: { all: [] } }', /authorization\.policies\.a/],
    ['policies: { a: { claim: role, equals: x, contains: y } }', /authorization\.policies\.a/],
    ['scopes_claim: ""', /"authorization\.scopes_claim": expected the name of a claim/],
    ['scopes_claim: a..b', /expected the name of a claim/],
  ])('refuses %s', (text, message) => {
    expect(() => read(`authorization: { ${text} }`)).toThrow(message)
  })
})
