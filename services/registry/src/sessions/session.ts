/**
 * The content of a session: who signed in, when, and the secret that writes repeat. It lies sealed in a
 * cookie and nowhere else, so every registry that has the key can read it.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

const HOUR_MS = 60 * 60_000
export const SESSION_MS = 8 * HOUR_MS
const IDLE_MS = HOUR_MS / 2
/** A session that is used is sealed anew at most once in this time. */
const RENEWED_AFTER_MS = 60_000
/** The age of a sign-in up to which the session may hand out access, or take everything out. */
const RECENT_MS = 5 * 60_000
/** Roles are read again from the identity provider when they are this old. */
const ROLES_MS = 15 * 60_000

/**
 * An API key by its id; null for the bootstrap key. The fingerprint of its text ends the session when another
 * key takes its place.
 */
const KeyIdentity = z.object({ kind: z.literal('key'), id: z.string().nullable(), fingerprint: z.string() })
export type KeyIdentity = z.infer<typeof KeyIdentity>

/** A person by an identity provider, with the roles that gave scopes when they were read last. */
const OpenIdIdentity = z.object({
  kind: z.literal('openid-connect'),
  issuer: z.string(),
  subject: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  /** Unix milliseconds. */
  rolesAt: z.number(),
  /** Null if the provider gave none, or one that is too long for a cookie. */
  refreshToken: z.string().nullable(),
})
export type OpenIdIdentity = z.infer<typeof OpenIdIdentity>

export type Identity = KeyIdentity | OpenIdIdentity

export const Session = z.object({
  /** Tells sessions apart that were ended by signing out. */
  id: z.string(),
  csrf: z.string(),
  /** Unix milliseconds. */
  signedInAt: z.number(),
  usedAt: z.number(),
  who: z.discriminatedUnion('kind', [KeyIdentity, OpenIdIdentity]),
})
export type Session = z.infer<typeof Session>

export function newSession(who: Identity, now: number): Session {
  const random = () => randomBytes(32).toString('base64url')
  return { id: random(), csrf: random(), signedInAt: now, usedAt: now, who }
}

/** When the session ends in any case, and when it ends unless it is used before. Unix milliseconds. */
export function endsOf({ signedInAt, usedAt, who }: Session): { expiresAt: number; idleAt: number } {
  const rolesEnd =
    who.kind === 'openid-connect' && who.refreshToken === null ? who.rolesAt + ROLES_MS : Infinity
  const expiresAt = Math.min(signedInAt + SESSION_MS, rolesEnd)
  return { expiresAt, idleAt: Math.min(usedAt + IDLE_MS, expiresAt) }
}

/** The session after a use, or null if the cookie that the browser has is new enough. */
export function renewed(session: Session, now: number): Session | null {
  return now - session.usedAt < RENEWED_AFTER_MS ? null : { ...session, usedAt: now }
}

export function rolesAreOld({ rolesAt }: OpenIdIdentity, now: number): boolean {
  return now - rolesAt >= ROLES_MS
}

export function isRecent(signedInAt: number, now: number): boolean {
  return now - signedInAt <= RECENT_MS
}
