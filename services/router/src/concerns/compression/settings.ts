/** The section `compression`: answers to clients that accept them compressed. */
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
})

/** The settings that say which answers are compressed, and how. */
export type CompressionConfig = NonNullable<ReturnType<typeof compressionConfigOf>>

/** Returns the settings. Null if answers are sent as they are. */
export function compressionConfigOf(settings: z.output<typeof CompressionSection>) {
  const { enabled, ...rules } = camelCased(settings)
  return enabled ? rules : null
}
