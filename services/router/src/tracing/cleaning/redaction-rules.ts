/** The rules by which traces are cleaned, made once from the settings of a router. */
import { FLAG_COOKIE, FLAG_HEADER } from '../../flags/requested-flag.ts'
import { GUARD_HEADERS } from '../../concerns/csrf/check-csrf.ts'
import { traceNames } from '../../headers/trace-names.ts'
import type { AskedBy } from './credentials.ts'
import { type SensitiveNames, sensitiveNames } from './sensitive-names.ts'

export type RedactionSettings = {
  /** `*`: all. */
  readonly allowedHeaders: readonly string[]
  readonly sensitiveNames: readonly string[]
  /** Part of the name of the header by which a trace is asked for. */
  readonly vendor: string
  /** Headers in which tokens of clients are, in lower case: they are hidden whatever is allowed. */
  readonly tokenHeaders?: ReadonlySet<string>
}

export type RedactionRules = {
  readonly isHeaderAllowed: (name: string) => boolean
  readonly names: SensitiveNames
  /**
   * Whether anything is hidden. If not, all headers are allowed and no name is sensitive, so that traces are
   * shown as they are.
   */
  readonly hidesAnything: boolean
  readonly askedBy: AskedBy
}

export function redactionRules({
  allowedHeaders,
  tokenHeaders = new Set(),
  ...settings
}: RedactionSettings): RedactionRules {
  const allowed = new Set(allowedHeaders.map((name) => name.toLowerCase()))
  const allHeaders = allowed.has('*')
  const { headerKey, standInHeaderKey } = traceNames(settings.vendor)
  // The claims in it are shown by rules of their own.
  const hidden = new Set([...tokenHeaders, standInHeaderKey])
  return {
    isHeaderAllowed: (name) => (allHeaders || allowed.has(lowerCase(name))) && !hidden.has(lowerCase(name)),
    names: sensitiveNames(settings.sensitiveNames),
    hidesAnything: !allHeaders || tokenHeaders.size > 0 || settings.sensitiveNames.length > 0,
    askedBy: {
      headers: new Set([headerKey, FLAG_HEADER, ...GUARD_HEADERS].map((name) => name.toLowerCase())),
      cookies: new Set([FLAG_COOKIE]),
    },
  }
}

const UPPER_CASE = /[A-Z]/

/** As nearly all names of headers are already. */
export function lowerCase(name: string): string {
  return UPPER_CASE.test(name) ? name.toLowerCase() : name
}
