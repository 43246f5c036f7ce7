import { describe, expect, it } from 'vitest'
import { type CompositionFailure, failing, printFailures } from '../../src/output/failures.ts'

const error = (message: string) => ({ code: 'INVALID_GRAPHQL', message, subgraphs: ['a'], locations: [] })
const failure = (featureFlag: string | null, ...messages: readonly string[]): CompositionFailure => ({
  graph: 'shop',
  featureFlag,
  errors: messages.map(error),
  errorCount: messages.length,
})
const plain = (text: string) => text
const style = { bold: plain, dim: plain, red: plain, yellow: plain, green: plain, cyan: plain, blue: plain }

function print(...failures: readonly CompositionFailure[]): string {
  const headOf = (_failure: CompositionFailure, count: number) => ({
    before: 'error: ',
    after: failing(count),
  })
  return printFailures(failures, { headOf, sources: new Map(), style }).join('\n')
}

describe('what fails in several compositions', () => {
  it('is printed once, with base and flags named', () => {
    const text = print(
      failure(null, 'first', 'second'),
      failure('x', 'first', 'second'),
      failure('y', 'first', 'second'),
    )
    expect(text).toContain('error: shop, shop with flag x, shop with flag y do not compose.')
    expect(text.match(/first/g)).toHaveLength(1)
    expect(text.match(/second/g)).toHaveLength(1)
  })

  it('is not repeated for a flag that has an error of its own besides', () => {
    const text = print(failure(null, 'first', 'second'), failure('x', 'first', 'apart', 'second'))
    expect(text.match(/first/g)).toHaveLength(1)
    expect(text).toContain(
      'error: shop with flag x does not compose.\n2 of its errors are shown above, for shop.',
    )
    expect(text.match(/apart/g)).toHaveLength(1)
  })

  it('is all there if nothing is shared', () => {
    const text = print(failure(null, 'first'), failure('x', 'apart'))
    expect(text).not.toContain('above')
    expect(text).toContain('1 error in 1 subgraph.')
  })
})
