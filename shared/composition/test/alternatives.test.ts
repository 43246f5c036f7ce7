/** Scopes and policies of several subgraphs multiply: beyond a limit that is told, and not carried out. */
import { describe, expect, it } from 'vitest'
import { F } from './errors/error-set.ts'
import { composeSdls, expectComposed, expectFailed } from './subgraph-fixtures.ts'

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function demanding(prefix: string, count: number): string {
  const scopes = numbers(count).map((index) => `["${prefix}${index}"]`)
  return `${F} type Query { x: Int @shareable @requiresScopes(scopes: [${scopes.join(', ')}]) }`
}

describe('alternatives of scopes', () => {
  it('of twenty subgraphs are refused once they are too many', () => {
    const subgraphs = Object.fromEntries(
      numbers(20).map((index) => [`s${index}`, demanding(`a${index}x`, 4)]),
    )
    const errors = expectFailed(composeSdls(subgraphs))
    expect(errors.map(({ code }) => code)).toEqual(['AUTHORIZATION_TOO_COMPLEX'])
    expect(errors[0]?.message).toContain('"Query.x" has more than 200 alternatives')
    expect(errors[0]?.locations).toHaveLength(20)
  })

  it('that are the same in every subgraph are no more than in one', () => {
    const subgraphs = Object.fromEntries(numbers(20).map((index) => [`s${index}`, demanding('a', 150)]))
    expect(expectComposed(composeSdls(subgraphs))).toContain('"a149"')
  })
})
