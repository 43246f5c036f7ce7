/**
 * Between the choice of a composition and the preparation of the operation: whether the request gets a trace.
 */
import type { Turns } from '@switchyard/engine'
import type { Admission } from '../generations/generations.ts'
import type { Tracing } from '../tracing/recorder/tracing.ts'
import { type TraceVerdict, traceTokenInvalid } from '../tracing/trace-gate.ts'
import type { Exchange } from './exchange.ts'
import type { GraphQLParams } from './graphql-params.ts'

/**
 * From now on the request is recorded, if that is the verdict. Throws HttpError for a token that is no good.
 */
export function beginTrace(
  exchange: Exchange,
  verdict: TraceVerdict,
  params: GraphQLParams,
  admission: Admission,
  { tracing, turns }: { readonly tracing: Tracing; readonly turns: Turns },
): void {
  if (verdict.kind === 'refused') throw traceTokenInvalid(verdict)
  if (verdict.kind === 'off' || exchange.closed) return
  const { request, report } = exchange
  const { started } = report.summary
  exchange.recordIn(tracing.begin(verdict, { request, params, admission, started, turns }))
}
