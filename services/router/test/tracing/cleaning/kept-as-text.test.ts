/**
 * What was sent and received is kept as text, and not read when nothing in it has to be hidden. Whether that
 * is so is decided in another way than what to hide: both have to agree, however the text is written.
 */
import type { Trace } from '@switchyard/request-trace'
import { isLongRun } from '@switchyard/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { RecordedJson } from '../../../src/tracing/cleaning/recorded-json.ts'
import { answered, asked, createTrace, loadsOf, TestRedaction } from '../traces.ts'
import { randomTrace } from './random-traces.ts'

/** Each has about forty members, which are shown five times each. */
const TRACES = isLongRun() ? 24 : 5

const SETTINGS = {
  allowedHeaders: ['accept'],
  sensitiveNames: ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn'],
  vendor: 'VENDOR',
}
const shownText = (trace: Trace) => new TestRedaction(SETTINGS).shownText(trace)

const WRITINGS: readonly (readonly [string, (value: unknown) => string])[] = [
  ['as the router does', (value) => JSON.stringify(value)],
  ['with spaces and lines', (value) => JSON.stringify(value, null, '\t').replaceAll(/(?<!\\)":/g, '"\n : ')],
  // None of these is in JSON outside of strings.
  ['with escapes', (value) => JSON.stringify(value).replaceAll('o', String.raw`\u006f`)],
  ['with slashes escaped', (value) => JSON.stringify(value).replaceAll('/', String.raw`\/`)],
]

type Piece = { readonly secrets: readonly string[]; readonly body: unknown }

/**
 * Each member with a text, a number or nothing in it, by itself: together they would hide each other's
 * faults.
 */
function membersOf(value: unknown): readonly Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'object' && item !== null ? membersOf(item) : [{ [key]: item }],
  )
}

const pieces: readonly Piece[] = Array.from({ length: TRACES }, (_, seed) => randomTrace(seed + 1)).flatMap(
  ({ trace, secrets }) =>
    membersOf(loadsOf(trace).map(({ output }) => output)).map((body) => ({ secrets, body })),
)

function shown(piece: Piece, body: unknown): unknown {
  const headers = { 'x-api-key': [...piece.secrets] }
  const trace = createTrace({ request: { headers }, loads: [answered(body)] })
  return JSON.parse(shownText(trace))
}

describe('an answer that is kept as text', () => {
  let shownWhenRead: readonly unknown[] = []
  beforeAll(() => {
    shownWhenRead = pieces.map((piece) => shown(piece, piece.body))
  })

  it.each(WRITINGS)('is shown like one that was read: %s', (_, write) => {
    let changed = 0
    for (const [index, piece] of pieces.entries()) {
      const text = write(piece.body)
      expect(JSON.parse(text)).toEqual(piece.body)
      const expected = shownWhenRead[index]
      expect(shown(piece, RecordedJson.ofText(text)), text).toEqual(expected)
      changed += JSON.stringify(expected).includes(JSON.stringify(piece.body)) ? 0 : 1
    }
    expect(changed).toBeGreaterThan(pieces.length / 10)
    expect(changed).toBeLessThan(pieces.length)
  })

  it('is not read when nothing in it is to be hidden', () => {
    const body = RecordedJson.ofText(
      '{"data" : {"tokenizer": "https://host/path", "n": [1.0, "a\\n\\"b\\""]}}',
    )
    const trace = createTrace({
      request: { headers: { 'x-api-key': 'not-in-there' } },
      loads: [answered(body)],
    })
    expect(shownText(trace)).toContain(`"body":${body.text},`)
  })

  it.each([
    ['a number written in another way', '12345678', '{"n": 1.2345678e7}'],
    ['a number with a fraction', '12345678', '[12345678.0]'],
    ['base64', 'a secret of lines', '{"t":"YSBzZWNyZXQgb2YgbGluZXM="}'],
    ['half of a pair', 'half\ud800half', JSON.stringify({ t: 'half\ud800half' })],
    ['a name with an escape', 'value-of-it', '{"p\\u0061ssword":"value-of-it"}'],
    ['the password of a URL', 'nothing-of-it', '{"u":"https://me:pass@host/"}'],
    ['the query of a URL', 'nothing-of-it', '{"u":"see https://host/?key=1 there"}'],
    ['the query of a URL with escapes', 'nothing-of-it', '{"u":"https:\\/\\/host\\/?key=1"}'],
    ['JSON in a string', 'nothing-of-it', '{"t":"{\\"token\\":\\"tiny\\"}"}'],
    ['a name that stands twice', 'value-of-it', '{"password":"value-of-it","password":null}'],
  ])('hides %s', (_, secret, text) => {
    const trace = createTrace({
      request: { headers: { 'x-api-key': secret } },
      loads: [answered(RecordedJson.ofText(text))],
    })
    expect(shownText(trace)).not.toContain(text)
  })

  it('is read when a document gives another name to what is sensitive', () => {
    const query = '{ me { t: token } }'
    for (const text of ['{"me":{"t":"short"}}', '{"me":{"\\u0074":"short"}}']) {
      const request = RecordedJson.ofText(JSON.stringify({ query, variables: {} }))
      const trace = createTrace({ loads: [{ ...asked(request), ...answered(RecordedJson.ofText(text)) }] })
      expect(bodyIn(JSON.parse(shownText(trace)))).toEqual({ me: { t: '[redacted]' } })
    }
  })
})

describe('a request that is kept as text', () => {
  it('hides what its document calls secret', () => {
    const query = 'query ($p: String) { login(password: $p, apiKey: "short") }'
    const text = JSON.stringify({ query, variables: { p: 'tiny' } })
    const trace = createTrace({ loads: [asked(RecordedJson.ofText(text))] })
    const [load] = loadsOf(JSON.parse(shownText(trace)))
    expect(load?.input).toMatchObject({
      body: {
        query: 'query ($p: String) { login(password: $p, apiKey: "[redacted]") }',
        variables: { p: '[redacted]' },
      },
    })
  })

  it('is not confused by a document of the client that is the text of another', () => {
    const query = 'query ($p: String) { login(password: $p) }'
    const requests = new TestRedaction(SETTINGS)
    requests.shown(createTrace({ request: { body: { query: JSON.stringify(query) } } }))
    const text = JSON.stringify({ query, variables: { p: 'tiny' } })
    const trace = createTrace({ loads: [asked(RecordedJson.ofText(text))] })
    expect(requests.shownText(trace)).not.toContain('tiny')
  })
})

function bodyIn(trace: Trace): unknown {
  const [load] = loadsOf(trace)
  return load?.output !== undefined && 'body' in load.output ? load.output.body : undefined
}
