/**
 * The head of a graph's config log: a signed, short-lived statement of config-distribution about which
 * revision is the newest. A manifest is signed once and true for ever, so everyone who can write to the
 * config store can put an old one back; the head beside it expires.
 */
import { z } from 'zod'
import { traceAudience } from './trace-tokens.ts'
import type { GraphName } from './subjects.ts'

/** The claims of the compact JWS (a JWT, RFC 7519) that the config store holds. */
export const ConfigHead = z.object({
  /** `<namespace>/<graph>`. */
  sub: z.string(),
  epoch: z.int().min(1),
  revision: z.int().min(1),
  /** Seconds since 1970, by the clock of config-distribution. */
  iat: z.int().min(0),
  exp: z.int().min(0),
})
export type ConfigHead = z.infer<typeof ConfigHead>

/** `typ` of its header, so that nothing else that the same key signs can be taken for a head. */
export const CONFIG_HEAD_TYPE = 'switchyard-head+jwt'
export const MAX_HEAD_BYTES = 4096

export const HEAD_VALID_MS = 5 * 60_000
/** Config-distribution signs a new one when the last is older. */
export const HEAD_RENEWED_AFTER_MS = 60_000
/** Most milliseconds by which the clocks of two machines may differ. */
export const CLOCK_TOLERANCE_MS = 2 * 60_000

export function headSubject(graph: GraphName): string {
  return traceAudience(graph)
}
