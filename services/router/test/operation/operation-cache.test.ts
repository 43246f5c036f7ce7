import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, RequestError } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { OperationCache } from '../../src/operation/operation-cache.ts'

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
