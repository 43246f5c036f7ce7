/** Another user as somebody types it, and what the router is sent. */
import { describe, expect, it } from 'vitest'
import { NOBODY_ELSE, readStandIn, type StandInFields } from '../src/page/stand-in.ts'

const read = (fields: Partial<StandInFields>) => readStandIn({ ...NOBODY_ELSE, ...fields })
const sent = (fields: Partial<StandInFields>): unknown => {
  const { encoded } = read(fields)
  return encoded === null ? null : JSON.parse(Buffer.from(encoded, 'base64').toString())
}

describe('what is sent', () => {
  it.each<[string, Partial<StandInFields>, unknown]>([
    ['nothing for blank fields', { claims: ' ', headers: '\n ', cookies: '' }, null],
    ['claims as they are', { claims: '{"sub":"änn","n":[1,{}]}' }, { claims: { sub: 'änn', n: [1, {}] } }],
    ['nobody with claims', { claims: '{}' }, { claims: {} }],
    [
      'headers, with blank lines between them and colons in them',
      { headers: 'X-Region:eu\n\n X-At : 10:30 ' },
      { headers: { 'X-Region': 'eu', 'X-At': '10:30' } },
    ],
    ['an empty header', { headers: 'X-Empty:' }, { headers: { 'X-Empty': '' } }],
    [
      'cookies as one header, encoded where cookies must be',
      { cookies: 'a=b=c\nd=e f;"ü%20' },
      { headers: { Cookie: 'a=b=c; d=e%20f%3B%22%C3%BC%20' } },
    ],
    [
      'all of them',
      { claims: '{"sub":"ann"}', headers: 'a: b', cookies: 'c=d' },
      { claims: { sub: 'ann' }, headers: { a: 'b', Cookie: 'c=d' } },
    ],
    [
      'names that every object has',
      { claims: '{"__proto__":{"a":1}}', headers: '__proto__: a' },
      JSON.parse('{"claims":{"__proto__":{"a":1}},"headers":{"__proto__":"a"}}'),
    ],
    ['a surrogate without its other half', { cookies: 'a=\ud800' }, { headers: { Cookie: 'a=%EF%BF%BD' } }],
  ])('%s', (_, fields, expected) => {
    expect(sent(fields)).toEqual(expected)
    expect(read(fields).problems).toEqual({ claims: null, headers: null, cookies: null })
  })
})

describe('a field with a problem', () => {
  it.each<[Partial<StandInFields>, keyof StandInFields, string]>([
    [{ claims: '{"sub":' }, 'claims', 'This is no JSON object.'],
    [{ claims: '["sub"]' }, 'claims', 'This is no JSON object.'],
    [{ claims: 'null' }, 'claims', 'This is no JSON object.'],
    [{ headers: 'a: b\nX Region: eu' }, 'headers', 'Line 2: expected name: value.'],
    [{ headers: 'eu' }, 'headers', 'Line 1: expected name: value.'],
    [{ headers: ': eu' }, 'headers', 'Line 1: expected name: value.'],
    [{ headers: 'x: 日本' }, 'headers', 'Line 1: no header can have this value.'],
    [{ headers: 'A: 1\na: 2' }, 'headers', 'Line 2: a is there twice.'],
    [{ cookies: 'a' }, 'cookies', 'Line 1: expected name=value.'],
    [{ cookies: 'a=1\na=2' }, 'cookies', 'Line 2: a is there twice.'],
    [
      { headers: 'cookie: a=b', cookies: 'c=d' },
      'headers',
      'Line 1: cookies are in the field for them already.',
    ],
    [
      { claims: `{"a":"${'x'.repeat(6200)}"}` },
      'claims',
      'The three fields together are longer than a router takes.',
    ],
  ])('%j', (fields, field, problem) => {
    const { problems, encoded } = read(fields)
    expect([problems[field], encoded]).toEqual([problem, null])
  })
})
