/**
 * Spans handed from part to part instead of kept in an async context: requests are answered by callbacks, and a context that
 * follows every callback costs more than a small request.
 *
 * Without a registered SDK the API's spans have no identity of their own. The trace must go on all the same, so such a
 * span gets one here: the parent's trace id (or a new one) and a new span id.
 */
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceparent } from '@switchyard/service-kit'

export type TraceParent = {
  readonly context: SpanContext
  /** Sent on as it came. */
  readonly state: string | null
}

export class ActiveSpan {
  readonly #tracer: Tracer
  readonly #span: Span
  readonly #context: SpanContext
  readonly #state: string | null

  constructor(
    tracer: Tracer,
    name: string,
    kind: SpanKind,
    parent: TraceParent | null,
    attributes: Attributes,
  ) {
    this.#tracer = tracer
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent.context)
    this.#span = tracer.startSpan(name, { kind, attributes }, context)
    const own = this.#span.spanContext()
    this.#context =
      own.spanId !== parent?.context.spanId && isSpanContextValid(own)
        ? own
        : {
            traceId: parent?.context.traceId ?? randomHex(32),
            spanId: randomHex(16),
            traceFlags: parent?.context.traceFlags ?? TraceFlags.SAMPLED,
          }
    this.#state = parent?.state ?? null
  }

  get traceId(): string {
    return this.#context.traceId
  }

  get spanId(): string {
    return this.#context.spanId
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#context
    return `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`
  }

  get tracestate(): string | null {
    return this.#state
  }

  child(name: string, kind: SpanKind, attributes: Attributes): ActiveSpan {
    return new ActiveSpan(
      this.#tracer,
      name,
      kind,
      { context: this.#context, state: this.#state },
      attributes,
    )
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes)
  }

  end(error: string | null = null): void {
    if (error !== null) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    this.#span.end()
  }
}

const MAX_TRACESTATE_LENGTH = 512

/** null: there is no usable parent, a new trace begins. */
export function traceParent(traceparent: unknown, tracestate?: unknown): TraceParent | null {
  if (typeof traceparent !== 'string') return null
  const context = parseTraceparent(traceparent)
  if (context === null) return null
  const usable = typeof tracestate === 'string' && tracestate.length <= MAX_TRACESTATE_LENGTH
  return { context, state: usable ? tracestate : null }
}

/** Trace ids have to be unlike each other, not secret. Never all zeros, the one value that the format forbids. */
function randomHex(digits: 16 | 32): string {
  if (next + digits > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex')
    next = 0
  }
  const id = pool.slice(next, (next += digits))
  return /[^0]/.test(id) ? id : randomHex(digits)
}

/** Ids are cut from one long text: making each of its own bytes costs ten times as much. */
const POOL_BYTES = 8_192
let pool = ''
let next = 0
