import { parseTrace, type Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { presentAtAGlance } from '../../../src/tracing/cleaning/present-at-a-glance.ts'
import { answered, asked, AT, createTrace, recorded, TestRedaction } from '../traces.ts'
import { formsOf, textsOf } from './secret-forms.ts'

const SETTINGS = { allowedHeaders: ['accept'], sensitiveNames: ['password', 'label'], vendor: 'VENDOR' }
const SECRET = 'hunter2-and-more'

/** A trace with each member that a trace may have, and `text` wherever it is not the router's own. */
function fullTrace(text: string): Trace {
  const load = {
    raw_input_data: { [text]: text },
    ...asked(
      { query: `{ me(named: "${text}") { id } }`, variables: { v: text } },
      { headers: { accept: text } },
    ),
    ...answered({ data: [text] }, { accept: text }),
    error: { code: 'SUBGRAPH_HTTP_ERROR', message: text },
    duration_waiting_nanoseconds: 7,
    duration_waiting_pretty: '7ns',
    ...AT,
    duration_load_nanoseconds: 5,
    duration_load_pretty: '5ns',
    load_stats: { get_conn: AT },
    hedge: true as const,
    failed_attempts: [
      { url: `http://h/${text}`, message: text, status_code: 503, given_up: true as const, ...AT },
    ],
  }
  const truncated = { raw_input_data: { truncated: 9 }, input: { truncated: 8 }, output: { truncated: 7 } }
  const trace = createTrace({
    loads: [load, truncated, {}],
    label: text,
    warnings: [text],
    request: {
      url: `/${text}`,
      headers: { accept: text, authorization: `Bearer ${SECRET}` },
      body: { query: `{ me(named: "${text}") { id } }`, operationName: text, variables: { [text]: text } },
    },
  })
  return {
    ...trace,
    composition: { ...trace.composition, feature_flag: text },
    rollouts: [
      {
        name: text,
        flag: text,
        percent: 12.5,
        outcome: 'inside',
        conditions: [
          { on: 'header:x', test: 'equals', not: true, seen: [text, text], holds: true },
          { on: 'client_version', test: 'semver', holds: false, problem: true },
        ],
        key: { source: 'claim:sub', value: text, bucket: 7 },
      },
    ],
    override_labels: [text],
    denied: [text, 'User.name'],
    asked_by: {
      client: { name: text, version: text },
      token: { provider: 'staff', issuer: text, subject: text },
      document: text,
    },
    cost: { estimated: 12, actual: null, exceeded: null },
    rate_limits: [{ name: 'everybody', exceeded: false }],
  }
}

describe('a label', () => {
  it('is hidden at a glance if its name is sensitive, whatever the document says', () => {
    const all = recorded(createTrace({ loads: [{}], label: 'Ada' }))
    const { glance } = new TestRedaction(SETTINGS)
    expect(presentAtAGlance(all, all, glance)).toBeNull()
  })
})

describe('a trace with every member', () => {
  it('is written whole', () => {
    const trace = fullTrace('Ada')
    const shown = new TestRedaction({ ...SETTINGS, allowedHeaders: ['*'], sensitiveNames: [] }).shown(trace)
    expect(shown).toEqual(trace)
    expect(parseTrace(shown)).toEqual(trace)
  })

  it('shows a secret of a header in none of them, in any form', () => {
    for (const form of formsOf(SECRET)) {
      const left = textsOf(new TestRedaction(SETTINGS).shown(fullTrace(form))).filter((text) =>
        text.includes(form),
      )
      expect(left, form).toEqual([])
    }
  })
})

describe('a secret that is the base64 of another one', () => {
  it('is hidden with the same letters, whichever was learned first', () => {
    // Two bytes stand before the secret, so that the letter next to its letters is partly of its value.
    const letters = Buffer.from('x"hunter2-and-more').toString('base64')
    const secrets = ['hunter2-and-more', letters.slice(3)]
    const shown = [secrets, secrets.toReversed()].map((keys) => {
      const request = { headers: { 'x-api-key': keys } }
      return new TestRedaction(SETTINGS).shown(createTrace({ request, warnings: [`<${letters}>`] })).warnings
    })
    expect(shown[0]).toEqual(shown[1])
  })
})
