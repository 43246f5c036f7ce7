import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, RequestError } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { warmUp } from '../../src/operation/warm-up.ts'

function cacheOf(composition: 'base' | 'next', bytes = 1_000_000): OperationCache {
  const sdl = readFileSync(new URL(`../fixtures/supergraph-${composition}.graphql`, import.meta.url), 'utf8')
  return new OperationCache(openGraph(compileSupergraph(sdl)), {}, bytes)
}

describe('the operation cache', () => {
  it('prepares an operation once per text and name', () => {
    const cache = cacheOf('base')
    const document = 'query A { version } query B { fails }'
    const a = cache.get(document, 'A')
    expect(cache.get(document, 'A')).toBe(a)
    expect(a.uses).toBe(2)
    expect(cache.get(document, 'B').operation.name).toBe('B')
    expect(cache.size).toBe(2)
  })

  it('keeps nothing that is not valid', () => {
    const cache = cacheOf('base')
    expect(() => cache.get('{ nope }', null)).toThrow(RequestError)
    expect(cache.size).toBe(0)
  })

  it('stays within its bytes', () => {
    const cache = cacheOf('base', 20_000)
    for (let n = 0; n < 50; n++) cache.get(`{ a${n}: version }`, null)
    expect(cache.size).toBeGreaterThan(1)
    expect(cache.size).toBeLessThan(10)
  })
})

describe('warming up', () => {
  it('prepares and plans the hottest operations, with the conditions of their last use', async () => {
    const from = cacheOf('base')
    const to = cacheOf('next')
    for (let use = 0; use < 5; use++)
      from.get('query H($w: Boolean!) { topProducts { name @include(if: $w) } }', 'H')
    from.get('{ version }', null)
    for (let use = 0; use < 3; use++) from.get('{ fails }', null)
    const [hot] = from.hottest(1)
    if (hot !== undefined) hot.conditions = new Map([['w', true]])

    expect(await warmUp(from, to, 2, new AbortController().signal)).toBe(2)
    expect(to.hottest(9).map(({ document }) => document)).toEqual([
      'query H($w: Boolean!) { topProducts { name @include(if: $w) } }',
      '{ fails }',
    ])
    expect(to.hottest(1)[0]?.conditions).toEqual(new Map([['w', true]]))
  })

  it('leaves out what the new composition does not know', async () => {
    const from = cacheOf('next')
    const to = cacheOf('base')
    from.get('{ topProducts { discount } }', null)
    from.get('{ version }', null)
    expect(await warmUp(from, to, 9, new AbortController().signal)).toBe(1)
    expect(to.hottest(9).map(({ document }) => document)).toEqual(['{ version }'])
  })
})
