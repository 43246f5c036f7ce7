/** The section `compression`: answers to clients that take them compressed; and those of subgraphs. */
import { z } from 'zod'
import { size } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'

/** Content codings by their names in HTTP. */
export const ContentCoding = z.enum(['zstd', 'br', 'gzip'])

const isEachOnce = (encodings: readonly string[]): boolean => new Set(encodings).size === encodings.length
const EACH_ONCE = 'expected each name once'

/** In which subgraphs may compress their answers. */
export const AcceptEncodings = z.array(ContentCoding).refine(isEachOnce, EACH_ONCE)

export const CompressionSection = section({
  enabled: z.boolean().default(false),
  /** Of an answer in one piece; smaller ones are sent as they are. */
  min_size: size('1KiB'),
  /** Of those that a client likes equally well, the first one is taken. */
  encodings: z.array(ContentCoding).min(1).refine(isEachOnce, EACH_ONCE).default(['zstd', 'br', 'gzip']),
})
