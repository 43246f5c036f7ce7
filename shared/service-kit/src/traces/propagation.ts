/**
 * How the trace that a request belongs to is read from its headers, and written into those of the requests
 * that it causes, as `OTEL_PROPAGATORS` says. Unless it says something else that is W3C Trace Context alone:
 * the standard's default would hand on the `baggage` of strangers as well.
 */
import type { IncomingHttpHeaders } from 'node:http'
import {
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import type { Environment } from '../process/environment.ts'
import type { Logger } from '../logging/logger.ts'
import { parseTraceparent, traceparentText } from './traceparent.ts'
import { logEvent } from '../logging/log-event.ts'

/** The trace context that came with a request. */
export type ReceivedTraceContext = {
  /** The span that sent the request; null if the request belongs to no trace yet. */
  readonly context: SpanContext | null
  /** `tracestate`, handed on as it came. */
  readonly state: string | null
  /** `baggage`, handed on as it came. */
  readonly baggage: string | null
}

export const NO_PARENT: ReceivedTraceContext = { context: null, state: null, baggage: null }

export interface Propagation {
  /** Headers beside those of the trace that are handed on as they came: their names in lower case. */
  readonly handedOn: readonly string[]
  extract(headers: IncomingHttpHeaders): ReceivedTraceContext
  /**
   * Appends names and values alternately, unless a name is there already. `context` is that of the span that
   * causes the request.
   */
  inject(context: SpanContext, parent: ReceivedTraceContext, out: string[]): void
}

export const PROPAGATORS = ['tracecontext', 'baggage', 'b3', 'b3multi', 'jaeger', 'none'] as const
type PropagatorName = (typeof PROPAGATORS)[number]

const MAX_TRACESTATE_LENGTH = 512
/** https://www.w3.org/TR/baggage/#limits */
const MAX_BAGGAGE_LENGTH = 8192

/** W3C Trace Context. */
export const TRACE_CONTEXT: Propagation = {
  handedOn: [],
  extract({ traceparent, tracestate }) {
    const context = typeof traceparent === 'string' ? parseTraceparent(traceparent) : null
    if (context === null) return NO_PARENT
    const isUsable = typeof tracestate === 'string' && tracestate.length <= MAX_TRACESTATE_LENGTH
    if (!isUsable) return { context, state: null, baggage: null }
    return {
      context: { ...context, traceState: createTraceState(tracestate) },
      state: tracestate,
      baggage: null,
    }
  },
  inject(context, { state }, out) {
    out.push('traceparent', traceparentText(context))
    if (state !== null) out.push('tracestate', state)
  },
}

const BAGGAGE: Propagation = {
  handedOn: ['baggage'],
  extract({ baggage }) {
    const isUsable = typeof baggage === 'string' && baggage.length <= MAX_BAGGAGE_LENGTH
    return isUsable ? { ...NO_PARENT, baggage } : NO_PARENT
  },
  inject(_context, { baggage }, out) {
    if (baggage !== null && !hasName(out, 'baggage')) out.push('baggage', baggage)
  },
}

/** The log events of this file. */
export const LOGGED = {
  settingIgnored: logEvent('telemetry.setting-ignored', {
    level: 'warn',
    says: 'An `OTEL_*` variable has a value that is not used.',
    advice: 'Act on the message of the line',
  }),
}

/** Unknown names are told and left out, as the specification asks for. */
export async function openPropagation(env: Environment, logger: Logger): Promise<Propagation> {
  const given = (env['OTEL_PROPAGATORS'] ?? '').split(',').map((name) => name.trim())
  const asked = [...new Set(given.filter((name) => name !== ''))]
  if (asked.length === 0) return TRACE_CONTEXT
  const known = PROPAGATORS.filter((name) => asked.includes(name))
  const unknown = asked.filter((name) => !known.some((other) => other === name))
  if (unknown.length > 0) {
    LOGGED.settingIgnored.write(
      logger,
      {},
      `OTEL_PROPAGATORS names ${unknown.join(', ').slice(0, 200)}, which is not known here and left out. Known are ${PROPAGATORS.join(', ')}.`,
    )
  }
  // In the order in which they were named: what the first of them finds is the parent.
  const names = asked.flatMap((name) => known.find((other) => other === name) ?? [])
  return allOf(await Promise.all(names.filter((name) => name !== 'none').map(open)))
}

async function open(name: Exclude<PropagatorName, 'none'>): Promise<Propagation> {
  switch (name) {
    case 'tracecontext':
      return TRACE_CONTEXT
    case 'baggage':
      return BAGGAGE
    case 'b3':
    case 'b3multi': {
      const { B3InjectEncoding, B3Propagator } = await import('@opentelemetry/propagator-b3')
      const { SINGLE_HEADER, MULTI_HEADER } = B3InjectEncoding
      return by(new B3Propagator({ injectEncoding: name === 'b3' ? SINGLE_HEADER : MULTI_HEADER }))
    }
    case 'jaeger': {
      const { JaegerPropagator } = await import('@opentelemetry/propagator-jaeger')
      return by(new JaegerPropagator())
    }
    default:
      return name satisfies never
  }
}

/** Propagates by a package of OpenTelemetry: the trace alone, no baggage. */
function by(propagator: TextMapPropagator): Propagation {
  return {
    handedOn: [],
    extract(headers) {
      const found = propagator.extract(ROOT_CONTEXT, headers, {
        get: (carrier: IncomingHttpHeaders, name) => carrier[name.toLowerCase()],
        keys: () => [],
      })
      const context = trace.getSpanContext(found)
      return context !== undefined && isSpanContextValid(context) ? { ...NO_PARENT, context } : NO_PARENT
    },
    inject(context, _parent, out) {
      propagator.inject(trace.setSpanContext(ROOT_CONTEXT, context), out, {
        set: (list: string[], name, value) => {
          const lower = name.toLowerCase()
          if (!hasName(list, lower)) list.push(lower, value)
        },
      })
    },
  }
}

function allOf(propagations: readonly Propagation[]): Propagation {
  const [only, second] = propagations
  if (only !== undefined && second === undefined) return only
  return {
    handedOn: propagations.flatMap((each) => each.handedOn),
    extract(headers) {
      const parents = propagations.map((each) => each.extract(headers))
      const parent = parents.find(({ context }) => context !== null) ?? NO_PARENT
      return { ...parent, baggage: parents.find(({ baggage }) => baggage !== null)?.baggage ?? null }
    },
    inject(context, parent, out) {
      for (const each of propagations) each.inject(context, parent, out)
    },
  }
}

function hasName(list: readonly string[], name: string): boolean {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return true
  return false
}
