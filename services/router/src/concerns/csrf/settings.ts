/** The section `csrf`: how a GET request shows that no page of another origin caused it. */
import { z } from 'zod'
import { headerOrigin } from '../../headers/header-origins.ts'
import { HeaderName } from '../../headers/header-values.ts'
import { lowerCased } from '../../settings/lower-cased.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

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

/**
 * The settings that say which GET requests must show that no page of another origin caused them. Names are in
 * lower case.
 */
export type CsrfConfig = ReturnType<typeof csrfConfigOf>

/** Returns the settings under the names that code uses. */
export function csrfConfigOf(settings: z.output<typeof CsrfSection>) {
  const { guard, accepted_headers: accepted, credential_headers: credentials } = settings
  return {
    guard,
    acceptedHeaders: accepted === 'any' ? accepted : lowerCased(accepted),
    credentialHeaders: lowerCased(credentials),
  } as const
}
