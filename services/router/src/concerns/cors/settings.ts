/** The section `cors`: which web pages of other origins may read answers. */
import { z } from 'zod'
import { HeaderName } from '../../headers/header-values.ts'
import { camelCased } from '../../settings/camel-cased.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing } from '../../settings/setting-problems.ts'
import { urlError } from '../../settings/url-error.ts'

const ORIGIN = /^(?:\*|https?:\/\/[^/?#@\s]+)$/i
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

export type CorsConfig = ReturnType<typeof corsConfigOf>

/**
 * Returns the settings under the names that code uses. Pages of `ownOrigins`, which are those of Switchyard
 * itself, may call the router whatever the settings say.
 */
export function corsConfigOf(settings: z.output<typeof CorsSection>, ownOrigins: readonly string[] = []) {
  return { ...camelCased(settings), ownOrigins }
}
