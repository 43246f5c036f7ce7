/**
 * Spans handed from part to part instead of kept in an async context: requests are answered by callbacks, and
 * a context that follows every callback costs more than a small request.
 *
 * A span that nobody records still has an identity, since the trace must go on in subgraphs and in the log:
 * that of the SDK, or where there is none the parent's trace id (or a new one) and a new span id. Nothing
 * else is done for it.
 */
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { NO_PARENT, type ReceivedTraceContext, traceparentText } from '@switchyard/service-kit'
import { ownText } from '../memory/own-text.ts'

/** A span that has begun, or the identity of one that nobody records. */
export class ActiveSpan {
  readonly #tracer: Tracer
  /** The span of the tracer; null if nobody records it. */
  readonly #span: Span | null
  readonly #parent: ReceivedTraceContext
  readonly context: SpanContext
  /** Whether the process keeps spans. If not, no sampler is asked about any span. */
  readonly spansAreKept: boolean

  private constructor(
    tracer: Tracer,
    span: Span | null,
    context: SpanContext,
    parent: ReceivedTraceContext,
    spansAreKept: boolean,
  ) {
    this.#tracer = tracer
    this.#span = span
    this.context = context
    this.#parent = parent
    this.spansAreKept = spansAreKept
  }

  /** `attributes`: those that a sampler may decide by. `links`: to spans of other traces. */
  static begin(
    tracer: Tracer,
    name: string,
    kind: SpanKind,
    parent: ReceivedTraceContext,
    attributes: Attributes,
    links: Link[] = [],
  ): ActiveSpan {
    const above = parent.context
    const context = above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above)
    const span = tracer.startSpan(name, { kind, attributes, links }, context)
    const own = span.spanContext()
    // Where no SDK is registered, the span is the parent once more, or nothing.
    const hasIdentity = own.spanId !== above?.spanId && isSpanContextValid(own)
    return new ActiveSpan(
      tracer,
      span.isRecording() ? span : null,
      hasIdentity ? own : identityBelow(above),
      parent,
      hasIdentity,
    )
  }

  get traceId(): string {
    return this.context.traceId
  }

  get spanId(): string {
    return this.context.spanId
  }

  /** Returns the trace context that came with the request to which the span belongs. */
  get parent(): ReceivedTraceContext {
    return this.#parent
  }

  /** Whether it is worth while to find out what it could say. */
  get isRecording(): boolean {
    return this.#span !== null
  }

  get traceparent(): string {
    return traceparentText(this.context)
  }

  /**
   * Returns the same span for something that is kept for long: ids that are parts of a longer text hold all
   * of that text.
   */
  kept(): ActiveSpan {
    const { traceId, spanId } = this.context
    const context = { ...this.context, traceId: ownText(traceId), spanId: ownText(spanId) }
    return new ActiveSpan(this.#tracer, this.#span, context, this.#parent, this.spansAreKept)
  }

  /** Below a span that is recorded. */
  child(name: string, kind: SpanKind, attributes: Attributes, links?: Link[]): ActiveSpan {
    const parent = { ...this.#parent, context: this.context }
    return ActiveSpan.begin(this.#tracer, name, kind, parent, attributes, links)
  }

  /**
   * Below a span that is not recorded: no sampler records what is below it, but it goes on in what it calls.
   */
  unrecordedChild(): ActiveSpan {
    return new ActiveSpan(this.#tracer, null, identityBelow(this.context), this.#parent, this.spansAreKept)
  }

  /**
   * Begins a span of a new trace, with a link to this span. A sampler decides about it as about any trace
   * without a parent, whatever was decided about this span. What calls hand on besides the trace is the
   * baggage alone, since `tracestate` belongs to the other trace.
   */
  beginLinked(name: string, kind: SpanKind): ActiveSpan {
    const { baggage } = this.#parent
    const parent = baggage === null ? NO_PARENT : { ...NO_PARENT, baggage }
    if (!this.spansAreKept) return new ActiveSpan(this.#tracer, null, identityBelow(null), parent, false)
    return ActiveSpan.begin(this.#tracer, name, kind, parent, {}, [{ context: this.context }])
  }

  /** A part of it that is over. Times are Unix milliseconds. */
  past(name: string, kind: SpanKind, start: number, end: number): void {
    if (this.#span === null) return
    const below = trace.setSpanContext(ROOT_CONTEXT, this.context)
    this.#tracer.startSpan(name, { kind, startTime: start }, below).end(end)
  }

  set(attributes: Attributes): void {
    this.#span?.setAttributes(attributes)
  }

  event(name: string, attributes: Attributes): void {
    this.#span?.addEvent(name, attributes)
  }

  /** Notes what it failed with. It goes on. */
  fail(error: string): void {
    this.#span?.setStatus({ code: SpanStatusCode.ERROR, message: error })
  }

  /** `error`: what it failed with. */
  end(error: string | null = null): void {
    if (error !== null) this.fail(error)
    this.#span?.end()
  }
}

function identityBelow(parent: SpanContext | null): SpanContext {
  return {
    traceId: parent?.traceId ?? randomHex(32),
    spanId: randomHex(16),
    traceFlags: parent?.traceFlags ?? TraceFlags.SAMPLED,
  }
}

/**
 * Trace ids have to be unlike each other, not secret. Never all zeros, the one value that the format forbids.
 */
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
