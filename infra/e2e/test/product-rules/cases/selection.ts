import { request } from 'node:http'
import { expect } from 'vitest'
import { type GraphQLAnswer, variantOf } from '../../../src/index.ts'
import type { Case } from '../case.ts'
import type { RuleId } from '../rules.ts'

/** Headers as they go over the wire, several lines of a name too, and the variant that answers. */
type Row = readonly [
  rules: readonly RuleId[],
  it: string,
  headers: readonly (readonly [string, string])[],
  variant: string,
]

const H = 'X-Feature-Flag'
const rows: readonly Row[] = [
  [['select.none'], 'neither header nor cookie', [], 'base'],
  [['select.header'], 'the header', [[H, 'next']], 'next'],
  [['select.header'], 'the header in another case of its own name', [['x-FEATURE-flag', 'next']], 'next'],
  [['select.cookie'], 'the cookie', [['Cookie', 'feature_flag=next']], 'next'],
  [['select.cookie'], 'the cookie among others', [['Cookie', 'a=b; feature_flag=next; c=d']], 'next'],
  [
    ['select.header-first'],
    'both, of which only the header is valid',
    [
      [H, 'next'],
      ['Cookie', 'feature_flag=nope'],
    ],
    'next',
  ],
  [
    ['select.unknown-header-wins', 'select.header-first'],
    'an unknown header and a valid cookie',
    [
      [H, 'nope'],
      ['Cookie', 'feature_flag=next'],
    ],
    'base',
  ],
  [['select.unknown'], 'an unknown header', [[H, 'nope']], 'base'],
  [['select.unknown'], 'an unknown cookie', [['Cookie', 'feature_flag=nope']], 'base'],
  [['select.header-trimmed'], 'a header with spaces and tabs around', [[H, ' \t next \t ']], 'next'],
  [
    ['select.blank-header'],
    'an empty header and a cookie',
    [
      [H, ''],
      ['Cookie', 'feature_flag=next'],
    ],
    'next',
  ],
  [
    ['select.blank-header'],
    'a blank header and a cookie',
    [
      [H, '  \t'],
      ['Cookie', 'feature_flag=next'],
    ],
    'next',
  ],
  [['select.blank-header', 'select.none'], 'an empty header alone', [[H, '']], 'base'],
  [
    ['select.cookie-trimmed'],
    'a cookie with spaces around',
    [['Cookie', 'feature_flag =  next  ; a=b']],
    'next',
  ],
  [
    ['select.cookie-trimmed'],
    'a cookie with encoded spaces around',
    [['Cookie', 'feature_flag=%20next%20']],
    'next',
  ],
  [['select.case'], 'another case in the header', [[H, 'Next']], 'base'],
  [['select.case'], 'another case in the cookie', [['Cookie', 'feature_flag=NEXT']], 'base'],
  [['select.case'], 'another case in the name of the cookie', [['Cookie', 'Feature_Flag=next']], 'base'],
  [['select.case'], 'part of a name', [[H, 'nex']], 'base'],
  [['select.case'], 'a name and more', [[H, 'next next']], 'base'],
  [
    ['select.many-header-lines'],
    'two header lines, the first valid',
    [
      [H, 'next'],
      [H, 'nope'],
    ],
    'next',
  ],
  [
    ['select.many-header-lines'],
    'two header lines, the second valid',
    [
      [H, 'nope'],
      [H, 'next'],
    ],
    'base',
  ],
  [['select.many-header-lines'], 'one line with a comma', [[H, 'next, nope']], 'next'],
  [
    ['select.first-cookie'],
    'two cookies, the first valid',
    [['Cookie', 'feature_flag=next; feature_flag=nope']],
    'next',
  ],
  [
    ['select.first-cookie'],
    'two cookies, the second valid',
    [['Cookie', 'feature_flag=nope; feature_flag=next']],
    'base',
  ],
  [
    ['select.first-cookie'],
    'two Cookie lines, the first valid',
    [
      ['Cookie', 'feature_flag=next'],
      ['Cookie', 'feature_flag=nope'],
    ],
    'next',
  ],
  [['select.quoted-cookie'], 'a quoted cookie', [['Cookie', 'feature_flag="next"']], 'next'],
  [['select.quoted-cookie'], 'half a quote', [['Cookie', 'feature_flag="next']], 'base'],
  [['select.encoded-cookie'], 'an encoded cookie', [['Cookie', 'feature_flag=%6e%65xt']], 'next'],
  [['select.encoded-cookie'], 'a cookie encoded twice', [['Cookie', 'feature_flag=%256e%2565xt']], 'base'],
  [
    ['select.encoded-cookie', 'select.unknown'],
    'a cookie that is no encoding',
    [['Cookie', 'feature_flag=next%ZZ']],
    'base',
  ],
  [['select.unknown'], 'an empty cookie', [['Cookie', 'feature_flag=']], 'base'],
  [
    ['select.unknown'],
    'a cookie of a similar name',
    [['Cookie', 'xfeature_flag=next; feature_flag_=next']],
    'base',
  ],
  [['select.map', 'name.nasty'], 'the name "constructor2"', [[H, 'constructor2']], 'base'],
  [['select.map', 'name.nasty'], 'the name "__proto__"', [[H, '__proto__']], 'base'],
  [
    ['select.map', 'name.nasty'],
    'the name "isPrototypeOf" in a cookie',
    [['Cookie', 'feature_flag=isPrototypeOf']],
    'base',
  ],
  [['select.unknown'], 'a name of 7,000 characters', [[H, 'x'.repeat(7000)]], 'base'],
  [['select.unknown'], 'a name of Latin-1 signs', [[H, 'n\u00e9xt']], 'base'],
]

export const selection: readonly Case[] = rows.map(
  ([rules, it, headers, variant]): Case => ({
    rules: [...rules, 'select.vary', 'select.response-header'],
    it: `${it}: ${variant}`,
    async run({ system, routersAnswer }) {
      await routersAnswer('next', { [H]: 'next' })
      for (const url of system.routerUrls) {
        const answer = await ask(url, headers)
        expect(variantOf(answer)).toBe(variant)
        expect(answer.headers.get('x-feature-flag')).toBe(variant === 'next' ? 'next' : null)
        expect(answer.headers.get('vary')).toBe('Accept, X-Feature-Flag, Cookie')
      }
    },
  }),
)

/** As `query`, with the header lines exactly as they are given. */
async function ask(url: string, headers: readonly (readonly [string, string])[]): Promise<GraphQLAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GraphQLAnswer>()
  const lines: Record<string, string[]> = {}
  for (const [name, value] of headers) lines[name] = [...(lines[name] ?? []), value]
  const post = request(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...lines },
  })
  post.on('error', reject)
  post.on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => (text += chunk))
    response.on('error', reject)
    response.on('end', () => {
      const received = Object.entries(response.headers).map(
        ([name, value]) => [name, String(value)] as [string, string],
      )
      resolve({ status: response.statusCode ?? 0, headers: new Headers(received), body: JSON.parse(text) })
    })
  })
  post.end(JSON.stringify({ query: '{ products { nameVariant stockVariant } }' }))
  return promise
}
