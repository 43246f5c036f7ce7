/**
 * Takes out of a trace what not everyone who may see the trace may see.
 *
 * Hidden where they stand: headers that are not listed, user, password and query string of URLs, and values with sensitive
 * names in variables, requests to subgraphs, their answers and the objects requests were made from, in the text of documents
 * and in JSON inside of strings. Whatever was hidden and has eight characters or more is a secret, and hidden everywhere else
 * in the trace, however encoded. What the router itself says (kinds, codes, times) stays, so that the trace stays readable.
 */
import type { Trace } from '@switchyard/request-trace'
import { Redaction } from './redaction.ts'
import { sensitiveNames } from './sensitive-names.ts'

export type RedactionSettings = {
  /** `*`: all. */
  readonly allowedHeaders: readonly string[]
  readonly sensitiveNames: readonly string[]
}

/** For one request. */
export interface RequestRedaction {
  /** Takes notice of the secrets in a trace from which parts are left out before it is shown: they may be in other parts too. */
  learn(trace: Trace): void
  /** What may be shown. Shares with the trace given what did not change. */
  apply(trace: Trace): Trace
  /** The same of a trace that is part of one that was learned: its secrets are known. */
  hide(trace: Trace): Trace
}

/** All headers allowed and no sensitive name: traces are shown as they are. */
export function createRedactor(settings: RedactionSettings): () => RequestRedaction {
  const allowed = new Set(settings.allowedHeaders.map((name) => name.toLowerCase()))
  const allHeaders = allowed.has('*')
  if (allHeaders && settings.sensitiveNames.length === 0) return () => NOTHING_HIDDEN
  const rules = {
    isHeaderAllowed: (name: string) => allHeaders || allowed.has(name.toLowerCase()),
    isSensitive: sensitiveNames(settings.sensitiveNames),
  }
  return () => new Redaction(rules)
}

const NOTHING_HIDDEN: RequestRedaction = { learn: () => {}, apply: (trace) => trace, hide: (trace) => trace }
