/** The section `progressive_override`: which labels of `@override(label:)` are active for whom. */
import { z } from 'zod'
import { HeaderName } from '../../headers/header-values.ts'
import { ClaimPathSetting } from '../../settings/claim-path.ts'
import { NO_TOKENS } from '../../settings/rule-messages.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, type SettingProblem } from '../../settings/setting-problems.ts'

/** https://specs.apollo.dev/federation/v2.7: a letter, then letters, digits and `_-:./`. */
const OverrideLabel = z
  .string()
  .refine((label) => !label.startsWith('percent('), {
    error:
      'labels such as percent(10) go by their percentage and cannot be named here; change the percentage in the schema',
    abort: true,
  })
  .regex(
    /^[A-Za-z][\w\-:./]*$/,
    'expected a label of @override(label:): a letter, then letters, digits and _ - : . /',
  )

const SOURCE_RULE = 'expected address, visitor_cookie, {claim: path}, {header: name} or {cookie: name}'
const NO_VISITORS = 'the router assigns no cookies: expected rollouts.visitor_cookie true'
/** RFC 6265, section 4.1.1. */
const CookieName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of a cookie')
const KeySource = z.union(
  [
    z.literal('address'),
    z.literal('visitor_cookie'),
    z.strictObject({ claim: ClaimPathSetting }),
    z.strictObject({ header: HeaderName }),
    z.strictObject({ cookie: CookieName }),
  ],
  SOURCE_RULE,
)
/** A property of requests by which a user is recognised. */
export type KeySource = z.infer<typeof KeySource>

export const ProgressiveOverrideSection = section({
  active_labels: setting(z.array(OverrideLabel).default([]), {
    says: 'labels of `@override(label:)` that are active for every request. Labels that are [names of flags](progressive-override.md#labels-of-flags) and `percent(x)` do not go by it, and all others are inactive',
  }),
  key: setting(z.array(KeySource).max(8, 'expected at most 8 sources').default([]), {
    fallback: '`[]`',
    says: 'where requests say whose they are: `{claim: sub}`, `{header: X-User}`, `{cookie: visitor}`, `visitor_cookie` ([assigned](audiences.md#the-assigned-cookie)) or `address`; the first one that a request has. Requests with the same key [stay on the same side](progressive-override.md#users-stay-on-their-side) of `percent(x)`. Without a key, it is drawn for each request',
  }),
})

type KeyedSettings = {
  readonly authentication: { readonly jwt: { readonly providers: readonly unknown[] } }
  readonly progressive_override: z.output<typeof ProgressiveOverrideSection>
  readonly rollouts: { readonly visitor_cookie: boolean }
}

/** Returns the problems of keys that are read from tokens or assigned cookies, if there are none. */
export function overrideKeyProblems(settings: KeyedSettings): readonly SettingProblem[] {
  const hasTokens = settings.authentication.jwt.providers.length > 0
  return settings.progressive_override.key.flatMap((source, index) => {
    const isClaim = typeof source === 'object' && 'claim' in source
    const hasVisitors = source !== 'visitor_cookie' || settings.rollouts.visitor_cookie
    const path = ['progressive_override', 'key', index]
    return [
      ...problemIf(isClaim && !hasTokens, path, NO_TOKENS),
      ...problemIf(!hasVisitors, path, NO_VISITORS),
    ]
  })
}

/** Which labels are always active, and how users are recognised. */
export type OverrideLabelsConfig = {
  readonly alwaysActive: ReadonlySet<string>
  /** The first source that a request has tells its user. None: nobody is recognised. */
  readonly key: readonly KeySource[]
}

/** The settings under the names that code uses. */
export function overrideLabelsConfigOf(
  settings: z.output<typeof ProgressiveOverrideSection>,
): OverrideLabelsConfig {
  return { alwaysActive: new Set(settings.active_labels), key: settings.key }
}

/** Lists the request headers from which keys are read, but for those of tokens. */
export function keyHeadersOf({ key }: OverrideLabelsConfig): readonly string[] {
  return key.flatMap((source) => {
    if (source === 'address') return []
    if (source === 'visitor_cookie') return ['Cookie']
    if ('header' in source) return [source.header]
    return 'cookie' in source ? ['Cookie'] : []
  })
}
