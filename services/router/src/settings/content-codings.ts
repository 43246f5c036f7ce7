import { z } from 'zod'

/** Names of content codings in HTTP (RFC 9110, section 8.4.1), each once. */
export const ContentCodings = z
  .array(z.enum(['zstd', 'br', 'gzip']))
  .refine((names) => new Set(names).size === names.length, 'expected each name once')

/** A content coding, by its name in HTTP. */
export type ContentCoding = z.output<typeof ContentCodings>[number]
