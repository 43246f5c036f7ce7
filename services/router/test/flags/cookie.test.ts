import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { CookieJar, cookieValue } from '../../src/flags/cookie.ts'

/** Cuts the header into pairs, as RFC 6265 describes it. */
function plainly(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    return pair.slice(equals + 1).trim()
  }
  return null
}

it('a cookie is found as in the list of all pairs', () => {
  const piece = fc.constantFrom('a', 'aa', 'b', '=', ';', ' ', '\t', '\u00a0', 'ab', 'a=', '; a')
  const header = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
  const property = fc.property(header, fc.constantFrom('a', 'aa', 'ab', 'b'), (text, name) => {
    const jar = new CookieJar()
    const values = [cookieValue(text, name), jar.value(text, name), jar.value(text, name)]
    expect(new Set(values)).toEqual(new Set([plainly(text, name)]))
  })
  fc.assert(property, { numRuns: 5000 })
})

it.each([
  ['a="b c"', 'b c'],
  ['a=%7Bx%7D', '{x}'],
  ['a=%', '%'],
  ['a="', '"'],
  ['a', null],
  ['', null],
])('the value in %j is %j', (header, value) => {
  expect([cookieValue(header, 'a'), new CookieJar().value(header, 'a')]).toEqual([value, value])
  expect(cookieValue(header, '')).toBeNull()
})
