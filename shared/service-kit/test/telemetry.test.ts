import { trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { newTraceparent, parseTraceparent, traceparentOf, withSpan } from '../src/index.ts'

const tracer = trace.getTracer('test')
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('trace context without a registered SDK', () => {
  it('carries the trace of the caller on, under a span of its own', async () => {
    const traceparent = await withSpan(tracer, 'publish', { traceparent: PARENT }, traceparentOf)
    expect(traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    expect(traceparent).not.toBe(PARENT)
  })

  it('starts a trace when there is none', async () => {
    const first = await withSpan(tracer, 'publish', {}, traceparentOf)
    const second = await withSpan(tracer, 'publish', {}, traceparentOf)
    expect(parseTraceparent(first)).not.toBeNull()
    expect(second.slice(3, 35)).not.toBe(first.slice(3, 35))
  })

  it.each([
    '',
    'nonsense',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    `${PARENT}-more`,
  ])('starts a new trace for the unusable parent "%s"', async (traceparent) => {
    expect(parseTraceparent(traceparent)).toBeNull()
    const own = await withSpan(tracer, 'publish', { traceparent }, traceparentOf)
    expect(parseTraceparent(own)).not.toBeNull()
  })

  it('passes a thrown error on', async () => {
    await expect(
      withSpan(tracer, 'publish', {}, () => {
        throw new Error('no room')
      }),
    ).rejects.toThrow('no room')
  })

  it('makes a traceparent from nothing', () => {
    expect(parseTraceparent(newTraceparent())).not.toBeNull()
  })

  it('makes a traceparent that continues another one, if that is usable', () => {
    const outer = parseTraceparent(PARENT)
    const own = parseTraceparent(newTraceparent(PARENT))
    expect(own?.traceId).toBe(outer?.traceId)
    expect(own?.spanId).not.toBe(outer?.spanId)
    const unusable = `00-${'0'.repeat(32)}-b7ad6b7169203331-01`
    expect(parseTraceparent(newTraceparent(unusable))).not.toBeNull()
  })
})
