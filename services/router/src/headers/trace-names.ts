import { headerKey } from './header-key.ts'

/** The names by which a trace is asked for: all of them carry the operator's brand, `tracing.vendor`. */
export type TraceNames = {
  /** As people write them. */
  readonly header: string
  readonly tokenHeader: string
  /** As Node.js keys headers. */
  readonly headerKey: string
  readonly tokenHeaderKey: string
  readonly parameter: string
}

/** A letter, then letters, digits and `-`: what is both part of a header name and of a query parameter. */
export const TRACE_VENDOR = /^[A-Za-z][A-Za-z0-9-]{0,30}$/

/** The names under the brand `vendor`, which has the form of `TRACE_VENDOR`. */
export function traceNames(vendor: string): TraceNames {
  const header = `X-${vendor}-Trace`
  const tokenHeader = `X-${vendor}-Token`
  return {
    header,
    tokenHeader,
    headerKey: headerKey(header),
    tokenHeaderKey: headerKey(tokenHeader),
    parameter: `${vendor.toLowerCase()}_trace`,
  }
}
