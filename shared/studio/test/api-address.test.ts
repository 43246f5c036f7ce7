import { describe, expect, it } from 'vitest'
import { addressOf } from '../src/page/api/client.ts'
import { takeLink } from '../src/page/api/take-link.ts'
import { printable } from '@switchyard/values'

describe('the address of an API call', () => {
  it('keeps names in their place, whatever they are', () => {
    expect(addressOf('/v1/graphs/{namespace}/{name}', { path: { namespace: 'a/b', name: '..?x#' } })).toBe(
      '/v1/graphs/a%2Fb/..%3Fx%23',
    )
  })

  it('leaves out what is not asked for', () => {
    expect(addressOf('/v1/log', { query: { after: 0, namespace: undefined, order: 'newest' } })).toBe(
      '/v1/log?after=0&order=newest',
    )
  })
})

describe('a one-time link', () => {
  it('is taken out of the address, which keeps the rest', () => {
    const replaced: unknown[] = []
    const address = { hash: '#t=secret', pathname: '/studio/fleet', search: '?graph=shop' }
    const history = { state: null, replaceState: (...words: unknown[]) => replaced.push(words) }
    expect(takeLink(address, history)).toBe('secret')
    expect(replaced).toEqual([[null, '', '/studio/fleet?graph=shop']])
    expect(takeLink({ ...address, hash: '#main' }, history)).toBeNull()
    expect(replaced).toHaveLength(1)
  })
})

it('shows characters that hide or turn text', () => {
  expect(printable('a\u202eb\u0007c\u200bd\ne')).toBe('a⟨202e⟩b⟨0007⟩c⟨200b⟩d\ne')
})
