/** The section `response`: how long caches may keep answers. */
import type { z } from 'zod'
import { HeaderValue } from '../../headers/header-values.ts'
import { duration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { problemIf, refusing } from '../../settings/setting-problems.ts'

/** Whether the header is made from what the subgraphs say. */
function isComputed(cacheControl: string): boolean {
  return cacheControl.trim().toLowerCase() === 'computed'
}
const NOT_COMPUTED =
  'it is for answers whose Cache-Control is computed: expected response.cache_control computed'

/** The header by which caches know how long they may keep an answer. */
export const ResponseSection = section({
  cache_control: setting(HeaderValue.default('no-store'), {
    says: '`Cache-Control` of answers to queries without errors; all other answers are `no-store`. With `public` or `s-maxage`, see [security.md](security.md#answers-in-caches). `computed`: from what the subgraphs say, see [caching](caching.md)',
  }),
  default_max_age: setting(duration('0s'), {
    says: 'with `computed`: the maximum age of fields that should have one according to `@cacheControl` and have none',
  }),
}).superRefine(
  refusing(({ cache_control: value, default_max_age: age }) =>
    problemIf(!isComputed(value) && age !== 0, ['default_max_age'], NOT_COMPUTED),
  ),
)

/** Returns the settings under the names that code uses. Ages in seconds. */
export function cacheControlOf(response: z.output<typeof ResponseSection>) {
  const { cache_control: value, default_max_age: defaultMaxAge } = response
  return isComputed(value)
    ? ({ kind: 'computed', defaultMaxAge: defaultMaxAge / 1000 } as const)
    : ({ kind: 'set', value } as const)
}
