import { describe, expect, it } from 'vitest'
import { RequestError } from '../../src/operation/operation-error.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { world } from '../plan/search/split-at-defer/planned.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const { graph } = world

function prepared(document: string, operationName?: string) {
  return prepareOperation(graph, {
    document,
    defer: true,
    ...(operationName === undefined ? {} : { operationName }),
  })
}

function refused(document: string): RequestError {
  return refusedBy(() => prepared(document))
}

function refusedBy(ask: () => unknown): RequestError {
  try {
    ask()
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
  throw new Error('The request was not refused.')
}

describe('the use of @defer', () => {
  it.each([
    'mutation { ... @defer { rename { id } } }',
    'mutation { ...F @defer } fragment F on Mutation { rename { id } }',
    'mutation { ...F } fragment F on Mutation { ... { ... @defer { rename { id } } } }',
  ])('is refused on root fields of a mutation: %s', (document) => {
    expect(refused(document)).toMatchObject({
      phase: 'validate',
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [
        {
          message:
            '"@defer" must not stand on the root fields of a mutation, which are executed one after the other and then answered. Expected it below one of these fields.',
          locations: [{ line: 1 }],
        },
      ],
    })
  })

  it('is allowed below a mutation field', () => {
    expect(prepared('mutation { rename { id ... @defer { name } } }').kind).toBe('mutation')
  })

  it('takes labels that are strings, each once in the operation', () => {
    const fragment = 'fragment F on User { ... @defer(label: "f") { name } }'
    expect(() =>
      prepared(`{ me { ...F friend { ...F } ... @defer(label: null) { id } } } ${fragment}`),
    ).not.toThrow()
    const twice = '{ me { ... @defer(label: "x") { id } ... @defer(label: "x") { name } } }'
    expect(refused(twice).message).toBe(
      'Two "@defer" of the operation have the label "x". Each label must be different, since it tells clients which fragment has arrived.',
    )
    expect(refused('query($x: String) { me { ... @defer(label: $x) { id } } }').message).toBe(
      'The label of "@defer" must be written in the operation as a string, not be a variable.',
    )
  })

  it('is checked in the operation that is executed', () => {
    const document =
      'query A { me { ... @defer(label: "x") { id } } } query B { me { ... @defer(label: "x") { id } } } mutation C { ... @defer { rename { id } } }'
    expect(() => prepared(document, 'A')).not.toThrow()
    expect(() => prepared(document, 'C')).toThrow(RequestError)
  })

  it.each([
    'mutation { ... @defer(if: false) { rename { id } } }',
    'mutation { ...F @defer(if: false) } fragment F on Mutation { rename { id } }',
    '{ me { ... @defer(label: "x", if: false) { id } ... @defer(label: "x") { name } } }',
    'query($x: String) { me { ... @defer(label: $x, if: false) { id } } }',
  ])('is not judged where it is never active: %s', (document) => {
    expect(() => prepared(document).coerceVariables({})).not.toThrow()
  })

  it.each([
    ['mutation($on: Boolean) { ... @defer(if: $on) { rename { id } } }'],
    ['query($on: Boolean) { me { ... @defer(label: "x", if: $on) { id } ... @defer(label: "x") { name } } }'],
    ['query($x: String, $on: Boolean) { me { ... @defer(label: $x, if: $on) { id } } }'],
    [
      'query($on: Boolean, $a: Boolean) { me { ... @defer(label: "x", if: $on) { id } ... @defer(label: "x", if: $a) { name } } }',
    ],
  ])('is judged by the values of its variables: %s', (document) => {
    const operation = prepared(document)
    expect(() => operation.coerceVariables({ on: false })).not.toThrow()
    for (const variables of [{ on: true }, {}]) {
      const refusal = refusedBy(() => operation.coerceVariables(variables))
      expect(refusal).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED', phase: 'validate' })
      expect(refusal.errors).toHaveLength(1)
    }
  })

  it('is judged by the default of its variable', () => {
    const document = 'mutation($on: Boolean = false) { ... @defer(if: $on) { rename { id } } }'
    expect(() => prepared(document).coerceVariables({})).not.toThrow()
    expect(() => prepared(document).coerceVariables({ on: true })).toThrow(RequestError)
  })

  it('is not checked where nothing may be deferred', () => {
    const document =
      'mutation($x: String) { ... @defer(label: $x) { rename { id } } ... @defer(label: "x") { sell { ... @defer(label: "x") { id } } } }'
    expect(refused(document).errors).toHaveLength(4)
    expect(planOperation(prepareOperation(graph, { document }), new Map()).deferred).toBe(false)
  })

  it('is not that of @stream, which is refused in plain words', () => {
    expect(refused('{ books @stream { id } }').message).toBe(
      '"@stream" is not supported: lists are delivered whole. Expected "@defer" on a fragment, which is.',
    )
  })

  it('does not change that subscriptions are refused', () => {
    expect(refused('subscription { ... @defer { x } }')).toMatchObject({
      code: 'SUBSCRIPTIONS_NOT_SUPPORTED',
    })
  })
})

describe('variables of @defer', () => {
  const document =
    'query($a: Boolean, $b: Boolean!) { me { id @include(if: $b) ... @defer(if: $a) { name } } }'

  it('decide on the plan where fragments are deferred, and nowhere else', () => {
    expect(prepared(document).conditions).toEqual(['b', 'a'])
    expect(prepareOperation(graph, { document }).conditions).toEqual(['b'])
  })

  it('may be absent, but not null', () => {
    expect(prepared(document).coerceVariables({ b: true }).has('a')).toBe(false)
    expect(() => prepared(document).coerceVariables({ a: null, b: true })).toThrow(
      'Variable "$a" decides whether a fragment is deferred, so it must be true, false or absent, not null.',
    )
  })
})
