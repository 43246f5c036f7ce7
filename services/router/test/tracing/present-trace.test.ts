import { parseTrace, type Trace } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { type PresentationOptions, presentTrace } from '../../src/tracing/present-trace.ts'
import { answered, createTrace, done, loadsOf, recorded, TestRedaction } from './traces.ts'

const SETTINGS = { allowedHeaders: [], sensitiveNames: ['token'], vendor: 'VENDOR' }

function present(trace: Trace, options: Partial<PresentationOptions> = {}): Trace {
  const { redaction, glance, making } = new TestRedaction(SETTINGS)
  const work = presentTrace(recorded(trace), {
    redaction,
    glance,
    making,
    maxSize: 1 << 20,
    predictableTimings: false,
    requestIdHeader: 'x-request-id',
    leaveOut: (wanted) => wanted,
    ...options,
  })
  return parseTrace(JSON.parse(done(work)))
}

describe('a trace as a client gets it', () => {
  it('hides what a part that is left out calls a secret', () => {
    const trace = createTrace({
      loads: [answered({ token: 'only-known-here' })],
      warnings: ['only-known-here'],
    })
    const shown = present(trace, {
      leaveOut: (trace) => ({ ...trace, fetches: { kind: 'Sequence', children: [] } }),
    })
    expect(shown.warnings).toEqual(['[redacted]'])
  })

  it('hides what was cut off because of its size elsewhere', () => {
    const body = { token: 'only-known-here', text: 'x'.repeat(5000) }
    const trace = createTrace({ loads: [answered(body)], warnings: ['only-known-here'] })
    const shown = present(trace, { maxSize: 3000 })
    expect(loadsOf(shown)).toMatchObject([{ output: { truncated: expect.any(Number) } }])
    expect(shown.warnings).toEqual(['[redacted]'])
  })

  it('hides variables given to sensitive arguments of a document that is cut off', () => {
    const query = `query ($p: String) { login(token: $p) { ${'field '.repeat(500)} } }`
    const trace = createTrace({ request: { body: { query, variables: { p: 'short' } } } })
    const shown = present(trace, { maxSize: 1500 })
    expect(shown.request.body.query).toMatch(/^\[truncated/)
    expect(shown.request.body.variables).toEqual({ p: '[redacted]' })
  })

  it('fits although the marks are longer than what they hide', () => {
    const body = Array.from({ length: 100 }, () => ({ token: 1 }))
    const trace = createTrace({ loads: [answered(body)] })
    const maxSize = Buffer.byteLength(JSON.stringify(trace))
    const shown = present(trace, { maxSize })
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(maxSize)
  })

  it('has predictable timings when they are asked for', () => {
    const shown = present(createTrace(), { predictableTimings: true })
    expect(shown.info.trace_start_time).toBe('')
  })
})
