import { headerKey } from './header-key.ts'

/** The names by which a client asks for a trace. All of them carry the operator's brand, `tracing.vendor`. */
export type TraceNames = {
  /** Names of headers as people write them. */
  readonly header: string
  readonly tokenHeader: string
  /** Names of headers as Node.js keys them. */
  readonly headerKey: string
  readonly tokenHeaderKey: string
  readonly parameter: string
}

/** A letter, then letters, digits and `-`, which header names and query parameters may both have. */
export const TRACE_VENDOR = /^[A-Za-z][A-Za-z0-9-]{0,30}$/

/** Returns the names under the brand `vendor`, which has the form of `TRACE_VENDOR`. */
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
