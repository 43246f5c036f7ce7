/** The section `compression`: answers to clients that take them compressed. */
import { z } from 'zod'
import { size } from '../quantities.ts'
import { section } from './section.ts'

/** Content codings by their names in HTTP. */
export const ContentCoding = z.enum(['zstd', 'br', 'gzip'])

export const CompressionSection = section({
  enabled: z.boolean().default(false),
  /** Of an answer in one piece; smaller ones are sent as they are. */
  min_size: size('1KiB'),
  /** Of those that a client likes equally well, the first one is taken. */
  encodings: z
    .array(ContentCoding)
    .min(1)
    .refine((encodings) => new Set(encodings).size === encodings.length, 'expected each name once')
    .default(['zstd', 'br', 'gzip']),
})
