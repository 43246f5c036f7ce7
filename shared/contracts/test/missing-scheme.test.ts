import { describe, expect, it } from 'vitest'
import { missingScheme, RoutingUrl, withScheme } from '../src/index.ts'

describe('a URL without its scheme', () => {
  it.each([
    ['localhost:4000', 'http://localhost:4000'],
    ['localhost', 'http://localhost'],
    ['localhost:4000/graphql?a=b', 'http://localhost:4000/graphql?a=b'],
    ['registry.internal:4100', 'http://registry.internal:4100'],
    ['registry.internal', 'http://registry.internal'],
    ['products:4001/graphql', 'http://products:4001/graphql'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['10.0.0.7', 'http://10.0.0.7'],
    ['[::1]:4000/graphql', 'http://[::1]:4000/graphql'],
    ['api.example.com/graphql', 'https://api.example.com/graphql'],
    ['api.example.com:443', 'https://api.example.com:443'],
    ['api.example.com:8080', 'http://api.example.com:8080'],
    ['//api.example.com/graphql', 'https://api.example.com/graphql'],
  ])('%s is found out, and completed', (text, meant) => {
    expect(withScheme(text)).toBe(meant)
    expect(missingScheme(text)).toContain(`http:// or https:// is missing; did you mean "${meant}"?`)
  })

  it.each([
    'http://localhost:4000',
    'https://a',
    'ftp://a.example',
    'redis://a:1',
    'products',
    '',
    './products.graphql',
    '/graphql',
    'a b.c',
    'user:secret@registry.internal:4100',
    'registry.internal:99999999',
    'registry.internal:70000',
    `a.b/${'x'.repeat(3000)}`,
  ])('%s is none', (text) => {
    expect(missingScheme(text)).toBeNull()
  })

  it('is named as routing URL, for the registry and the command line', () => {
    expect(RoutingUrl.safeParse('localhost:4001/graphql').error?.issues[0]?.message).toBe(
      'http:// or https:// is missing; did you mean "http://localhost:4001/graphql"?',
    )
    expect(RoutingUrl.safeParse('nonsense').error?.issues[0]?.message).toContain(
      'an absolute http or https URL',
    )
  })
})
