import { parseTrace, type Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { type PresentationOptions, presentTrace } from '../../src/tracing/present-trace.ts'
import { createRedactor } from '../../src/tracing/redaction/redactor.ts'
import { answered, createTrace, loadsOf } from './traces.ts'

const redactor = createRedactor({ allowedHeaders: [], sensitiveNames: ['token'], vendor: 'VENDOR' })
const ALL = { maxSize: 1 << 20, predictableTimings: false, leaveOut: (trace: Trace) => trace }

function present(recorded: Trace, options: PresentationOptions): Trace {
  return parseTrace(JSON.parse(presentTrace(recorded, options)))
}

describe('a trace as a client gets it', () => {
  it('hides what a part that is left out calls a secret', () => {
    const recorded = createTrace({
      loads: [answered({ token: 'only-known-here' })],
      warnings: ['only-known-here'],
    })
    const shown = present(recorded, {
      ...ALL,
      redaction: redactor(),
      leaveOut: (trace) => ({ ...trace, fetches: { kind: 'Sequence', children: [] } }),
    })
    expect(shown.warnings).toEqual(['[redacted]'])
  })

  it('hides what was cut off because of its size elsewhere', () => {
    const body = { token: 'only-known-here', text: 'x'.repeat(5000) }
    const recorded = createTrace({ loads: [answered(body)], warnings: ['only-known-here'] })
    const shown = present(recorded, { ...ALL, redaction: redactor(), maxSize: 3000 })
    expect(loadsOf(shown)).toMatchObject([{ output: { truncated: expect.any(Number) } }])
    expect(shown.warnings).toEqual(['[redacted]'])
  })

  it('hides variables given to sensitive arguments of a document that is cut off', () => {
    const query = `query ($p: String) { login(token: $p) { ${'field '.repeat(500)} } }`
    const recorded = createTrace({ request: { body: { query, variables: { p: 'short' } } } })
    const shown = present(recorded, { ...ALL, redaction: redactor(), maxSize: 1500 })
    expect(shown.request.body.query).toMatch(/^\[truncated/)
    expect(shown.request.body.variables).toEqual({ p: '[redacted]' })
  })

  it('fits although the marks are longer than what they hide', () => {
    const body = Array.from({ length: 100 }, () => ({ token: 1 }))
    const recorded = createTrace({ loads: [answered(body)] })
    const maxSize = Buffer.byteLength(JSON.stringify(recorded))
    const shown = present(recorded, { ...ALL, redaction: redactor(), maxSize })
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(maxSize)
  })

  it('has predictable timings when they are asked for', () => {
    const shown = present(createTrace(), { ...ALL, redaction: redactor(), predictableTimings: true })
    expect(shown.info.trace_start_time).toBe('')
  })
})
