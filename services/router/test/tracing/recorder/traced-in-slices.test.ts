/** Traces that take long to be made. */
import type { Turns } from '@switchyard/engine'
import { parseTrace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { RequestTrace } from '../../../src/tracing/recorder/request-trace.ts'
import type { RequestRecorder } from '../../../src/tracing/recorder/request-recorder.ts'
import { RecordedJson } from '../../../src/tracing/cleaning/recorded-json.ts'
import { redactionRules } from '../../../src/tracing/cleaning/redaction-rules.ts'
import { parseTraceArguments } from '../../../src/tracing/trace-arguments.ts'
import { startLedger, data } from '../../support/ledger.ts'
import { answered, createTrace, loadsOf } from '../traces.ts'
import { traced } from './traced.ts'

const MEBIBYTE = 1 << 20

function traceOf(answers: readonly string[], maxSize = 4 * MEBIBYTE) {
  let disposed = false
  const recorder: Pick<RequestRecorder, 'trace' | typeof Symbol.dispose> = {
    trace: () =>
      createTrace({
        loads: answers.map((answer) => answered(RecordedJson.ofText(answer))),
        warnings: ['a token-of-it there'],
      }),
    [Symbol.dispose]: () => (disposed = true),
  }
  const turns = { count: 0, next: () => Promise.resolve(void turns.count++) } satisfies Turns & {
    count: number
  }
  const asked = parseTraceArguments('true')
  if (asked === null) throw new Error('No trace is asked for')
  const trace = new RequestTrace(recorder as RequestRecorder, {
    arguments: asked.arguments,
    redaction: redactionRules({ allowedHeaders: [], sensitiveNames: ['token'], vendor: 'VENDOR' }),
    requestIdHeader: 'x-request-id',
    maxSize,
    turns,
  })
  return { trace, turns, isDisposed: () => disposed }
}

const answerOf = (size: number) =>
  JSON.stringify({ token: 'token-of-it', text: 'some words, '.repeat(size / 12) })
const shownIn = (json: string | null) => parseTrace({ extensions: JSON.parse(json ?? '') })

describe('a trace that is asked for', () => {
  it('is there at once when it is small', () => {
    const { trace, turns } = traceOf([answerOf(10_000)])
    expect(trace.extensions()).toContain('a [redacted] there')
    expect(turns.count).toBe(0)
  })

  it('is made in turns when it is large, once with all its answers', async () => {
    const { trace, turns } = traceOf([answerOf(MEBIBYTE), answerOf(MEBIBYTE)])
    const made = trace.extensions()
    expect(made).toBeInstanceOf(Promise)
    const text = await made
    expect(text?.length).toBeGreaterThan(2 * MEBIBYTE)
    expect(shownIn(text).warnings).toEqual(['a [redacted] there'])
    expect(turns.count).toBeGreaterThan(5)
  })

  it('is given up when the client is gone', async () => {
    const { trace, turns, isDisposed } = traceOf([answerOf(MEBIBYTE)])
    const made = trace.extensions()
    trace[Symbol.dispose]()
    expect(await made).toBe(null)
    expect(turns.count).toBe(1)
    expect(isDisposed()).toBe(true)
  })

  it('shows no data and no texts when there is more than is searched, also the next time', async () => {
    const { trace } = traceOf(Array.from({ length: 40 }, () => answerOf(MEBIBYTE)))
    for (const made of [await trace.extensions(), await trace.extensions()]) {
      const shown = shownIn(made)
      expect(loadsOf(shown).some((load) => 'output' in load)).toBe(false)
      expect(shown.warnings).toEqual([
        '[left out: too many secrets]',
        expect.stringMatching(/^More was sent and received/),
      ])
      expect(made).not.toContain('token-of-it')
    }
  })
})

describe('a router that traces a large answer', () => {
  it('shows that it was cut, and hides its secrets elsewhere', async () => {
    await using ledger = await startLedger('{ dev_mode: true }')
    const list = JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ n, text: 'some words of it' })))
    ledger.ledger.answers(data(`{"echo":"x","token":"token-of-it","list":${list}}`))
    const { trace, fetches, reply } = await traced(ledger.router, { query: '{ echo(id: "token-of-it") }' })
    expect(reply.json.data).toEqual({ echo: 'x' })
    expect(fetches[0]?.trace.output).toEqual({ truncated: expect.any(Number) })
    expect(trace.request.body.query).toBe('{ echo(id: "[redacted]") }')
  })
})
