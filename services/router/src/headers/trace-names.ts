import { headerKey } from './header-key.ts'

/** The names by which a client asks for a trace. All of them carry the operator's brand, `tracing.vendor`. */
export type TraceNames = {
  /** Names of headers as people write them. */
  readonly header: string
  readonly tokenHeader: string
  /** The header that says who stands in where the composition of a traced request is chosen. */
  readonly standInHeader: string
  /** Names of headers as Node.js keys them. */
  readonly headerKey: string
  readonly tokenHeaderKey: string
  readonly standInHeaderKey: string
  readonly parameter: string
}

/** A letter, then letters, digits and `-`, which header names and query parameters may both have. */
export const TRACE_VENDOR = /^[A-Za-z][A-Za-z0-9-]{0,30}$/

/** Returns the names under the brand `vendor`, which has the form of `TRACE_VENDOR`. */
export function traceNames(vendor: string): TraceNames {
  const header = `X-${vendor}-Trace`
  const tokenHeader = `X-${vendor}-Token`
  const standInHeader = `${header}-As`
  return {
    header,
    tokenHeader,
    standInHeader,
    headerKey: headerKey(header),
    tokenHeaderKey: headerKey(tokenHeader),
    standInHeaderKey: headerKey(standInHeader),
    parameter: `${vendor.toLowerCase()}_trace`,
  }
}

/** Returns the headers for traces that are for the router alone: no subgraph sees them. */
export function keptTraceHeaders(vendor: string): readonly string[] {
  const { tokenHeader, standInHeader } = traceNames(vendor)
  return [tokenHeader, standInHeader]
}
