/** Whether a request asks for a trace: by query parameter, which wins, or by header. */
import type { IncomingHttpHeaders } from 'node:http'
import { type AskedTrace, parseTraceArguments } from './trace-arguments.ts'
import type { TraceNames } from '../headers/trace-names.ts'

/**
 * Returns the arguments of the trace that a request asks for, or null if it asks for none. Nothing is
 * allocated if the request has neither the header nor the parameter.
 */
export function askedTrace(
  { headerKey, parameter }: TraceNames,
  headers: IncomingHttpHeaders,
  search: string,
): AskedTrace | null {
  const header = headers[headerKey]
  const mayBeNamed = search !== '' && mayName(search, parameter)
  if (header === undefined && !mayBeNamed) return null
  const parameters = mayBeNamed ? new URLSearchParams(search).getAll(parameter) : []
  if (parameters.length > 0) return parseTraceArguments(parameters.join(','))
  if (header === undefined) return null
  return parseTraceArguments(Array.isArray(header) ? header.join(',') : header)
}

/** Whether a parameter has this name, or one with percent codes that may turn out to be it. */
function mayName(search: string, name: string): boolean {
  let start = 0
  let isName = true
  for (let at = 0; at <= search.length; at += 1) {
    const character = at === search.length ? '&' : search[at]
    if (isName && character === '%') return true
    if (character !== '&' && character !== '=') continue
    if (isName && at - start === name.length && search.startsWith(name, start)) return true
    isName = character === '&'
    if (isName) start = at + 1
  }
  return false
}
