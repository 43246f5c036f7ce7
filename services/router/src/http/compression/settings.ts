/** The section `compression`: answers to clients that accept them compressed. */
import { z } from 'zod'
import { ContentCodings } from '../../settings/content-codings.ts'
import { size } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { camelCased } from '../../settings/camel-cased.ts'

export const CompressionSection = section({
  enabled: z.boolean().default(false),
  /** The smallest size of an answer in one piece that is compressed. */
  min_size: size('1KiB'),
  /** Codings that may be used. Among those that a client likes equally well, the first one is taken. */
  encodings: ContentCodings.min(1).default(['zstd', 'br', 'gzip']),
})

/** The settings that say which answers are compressed, and how. */
export type CompressionConfig = NonNullable<ReturnType<typeof compressionConfigOf>>

/** Returns the settings. Null if answers are sent as they are. */
export function compressionConfigOf(settings: z.output<typeof CompressionSection>) {
  const { enabled, ...rules } = camelCased(settings)
  return enabled ? rules : null
}
