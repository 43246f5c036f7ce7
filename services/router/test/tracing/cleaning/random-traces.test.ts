import { parseTrace, type Trace } from '@switchyard/request-trace'
import { isLongRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { TestRedaction } from '../traces.ts'
import { randomTrace } from './random-traces.ts'
import { formsOf, textsOf } from './secret-forms.ts'

const TRACES = isLongRun() ? 500 : 64

const SETTINGS = {
  allowedHeaders: ['accept'],
  sensitiveNames: ['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn'],
  vendor: 'VENDOR',
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  Object.values(value).forEach(deepFreeze)
}

/** Members and items, so that nothing goes missing. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, item) => sum + countOf(item), 1)
}

describe(`${TRACES} random traces`, () => {
  const traces = Array.from({ length: TRACES }, (_, seed) => ({ seed, ...randomTrace(seed) }))
  const shown = new Map<number, Trace>()

  it('are redacted without being changed, into traces of the same form', () => {
    for (const { seed, trace } of traces) {
      deepFreeze(trace)
      const redacted = new TestRedaction(SETTINGS).shown(trace)
      shown.set(seed, parseTrace(redacted))
    }
    expect(shown.size).toBe(TRACES)
  })

  it('have secrets before, and none in any form afterwards', () => {
    let planted = 0
    for (const { seed, trace, secrets } of traces) {
      const before = textsOf(trace).join('\0')
      const after = textsOf(shown.get(seed)).join('\0')
      for (const secret of secrets) {
        const forms = formsOf(secret)
        planted += forms.filter((form) => before.includes(form)).length
        const left = forms.filter((form) => after.includes(form))
        expect(left, `seed ${seed}, secret ${secret}`).toEqual([])
      }
    }
    expect(planted).toBeGreaterThan(TRACES * 20)
  })

  it('keep everything that is not secret', () => {
    for (const { seed, plain } of traces) {
      const after = textsOf(shown.get(seed)).join('\0')
      const missing = plain.filter((word) => !after.includes(word))
      expect(missing, `seed ${seed}`).toEqual([])
    }
  })

  it('are the same after being redacted once more', () => {
    for (const { seed } of traces) {
      const once = shown.get(seed)
      if (once !== undefined) expect(new TestRedaction(SETTINGS).shown(once), `seed ${seed}`).toEqual(once)
    }
  })

  it('lose no member but those in hidden values', () => {
    for (const { seed, trace } of traces) {
      const [before, after] = [countOf(trace), countOf(shown.get(seed))]
      expect(after, `seed ${seed}`).toBeLessThanOrEqual(before)
      expect(after, `seed ${seed}`).toBeGreaterThan(before * 0.85)
    }
  })
})
