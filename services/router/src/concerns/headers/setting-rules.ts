/** Checks the section `headers` together with others. */
import type { z } from 'zod'
import { keptTraceHeaders, traceNames } from '../../headers/trace-names.ts'
import { problemIf, type SettingProblem } from '../../settings/setting-problems.ts'
import { type PlacedRules, problemsOfResponseRules } from './response-settings.ts'
import type { HeaderRule, HeadersSection } from './settings.ts'

type Headers = z.output<typeof HeadersSection>

type Settings = {
  readonly headers: Headers
  readonly request_id: { readonly header: string }
  readonly tracing: { readonly vendor: string }
}

/** Returns the problems of rules that contradict others, or whose headers have another meaning already. */
export function headerProblems(settings: Settings): readonly SettingProblem[] {
  const { headers, tracing, request_id: requestId } = settings
  const taken = [requestId.header, ...keptTraceHeaders(tracing.vendor)]
  return [
    ...forwardedTokens(settings),
    ...responseRulesOf(headers).flatMap((lists) => problemsOfResponseRules(lists, taken)),
  ]
}

/** Returns the problems of rules that would show trace tokens to subgraphs, or whom a trace stands for. */
function forwardedTokens({ headers, tracing }: Settings): readonly SettingProblem[] {
  const { tokenHeader, tokenHeaderKey, standInHeader, standInHeaderKey } = traceNames(tracing.vendor)
  const messages = new Map([
    [
      tokenHeaderKey,
      `the header ${tokenHeader} is never forwarded: whoever has it gets traces of this router`,
    ],
    [standInHeaderKey, `the header ${standInHeader} is never forwarded: it is for the router alone`],
  ])
  const ofRules = (rules: readonly HeaderRule[], path: readonly string[]): readonly SettingProblem[] =>
    rules.flatMap((rule, index) => {
      const found = namesOf(rule).map((name) => messages.get(name.toLowerCase()))
      const message = found.find((text) => text !== undefined)
      return message === undefined ? [] : problemIf(true, [...path, index], message)
    })
  return [
    ...ofRules(headers.request, ['headers', 'request']),
    ...(['subgraphs', 'flags'] as const).flatMap((section) =>
      Object.entries(headers[section]).flatMap(([name, { request }]) =>
        ofRules(request, ['headers', section, name, 'request']),
      ),
    ),
  ]
}

/** Those that may meet in one answer. Rules of a flag replace others, so that each flag is by itself. */
function responseRulesOf(headers: Headers): readonly PlacedRules[] {
  const placed = (section: 'subgraphs' | 'flags') =>
    Object.entries(headers[section]).map(([name, { response: rules }]) => ({
      path: ['headers', section, name, 'response'],
      rules,
    }))
  const general = [{ path: ['headers', 'response'], rules: headers.response }, ...placed('subgraphs')]
  return [general, ...placed('flags').map((list) => [list])]
}

/** Headers that a rule names, of the client's request and of those to subgraphs. */
function namesOf(rule: HeaderRule): readonly string[] {
  if ('propagate' in rule) return [rule.propagate, ...(rule.rename === undefined ? [] : [rule.rename])]
  return 'set' in rule ? [rule.set] : []
}
