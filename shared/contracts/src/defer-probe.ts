/**
 * The probe of deferred answers: a request that a router answers by itself, in parts, as it answers `@defer`.
 * Each part says when it was written. From this and the times at which the parts arrive, the client can tell
 * what stands between the two.
 *
 * The request is an operation that every GraphQL server can answer, with a header that only the router knows.
 * If the header does not arrive, an ordinary answer comes back, which tells just that.
 */
import { z } from 'zod'

export const PROBE_HEADER = 'X-Switchyard-Probe'
export const PROBE_OPERATION = 'SwitchyardDeferProbe'
export const PROBE_QUERY = `query ${PROBE_OPERATION} { __typename ... @defer(label: "probe") { __typename } }`

export const PROBE_LIMITS = {
  parts: 10,
  /** Characters in each part. */
  padding: 65_536,
  /** Milliseconds from the first part to the last. */
  duration: 120_000,
  /** Answered by one router at a time. */
  concurrent: 8,
} as const

export const PROBE_TOKEN_RULE = 'expected 16 to 200 letters, digits and characters of "-._~+/="'
/** Long enough not to be guessed, and nothing that would have to be escaped in the header. */
export const ProbeToken = z.string().regex(/^[\w.~+/=-]{16,200}$/, PROBE_TOKEN_RULE)

export type ProbeRequest = {
  readonly parts: number
  /** Milliseconds between a part and the next. */
  readonly spacing: number
  /** Characters that fill each part. */
  readonly padding: number
  readonly token: string | null
}

export function writeProbeHeader({ parts, spacing, padding, token }: ProbeRequest): string {
  const numbers = `parts=${parts}; spacing=${spacing}; padding=${padding}`
  return token === null ? numbers : `${numbers}; token=${token}`
}

/**
 * Reads the header of a probe. Returns a text that says what is wrong with the header; it never holds the
 * token.
 */
export function readProbeHeader(header: string): ProbeRequest | string {
  const given = new Map(
    header.split(';').map((pair) => {
      const equals = pair.indexOf('=')
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const
    }),
  )
  const number = (name: string, most: number) => {
    const text = given.get(name) ?? ''
    return /^\d{1,6}$/.test(text) && Number(text) <= most ? Number(text) : null
  }
  const parts = number('parts', PROBE_LIMITS.parts)
  if (parts === null || parts === 0) return `"parts" must be a number from 1 to ${PROBE_LIMITS.parts}`
  const spacing = number('spacing', PROBE_LIMITS.duration)
  if (spacing === null || spacing * (parts - 1) > PROBE_LIMITS.duration)
    return `"spacing" must be milliseconds, of all parts together at most ${PROBE_LIMITS.duration}`
  const padding = number('padding', PROBE_LIMITS.padding)
  if (padding === null) return `"padding" must be a number from 0 to ${PROBE_LIMITS.padding}`
  return { parts, spacing, padding, token: given.get('token') ?? null }
}

/** The members of every part. `sentAt` is the number of milliseconds after the first part was written. */
const part = { part: z.int().min(1), sentAt: z.number().min(0), padding: z.string() }

/** The request as the router received it, as far as it tells about the way there. */
const ProbeReceived = z.object({
  httpVersion: z.string(),
  accept: z.string().nullable(),
  acceptEncoding: z.string().nullable(),
  via: z.string().nullable(),
  /** Names of headers that are added by known proxies. */
  hopHeaders: z.array(z.string()),
})
export type ProbeReceived = z.infer<typeof ProbeReceived>

export const ProbeStart = z.object({ ...part, enableDefer: z.boolean(), received: ProbeReceived })
export type ProbeStart = z.infer<typeof ProbeStart>

export const ProbePart = z.object(part)
export type ProbePart = z.infer<typeof ProbePart>

/** `data` of the initial part. */
export const ProbeStartData = z.object({ probe: ProbeStart })

/** Returns the key under which a later part has its data, so that all parts can be merged. */
export function probePartKey(number: number): string {
  return `part${number}`
}

/** The answer to a probe whose `Accept` allows no stream. */
export const ProbeRefusal = z.object({
  errors: z.tuple([
    z.object({
      message: z.string(),
      extensions: z.object({ code: z.string(), received: ProbeReceived.optional() }),
    }),
  ]),
})
