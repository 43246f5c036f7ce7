/**
 * What is presented at a glance is decided in another way than what is hidden: wherever a glance does, both
 * have to give the same bytes.
 */
import { formsOf } from './secret-forms.ts'
import { Meter } from '../../../src/tracing/cleaning/meter.ts'
import { Secrets } from '../../../src/tracing/cleaning/secrets.ts'
import type { Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { presentAtAGlance } from '../../../src/tracing/cleaning/present-at-a-glance.ts'
import { redactionRules } from '../../../src/tracing/cleaning/redaction-rules.ts'
import { answered, asked, createTrace, recorded, TestRedaction } from '../traces.ts'
import { randomTrace } from './random-traces.ts'

const SETTINGS = {
  allowedHeaders: ['accept'],
  sensitiveNames: ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn'],
  vendor: 'VENDOR',
}
const SECRETS = [
  'hunter2-and-more',
  'with "quotes" and \\',
  'line\nbreak and "',
  'grüße+aus köln',
  '1234567890',
]

function atAGlance(trace: Trace): string | null {
  const all = recorded(trace)
  return presentAtAGlance(all, all, {
    rules: redactionRules(SETTINGS),
    secrets: new Secrets(new Meter()),
  })
}

/** Whether a glance does; then it has to give what the redaction gives. */
function doesForTrace(trace: Trace, why: string): boolean {
  const glanced = atAGlance(trace)
  if (glanced === null) return false
  expect(glanced, why).toBe(new TestRedaction(SETTINGS).shownText(trace))
  return true
}

/** A trace with one text in one of its places, and a header that is hidden. */
const PLACES: Readonly<Record<string, (text: string) => Trace>> = {
  nowhere: () => createTrace({ loads: [answered({ name: 'Ada' })] }),
  'the query': (query) => createTrace({ request: { body: { query } } }),
  'a literal of the query': (text) =>
    createTrace({ request: { body: { query: `{ me(named: ${JSON.stringify(text)}) { id } }` } } }),
  'the name of the operation': (operationName) => createTrace({ request: { body: { operationName } } }),
  'a variable': (text) => createTrace({ request: { body: { variables: { name: text } } } }),
  'the name of a variable': (text) => createTrace({ request: { body: { variables: { [text]: 1 } } } }),
  'an input': (name) => createTrace({ loads: [asked({ query: '{me{id}}', variables: { name } })] }),
  'the document of an input': (text) =>
    createTrace({
      loads: [asked({ query: `{\n me(named:${JSON.stringify(text)}){id}}`, variables: {} })],
    }),
  'an output': (text) => createTrace({ loads: [answered({ data: { me: { name: text } } })] }),
  'the name of a member': (text) => createTrace({ loads: [answered({ data: { [text]: null } })] }),
  'JSON in an output': (text) => createTrace({ loads: [answered({ note: JSON.stringify({ note: text }) })] }),
  'raw input data': (text) => createTrace({ loads: [{ raw_input_data: [{ id: text }] }] }),
  'the message of an error': (message) =>
    createTrace({ loads: [{ error: { code: 'SUBGRAPH_INVALID_RESPONSE', message } }] }),
  'the message of a failed attempt': (message) =>
    createTrace({ loads: [{ failed_attempts: [{ message }] }] }),
  'the URL of a failed attempt': (text) =>
    createTrace({ loads: [{ failed_attempts: [{ url: `http://users.internal/${text}` }] }] }),
  'a header that is shown': (accept) => createTrace({ request: { headers: { accept } } }),
  'the name of a header': (text) => createTrace({ loads: [answered({}, { [text]: 'x' })] }),
  'a URL': (text) => createTrace({ loads: [asked({}, { url: `http://users.internal/${text}` })] }),
  'a warning': (text) => createTrace({ warnings: [text] }),
}

function withHeader(trace: Trace, secret: string): Trace {
  const headers = { ...trace.request.headers, authorization: `Bearer ${secret}` }
  return { ...trace, request: { ...trace.request, headers } }
}

describe('a trace that is presented at a glance', () => {
  it('is what the redaction would show, with a secret anywhere in any form', () => {
    let [done, left] = [0, 0]
    for (const secret of SECRETS)
      for (const [place, traceWith] of Object.entries(PLACES))
        for (const form of [
          ...formsOf(secret),
          JSON.stringify(secret),
          JSON.stringify(JSON.stringify(secret)),
        ])
          if (doesForTrace(withHeader(traceWith(form), secret), `${JSON.stringify(form)} in ${place}`)) done++
          else left++
    expect({ done: done > 0, left: left > 100 }).toEqual({ done: true, left: true })
  })

  it('is what the redaction would show, with names, URLs and escapes in any place', () => {
    const texts = [
      'Ada Lovelace',
      'password',
      'user"Password',
      '{"token":"x"}',
      String.raw`{"note":"{\"pass\u0077ord\":\"shown nowhere\"}"}`,
      'https://ada:lovelace@example.com/?a=b%20c',
      'two\nlines',
      'a\ttab',
      '100 % sure',
      '__proto__',
      '',
      '[[[[['.repeat(200),
    ]
    let done = 0
    for (const [place, traceWith] of Object.entries(PLACES))
      for (const text of texts)
        if (doesForTrace(withHeader(traceWith(text), 'hunter2-and-more'), `${text} in ${place}`)) done++
    expect(done).toBeGreaterThan(50)
  })

  it('is what the redaction would show of random traces', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { trace } = randomTrace(seed)
      doesForTrace(trace, `seed ${seed}`)
      const plain = { ...trace, request: createTrace().request }
      doesForTrace(plain, `seed ${seed} with another request`)
    }
  })

  it.each(Object.keys(PLACES).filter((place) => place !== 'JSON in an output'))(
    'needs no redaction for a word in %s',
    (place) => {
      expect(
        atAGlance(withHeader(PLACES[place]?.('lovelace') ?? createTrace(), 'hunter2-and-more')),
      ).not.toBeNull()
    },
  )

  it('is none that is large', () => {
    expect(atAGlance(createTrace({ loads: [answered('x'.repeat(70_000))] }))).toBeNull()
    const many = Array.from({ length: 5000 }, () => answered({}))
    expect(atAGlance(createTrace({ loads: many }))).toBeNull()
  })
})
