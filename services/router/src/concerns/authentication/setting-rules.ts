/** Checks the section `authentication` together with others. */
import { NO_TOKENS } from '../../settings/rule-messages.ts'
import type { SettingProblem } from '../../settings/setting-problems.ts'

/** A rule for a header of subgraphs. One with `from_claim` needs tokens. */
type HeaderRule = object

type Settings = {
  readonly authentication: {
    readonly jwt: { readonly providers: readonly { readonly cookies: readonly string[] }[] }
  }
  readonly csrf: { readonly guard: string }
  readonly headers: {
    readonly request: readonly HeaderRule[]
    readonly subgraphs: Readonly<Record<string, { readonly request: readonly HeaderRule[] }>>
    readonly flags: Readonly<Record<string, { readonly request: readonly HeaderRule[] }>>
    readonly previews: { readonly request: readonly HeaderRule[] }
  }
  readonly introspection: { readonly enabled: boolean | 'authenticated' }
  readonly subscriptions: { readonly share_by: 'token' | 'decision' }
}

/** The problem of tokens in cookies if nobody checks which page caused a request. */
export const COOKIES_UNGUARDED =
  'browsers add cookies to requests that any web page causes: expected another csrf.guard than never, or no cookies'

/** Returns the settings that do not fit each other. */
export function authenticationProblems(settings: Settings): readonly SettingProblem[] {
  const { providers } = settings.authentication.jwt
  return providers.length === 0 ? withoutTokens(settings) : unguardedCookies(settings)
}

function unguardedCookies({ authentication, csrf }: Settings): readonly SettingProblem[] {
  if (csrf.guard !== 'never') return []
  return authentication.jwt.providers.flatMap(({ cookies }, index) => {
    const path = ['authentication', 'jwt', 'providers', index, 'cookies']
    return cookies.length === 0 ? [] : [{ path, message: COOKIES_UNGUARDED }]
  })
}

function withoutTokens({ headers, introspection, subscriptions }: Settings): readonly SettingProblem[] {
  const ofRules = (rules: readonly HeaderRule[], path: readonly string[]): readonly SettingProblem[] =>
    rules.flatMap((rule, index) =>
      'from_claim' in rule ? [{ path: [...path, index], message: NO_TOKENS }] : [],
    )
  return [
    ...(introspection.enabled === 'authenticated'
      ? [{ path: ['introspection', 'enabled'], message: NO_TOKENS }]
      : []),
    ...(subscriptions.share_by === 'decision'
      ? [{ path: ['subscriptions', 'share_by'], message: NO_TOKENS }]
      : []),
    ...ofRules(headers.request, ['headers', 'request']),
    ...ofRules(headers.previews.request, ['headers', 'previews', 'request']),
    ...(['subgraphs', 'flags'] as const).flatMap((section) =>
      Object.entries(headers[section]).flatMap(([name, { request }]) =>
        ofRules(request, ['headers', section, name, 'request']),
      ),
    ),
  ]
}
