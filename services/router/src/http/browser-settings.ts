/**
 * The sections `cors` and `csrf`: which web pages may read answers, and how a request shows that no other
 * page caused it.
 */
import { z } from 'zod'
import { headerOrigin } from '../headers/header-origins.ts'
import { HeaderName } from '../headers/header-values.ts'
import { section } from '../settings/section.ts'
import { problemIf, refusing } from '../settings/setting-problems.ts'
import { setting } from '../settings/setting.ts'
import { urlError } from '../settings/url-error.ts'
import { camelCased } from '../settings/camel-cased.ts'
import { lowerCased } from '../settings/lower-cased.ts'

const ORIGIN = /^(?:\*|https?:\/\/[^/?#@\s]+)$/i
const CSRF_GUARDS = ['credentials', 'always', 'never'] as const
const CsrfGuard = z.enum(CSRF_GUARDS, { error: () => `expected one of ${CSRF_GUARDS.join(', ')}` })
export type CsrfGuard = z.infer<typeof CsrfGuard>

/**
 * Names of headers that count as a sign of the client's own code. A header that arrives without the client's
 * doing would switch the guard off.
 */
const CountedHeaders = z
  .union([z.literal('any'), z.array(HeaderName)], 'expected any, or a list of header names')
  .superRefine((names, context) => {
    if (names === 'any') return
    for (const [index, name] of names.entries()) {
      const origin = headerOrigin(name.toLowerCase())
      if (origin !== 'browser' && origin !== 'proxy') continue
      const adders = origin === 'browser' ? 'browsers add' : 'proxies add'
      context.addIssue({
        code: 'custom',
        path: [index],
        message: `${adders} the header ${name} by themselves, so it shows nothing: expected a header that only your clients send`,
      })
    }
  })

const NO_ORIGINS = 'no page of another origin may call the router: expected some in cors.origins'

/** The origins whose pages may read answers. */
export const CorsSection = section({
  origins: z
    .array(z.string().regex(ORIGIN, urlError('expected an origin such as https://example.com, or *')))
    .default([]),
  credentials: z.boolean().default(false),
  max_age: z.int().min(0).default(600),
  allow_headers: z.array(HeaderName).default([]),
})
  .refine(
    ({ origins, credentials }) => !(credentials && origins.includes('*')),
    'credentials cannot be combined with the origin *: browsers refuse it; name the origins',
  )
  .superRefine(
    refusing(({ origins, credentials, allow_headers: headers }) => [
      ...problemIf(credentials && origins.length === 0, ['credentials'], NO_ORIGINS),
      ...problemIf(headers.length > 0 && origins.length === 0, ['allow_headers'], NO_ORIGINS),
    ]),
  )

/** The settings that say which GET requests must show that no page of another origin caused them. */
export const CsrfSection = section({
  guard: setting(CsrfGuard.default('credentials'), {
    variable: { name: 'CSRF_GUARD', type: CsrfGuard },
  }),
  /** Headers that show it, in addition to those that were made for it. */
  accepted_headers: CountedHeaders.default([]),
  /**
   * Headers that show credentials which the browser or a proxy has added, in addition to those that the
   * router knows.
   */
  credential_headers: z.array(HeaderName).default([]),
})

export type CorsConfig = ReturnType<typeof corsConfigOf>
/**
 * The settings that say which GET requests must show that no page of another origin caused them. Names are in
 * lower case.
 */
export type CsrfConfig = ReturnType<typeof csrfConfigOf>

/** Returns the settings under the names that code uses. */
export function corsConfigOf(settings: z.output<typeof CorsSection>) {
  return camelCased(settings)
}

/** Returns the settings under the names that code uses. */
export function csrfConfigOf(settings: z.output<typeof CsrfSection>) {
  const { guard, accepted_headers: accepted, credential_headers: credentials } = settings
  return {
    guard,
    acceptedHeaders: accepted === 'any' ? accepted : lowerCased(accepted),
    credentialHeaders: lowerCased(credentials),
  } as const
}
