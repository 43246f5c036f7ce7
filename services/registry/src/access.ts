/**
 * Who asks, and what they may do. Keys are `swy_<id>_<secret>`: found by id, compared as SHA-256 in constant time. The
 * first key comes from the environment and may do everything.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { SystemState } from '@switchyard/domain'

export type Caller = { readonly actor: string; readonly scopes: readonly string[] }

export type Permission =
  /** Null namespace: things that belong to no namespace. */
  | { readonly kind: 'read'; readonly namespace: string | null }
  | { readonly kind: 'publish' | 'deploy'; readonly namespace: string }

export class Access {
  readonly #bootstrapHash: Buffer | null

  constructor(bootstrapApiKey: string | null) {
    this.#bootstrapHash = bootstrapApiKey === null ? null : sha256(bootstrapApiKey)
  }

  /** Null for a missing, malformed or unknown key. */
  identify(authorization: string | undefined, system: SystemState): Caller | null {
    const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (key === undefined) return null
    const hash = sha256(key)
    if (this.#bootstrapHash !== null && timingSafeEqual(hash, this.#bootstrapHash)) {
      return { actor: 'bootstrap', scopes: ['admin'] }
    }
    const id = /^swy_([0-9A-Za-z]+)_/.exec(key)?.[1]
    const known = id === undefined ? undefined : system.apiKeys.get(id)
    if (known === undefined || !timingSafeEqual(hash, Buffer.from(known.sha256, 'hex'))) return null
    return { actor: `key:${known.id}`, scopes: known.scopes }
  }
}

/** `admin` includes everything, `deploy` of a namespace includes publishing there, and both include reading there. */
export function isAllowed({ scopes }: Caller, permission: Permission): boolean {
  if (scopes.includes('admin')) return true
  const { kind, namespace } = permission
  if (kind === 'read' && scopes.includes('read')) return true
  if (namespace === null) return false
  if (scopes.includes(`deploy:${namespace}`)) return true
  return kind !== 'deploy' && scopes.includes(`publish:${namespace}`)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
