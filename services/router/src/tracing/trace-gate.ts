/**
 * Decides who gets a trace. The order of the questions is the promise: switched off wins over everything, a
 * client that does not ask for a trace is never refused, and a client that asks with an invalid token is told
 * so instead of being answered without a trace.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Jwks } from '@switchyard/contracts'
import { HttpError } from '../errors/http-error.ts'
import { type AskedTrace, type TraceArguments, without } from './trace-arguments.ts'
import { traceNames } from '../headers/trace-names.ts'
import { askedTrace } from './trace-request.ts'
import { type CheckedToken, TraceTokens } from './trace-token.ts'

export type TraceGateSettings = {
  readonly enabled: boolean
  readonly devMode: boolean
  readonly forceUnauthenticated: boolean
  readonly vendor: string
}

export type TraceQuestion = {
  readonly headers: IncomingHttpHeaders
  /** The query string of the URL, without `?`. */
  readonly search: string
  /** `traceKeys` of the config that the request was admitted to. */
  readonly keys: Jwks
  /** `traceAudience` of that config: `<namespace>/<graph>`. */
  readonly audience: string
}

export type TraceVerdict =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'trace'
      readonly arguments: TraceArguments
      /** Warnings to be shown in the trace. */
      readonly warnings: readonly string[]
    }
  /** `traceTokenInvalid` is how it is answered; nothing is executed. */
  | { readonly kind: 'refused'; readonly message: string }

export interface TraceGate {
  /** Decides at once, and without allocating anything, if no trace is asked for. */
  admit(question: TraceQuestion): TraceVerdict | Promise<TraceVerdict>
}

const OFF: TraceVerdict = { kind: 'off' }

/** `now`: Unix milliseconds. */
export function createTraceGate(settings: TraceGateSettings, now: () => number = Date.now): TraceGate {
  const { enabled, devMode, forceUnauthenticated, vendor } = settings
  const names = traceNames(vendor)
  const tokens = new TraceTokens()
  return {
    admit({ headers, search, keys, audience }) {
      if (!enabled) return OFF
      const asked = askedTrace(names, headers, search)
      if (asked === null) return OFF
      if (devMode || forceUnauthenticated) return { kind: 'trace', ...asked }
      const token = headers[names.tokenHeaderKey]
      if (token === undefined) return OFF
      if (keys.keys.length === 0) return { kind: 'refused', message: NO_KEYS }
      // Node.js joins repeated headers of this kind: two tokens are none.
      const checked = tokens.check(Array.isArray(token) ? token.join(', ') : token, {
        keys,
        audience,
        now: now(),
      })
      return checked instanceof Promise
        ? checked.then((result) => verdictOf(result, asked))
        : verdictOf(checked, asked)
    },
  }
}

const NO_KEYS =
  'This router knows no key to check a trace token with: its configuration names none. Create one with "switchyard registry trace-key create", or leave the trace header out.'

function verdictOf(checked: CheckedToken, asked: AskedTrace): TraceVerdict {
  if (checked.kind === 'bad') return { kind: 'refused', message: checked.message }
  return {
    kind: 'trace',
    arguments: without(asked.arguments, checked.exclude),
    warnings: asked.warnings,
  }
}

export function traceTokenInvalid({ message }: Extract<TraceVerdict, { kind: 'refused' }>): HttpError {
  return new HttpError('TRACE_TOKEN_INVALID', message, { 'WWW-Authenticate': 'TraceToken' })
}
