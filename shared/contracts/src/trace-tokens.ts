/**
 * Tokens that open request tracing: signed by a registry, checked by routers with the public keys of their
 * manifest, never by asking anybody. PROTOCOL.md §7 says what is in one.
 */
import { z } from 'zod'
import type { GraphName } from './subjects.ts'

/** A token of more characters is not looked at. */
export const MAX_TRACE_TOKEN_LENGTH = 4096
export const DEFAULT_TRACE_TOKEN_SECONDS = 10 * 60
export const MAX_TRACE_TOKEN_SECONDS = 24 * 60 * 60
/** How far the clocks of registry and router may be apart. */
export const TRACE_TOKEN_SKEW_SECONDS = 30

/** The parts that a token, or the client that asks for a trace, may leave out of it. */
export const TRACE_EXCLUSIONS = [
  'raw_input_data',
  'input',
  'output',
  'load_stats',
  'planner_stats',
  'parse_stats',
  'normalize_stats',
  'validate_stats',
] as const
export const TraceExclusion = z.enum(TRACE_EXCLUSIONS)
export type TraceExclusion = z.infer<typeof TraceExclusion>

const Seconds = z.number().min(0)

/**
 * Claims of a token. Others are ignored; an exclusion that the reader does not know makes the token useless
 * to it.
 */
export const TraceTokenClaims = z.object({
  /** `<namespace>/<graph>`: one graph, never a list. */
  aud: z.string(),
  iat: Seconds,
  exp: Seconds,
  nbf: Seconds.optional(),
  jti: z.string().min(1).max(200),
  exclude: z.array(TraceExclusion).optional(),
})
export type TraceTokenClaims = z.infer<typeof TraceTokenClaims>

export function traceAudience({ namespace, graph }: GraphName): string {
  return `${namespace}/${graph}`
}

/** Body of the request for a token. */
export const CreateTraceToken = z.strictObject({
  /** Seconds. */
  ttl: z.int().min(1).max(MAX_TRACE_TOKEN_SECONDS).default(DEFAULT_TRACE_TOKEN_SECONDS),
  exclude: z
    .array(TraceExclusion)
    .max(100)
    .transform((names) => TRACE_EXCLUSIONS.filter((name) => names.includes(name)))
    .default([]),
})
export type CreateTraceToken = z.infer<typeof CreateTraceToken>

export const TraceToken = z.object({
  token: z.string(),
  /** RFC 3339. */
  expiresAt: z.string(),
  /** Id of the key that signed it. */
  kid: z.string(),
  /** Why routers may refuse it at first. */
  warnings: z.array(z.string()),
})
export type TraceToken = z.infer<typeof TraceToken>

/**
 * `signs`: the newest whose private half is here; `can-sign`: an older one; `cannot-sign`: its private half
 * is not in the key file of the registry that answers; `not-announced`: it is in the key file only, so
 * routers do not know it and it signs nothing.
 */
export const TraceKeyState = z.enum(['signs', 'can-sign', 'cannot-sign', 'not-announced', 'retired'])
export type TraceKeyState = z.infer<typeof TraceKeyState>

export const TraceKeyView = z.object({
  kid: z.string(),
  state: TraceKeyState,
  /** RFC 3339; null while it is not announced. */
  createdAt: z.string().nullable(),
  retiredAt: z.string().nullable(),
  /** When the last token that it may have signed expires; null for a key that routers do not know. */
  tokensUntil: z.string().nullable(),
})
export type TraceKeyView = z.infer<typeof TraceKeyView>

/** Newest first. */
export const TraceKeyList = z.object({ traceKeys: z.array(TraceKeyView), warnings: z.array(z.string()) })
export type TraceKeyList = z.infer<typeof TraceKeyList>

export const CreatedTraceKey = TraceKeyView.extend({
  /** False if the key was in the key file already, and is announced now. */
  made: z.boolean(),
  warnings: z.array(z.string()),
})
export type CreatedTraceKey = z.infer<typeof CreatedTraceKey>

export const RetiredTraceKey = TraceKeyView.extend({ warnings: z.array(z.string()) })
export type RetiredTraceKey = z.infer<typeof RetiredTraceKey>
