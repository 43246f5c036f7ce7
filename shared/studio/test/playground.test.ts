/** What the playground sends, and what its address says. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fragmentOf, MAX_FRAGMENT, readFragment, type Shared } from '../src/page/pages/playground/address.ts'
import { curlWords, MistakeError, questionOf } from '../src/page/pages/playground/question.ts'

const URL = 'http://localhost:4000/graphql'
const written = (query: string, variables = '', headers = '') => ({ query, variables, headers })

describe('the address of the playground', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/)
  const shared = fc.record({
    query: fc.string(),
    variables: fc.string().map((text) => (text.trim() === '' ? '' : text)),
    flag: fc.option(name),
    compare: fc.oneof(fc.constant(undefined), fc.option(name)),
  })

  it('says again what was written into it', () => {
    fc.assert(
      fc.property(shared, (one: Shared) => {
        const fragment = fragmentOf(one)
        expect(fragment).not.toBeNull()
        expect(readFragment(`#${fragment}`)).toEqual(one)
      }),
    )
  })

  it('holds no operation that is too long, and reads none', () => {
    const long = { query: 'x'.repeat(MAX_FRAGMENT), variables: '', flag: null, compare: undefined }
    expect(fragmentOf(long)).toBeNull()
    expect(readFragment(`query=${long.query}`)).toBeNull()
  })

  it.each(['', '#', '#t=secret', '#%E0%A4%A'])('says nothing of an operation as %s', (fragment) =>
    expect(readFragment(fragment)).toBeNull(),
  )

  it('can name no flag whose name is as long as a text', () => {
    expect(readFragment(`query=a&flag=${'f'.repeat(500)}`)?.flag).toBeNull()
  })
})

describe('a request of the playground', () => {
  it('names the flag, asks for the trace, and has the headers of the person', () => {
    const trace = { vendor: 'acme', token: 'abc' }
    const asked = questionOf(URL, written('{ a }', '{"id":1}', '{"X-User":"ann"}'), 'prices', trace)
    expect(asked.body).toBe('{"query":"{ a }","variables":{"id":1}}')
    expect(new Headers(asked.headers.map(([key, value]): [string, string] => [key, value]))).toEqual(
      new Headers({
        'content-type': 'application/json',
        accept:
          'multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9',
        'x-feature-flag': 'prices',
        'x-acme-trace': 'true',
        'x-acme-token': 'abc',
        'x-user': 'ann',
      }),
    )
  })

  it('is a command as well', () => {
    expect(curlWords(questionOf(URL, written('{ a }'), null, null))).toEqual([
      'curl',
      '-sN',
      URL,
      '-H',
      'Content-Type: application/json',
      '-H',
      expect.stringMatching(/^Accept: multipart\/mixed/),
      '-d',
      '{"query":"{ a }"}',
    ])
  })

  it.each([
    ['', '', '', /no operation yet/],
    ['{ a }', '{', '', /variables are no JSON/],
    ['{ a }', '[]', '', /variables are no object/],
    ['{ a }', '', '{"a b":"c"}', /header "a b" cannot be sent/],
    ['{ a }', '', '{"x":"a\\nb"}', /header "x" cannot be sent/],
    ['x'.repeat(1_000_000), '', '', /too large/],
  ])('is refused before it is sent: %.10s %s %s', (query, variables, headers, said) => {
    const ask = () => questionOf(URL, written(query, variables, headers), null, null)
    expect(ask).toThrow(MistakeError)
    expect(ask).toThrow(said)
  })
})
