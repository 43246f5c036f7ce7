/**
 * The sections `cors` and `csrf`: which web pages may read answers, and how a request shows that no other
 * page caused it.
 */
import { z } from 'zod'
import { headerOrigin } from '../../headers/header-origins.ts'
import { HeaderName } from '../../headers/header-values.ts'
import { section } from '../../settings/section.ts'
import { problemIf, refusing } from '../../settings/setting-problems.ts'
import { setting } from '../../settings/setting.ts'
import { urlError } from '../../settings/url-error.ts'
import { camelCased } from '../../settings/camel-cased.ts'
import { lowerCased } from '../../settings/lower-cased.ts'

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
  origins: setting(
    z
      .array(z.string().regex(ORIGIN, urlError('expected an origin such as https://example.com, or *')))
      .default([]),
    { says: 'origins whose pages may call the router, or `*`. Empty: CORS is off' },
  ),
  credentials: setting(z.boolean().default(false), {
    says: 'true: browsers may send cookies; not together with `*`',
  }),
  max_age: setting(z.int().min(0).default(600), {
    says: 'seconds for which browsers may cache the answer to a preflight request',
  }),
  allow_headers: setting(z.array(HeaderName).default([]), {
    says: 'request headers that pages of these origins may send, beside those that the router always allows, see [below](#headers-that-pages-may-send)',
  }),
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
    says: 'CSRF protection: which GET requests must prove that no foreign web page caused them, see [security.md](security.md#requests-that-foreign-web-pages-cause). `credentials`: those with a cookie or other credentials that browsers add by themselves; `always`: all; `never`: none',
    variable: { name: 'CSRF_GUARD', type: CsrfGuard },
  }),
  accepted_headers: setting(CountedHeaders.default([]), {
    says: 'headers that prove it, beside `Apollo-Require-Preflight`, `X-Apollo-Operation-Name`, `X-Requested-With` and `GraphQL-Require-Preflight`, such as `[x-shop-client]`; they count behind proxies, too. `any`: every header that neither browsers nor proxies are known to add, if nothing shows that the request came through a proxy. Carriers and proxies add headers that nobody knows, so use `any` only where no proxy stands between browsers and the router',
  }),
  credential_headers: setting(z.array(HeaderName).default([]), {
    says: 'headers that count as credentials, beside those that the router knows; for example one in which your proxy sends a client certificate',
  }),
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
