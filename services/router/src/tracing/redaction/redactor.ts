/**
 * Takes out of a trace what not everyone who may see the trace may see.
 *
 * Hidden where they stand: headers that are not listed, user, password and query string of URLs, and values with sensitive
 * names in variables, requests to subgraphs, their answers and the objects requests were made from, in the text of documents
 * and in JSON inside of strings. Whatever was hidden and has eight characters or more is a secret, and hidden everywhere else
 * in the trace, however encoded. What the router itself says (kinds, codes, times) stays, so that the trace stays readable.
 */
import type { Trace } from '@switchyard/request-trace'
import { valueOf } from '../recorded-json.ts'
import { traceNames } from '../trace-names.ts'
import { DocumentCache } from './document-cache.ts'
import { JsonGlance } from './json-glance.ts'
import { Redaction } from './redaction.ts'
import { sensitiveNames } from './sensitive-names.ts'

export type RedactionSettings = {
  /** `*`: all. */
  readonly allowedHeaders: readonly string[]
  readonly sensitiveNames: readonly string[]
  /** Part of the name of the header by which a trace is asked for. */
  readonly vendor: string
}

/** For one request. */
export interface RequestRedaction {
  /** Takes notice of the secrets in a trace from which parts are left out before it is shown: they may be in other parts too. */
  learn(trace: Trace): void
  /**
   * What may be shown of a trace that is all of what was learned, or part of it. Shares with it what did not change.
   * Throws RangeError for data that nests too deeply.
   */
  hide(trace: Trace): Trace
}

/** All headers allowed and no sensitive name: traces are shown as they are. */
export function createRedactor(settings: RedactionSettings): () => RequestRedaction {
  const allowed = new Set(settings.allowedHeaders.map((name) => name.toLowerCase()))
  const allHeaders = allowed.has('*')
  if (allHeaders && settings.sensitiveNames.length === 0) return () => NOTHING_HIDDEN
  const isSensitive = sensitiveNames(settings.sensitiveNames)
  const rules = {
    isHeaderAllowed: (name: string) => allHeaders || allowed.has(name.toLowerCase()),
    isSensitive,
    traceHeader: traceNames(settings.vendor).headerKey,
    documents: new DocumentCache(isSensitive),
    glance: new JsonGlance(isSensitive),
  }
  return () => new Redaction(rules)
}

/** What readers of traces refuse, and `JSON.stringify` may not be able to write. */
export const MAX_DEPTH = 500

const NOTHING_HIDDEN: RequestRedaction = {
  learn: () => {},
  hide: (trace) => {
    if (nestsDeeper(trace, MAX_DEPTH)) throw new RangeError(`More than ${MAX_DEPTH} levels.`)
    return trace
  },
}

/** Goes no deeper than the limit: recursion is what deep data exhausts. */
function nestsDeeper(value: object, limit: number): boolean {
  if (limit === 0) return true
  const inside = valueOf(value)
  if (typeof inside !== 'object' || inside === null) return false
  for (const inner of Object.values(inside))
    if (typeof inner === 'object' && inner !== null && nestsDeeper(inner, limit - 1)) return true
  return false
}
