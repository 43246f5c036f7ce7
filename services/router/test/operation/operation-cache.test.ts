import { readFileSync } from 'node:fs'
import { compileSupergraph, openGraph, RequestError } from '@switchyard/engine'
import { describe, expect, it } from 'vitest'
import { OperationCache } from '../../src/operation/operation-cache.ts'
import { OperationMemory } from '../../src/memory/operation-memory.ts'

function cacheOf(composition: 'base' | 'next', memory = new OperationMemory(1_000_000)): OperationCache {
  const sdl = readFileSync(new URL(`../fixtures/supergraph-${composition}.graphql`, import.meta.url), 'utf8')
  return new OperationCache(openGraph(compileSupergraph(sdl)), {}, memory)
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
    const cache = cacheOf('base', new OperationMemory(20_000))
    for (let n = 0; n < 50; n++) cache.get(`{ a${n}: version }`, null)
    expect(cache.size).toBeGreaterThan(1)
    expect(cache.size).toBeLessThan(10)
  })

  it('shares its bytes with those of other generations: whatever was used least recently makes room', () => {
    const memory = new OperationMemory(20_000)
    const [old, current] = [cacheOf('base', memory), cacheOf('next', memory)]
    for (let n = 0; n < 50; n++) old.get(`{ a${n}: version }`, null)
    const before = old.size
    current.get('{ version }', null)
    expect(old.size).toBe(before - 1)
    for (let n = 0; n < 50; n++) {
      current.get('{ version }', null)
      current.get(`{ a${n}: version }`, null)
    }
    expect(old.size).toBe(0)
    expect(current.hottest(1)[0]?.document).toBe('{ version }')
    expect(memory.bytes).toBeLessThanOrEqual(20_000)
  })

  it('gives its bytes back when its generation goes', () => {
    const memory = new OperationMemory(1_000_000)
    const [old, current] = [cacheOf('base', memory), cacheOf('next', memory)]
    for (let n = 0; n < 50; n++) old.get(`{ a${n}: version }`, null)
    current.get('{ version }', null)
    old.clear()
    expect(old.size).toBe(0)
    expect(current.size).toBe(1)
    expect(memory.bytes).toBeLessThan(10_000)
  })

  it('keeps what was used last when it may keep less, and as much as before when it may again', () => {
    const memory = new OperationMemory(1_000_000)
    const cache = cacheOf('base', memory)
    for (let n = 0; n < 50; n++) cache.get(`{ a${n}: version }`, null)
    const first = cache.get('{ a0: version }', null)
    memory.changeLimit(10_000)
    expect(memory.bytes).toBeLessThanOrEqual(10_000)
    expect(memory.entries).toBeGreaterThan(0)
    expect([cache.size, memory.entries]).toEqual([memory.entries, cache.size])
    expect(cache.get('{ a0: version }', null)).toBe(first)
    memory.changeLimit(1_000_000)
    for (let n = 0; n < 50; n++) cache.get(`{ a${n}: version }`, null)
    expect(cache.size).toBe(50)
    expect(cache.get('{ a0: version }', null)).toBe(first)
  })

  it('prepares an operation that is larger than all bytes each time, without keeping it', () => {
    const memory = new OperationMemory(5000)
    const cache = cacheOf('base', memory)
    const document = `{ ${'a'.repeat(5000)}: version }`
    expect(cache.get(document, null)).not.toBe(cache.get(document, null))
    expect([cache.size, memory.bytes]).toEqual([0, 0])
  })
})
