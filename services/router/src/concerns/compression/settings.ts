/** The section `compression`: answers to clients that accept them compressed, and compressed requests. */
import { z } from 'zod'
import { ContentCodings } from '../../settings/content-codings.ts'
import { size } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { camelCased } from '../../settings/camel-cased.ts'

export const CompressionSection = section({
  enabled: setting(z.boolean().default(false), {
    says: 'true: [answers are compressed](#compressed-answers) for clients that accept it (`Accept-Encoding`)',
  }),
  min_size: setting(size('1KiB'), { says: 'smaller answers are not compressed' }),
  encodings: setting(ContentCodings.min(1).default(['zstd', 'br', 'gzip']), {
    says: 'encodings for answers. If a client accepts several equally, the first one is used',
  }),
  request_encodings: setting(ContentCodings.default(['gzip', 'br', 'zstd']), {
    says: 'encodings in which clients may [compress their requests](#compressed-requests), whether answers are compressed or not. `[]`: a compressed request gets 415',
  }),
})

/** The settings that say which answers are compressed, and how. */
export type CompressionConfig = NonNullable<ReturnType<typeof compressionConfigOf>>

/** Returns the settings. Null if answers are sent as they are. */
export function compressionConfigOf(settings: z.output<typeof CompressionSection>) {
  const { enabled, minSize, encodings } = camelCased(settings)
  return enabled ? { minSize, encodings } : null
}
