/** The section `rollouts`: the cookie by which rollouts recognise visitors who are not signed in. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { SECRET } from '../../settings/secret-setting.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing } from '../../settings/setting-problems.ts'

const KEY_RULE = 'expected 32 to 200 characters, such as the output of openssl rand -base64 32'
const NO_KEY =
  'visitors are recognised by cookies that are signed: expected a key in rollouts.visitor_cookie_key, or in SWITCHYARD_VISITOR_COOKIE_KEY'
const Key = z.string().min(32, KEY_RULE).max(200, KEY_RULE)

export const RolloutsSection = section({
  visitor_cookie: setting(z.boolean().default(false), {
    says: 'true: the router gives visitors a [cookie of its own](audiences.md#the-assigned-cookie), by which rollouts with the key `visitor_cookie` keep them on one side',
  }),
  visitor_cookie_key: setting(
    z
      .union([z.literal(''), Key], KEY_RULE)
      .default('')
      .meta(SECRET),
    {
      says: 'signs that cookie: the same 32 to 200 characters on all routers. With another key, visitors get new cookies, and may change sides',
      variable: { name: 'SWITCHYARD_VISITOR_COOKIE_KEY', type: Key },
    },
  ),
}).superRefine(
  refusing(({ visitor_cookie: isOn, visitor_cookie_key: key }) =>
    problemIf(isOn && key === '', ['visitor_cookie_key'], NO_KEY),
  ),
)

/** The key that signs cookies of visitors; null if the router assigns none. */
export type RolloutsConfig = { readonly visitorKey: KeyObject | null }

/** Returns the settings under the names that code uses. */
export function rolloutsConfigOf(settings: z.output<typeof RolloutsSection>): RolloutsConfig {
  const { visitor_cookie: isOn, visitor_cookie_key: key } = settings
  return { visitorKey: isOn ? createSecretKey(Buffer.from(key)) : null }
}
