/**
 * Finds out who asks, and what they may do. Keys are `swy_<id>_<secret>`: found by id and compared as SHA-256
 * in constant time. The first key comes from the environment and may do everything.
 */
import { timingSafeEqual } from 'node:crypto'
import type { SystemState } from '@switchyard/domain'
import type { KeyIdentity } from '../sessions/session.ts'
import { idOfKey, sha256Of } from './key-text.ts'

export type Caller = {
  readonly actor: string
  readonly scopes: readonly string[]
  /** When the session began that the request came with, in Unix milliseconds. Absent without a session. */
  readonly signedInAt?: number
}

/** A caller with its name for people. */
export type NamedCaller = { readonly caller: Caller; readonly name: string }

export type Permission =
  /** A namespace of null stands for things that belong to no namespace. */
  | { readonly kind: 'read'; readonly namespace: string | null }
  | {
      readonly kind: 'publish' | 'deploy' | 'rollout' | 'abort' | 'preview' | 'trace'
      readonly namespace: string
    }
  | { readonly kind: 'admin' }

/** Compared with if no key has the id, so that an unknown id takes as long as a known one. */
const HASH_OF_NO_KEY = Buffer.alloc(32)

export class Access {
  readonly #bootstrapHash: Buffer | null

  constructor(bootstrapApiKey: string | null) {
    this.#bootstrapHash = bootstrapApiKey === null ? null : sha256Of(bootstrapApiKey)
  }

  /** Whether there is a bootstrap key, with which an administrator gets in without any key of the log. */
  get hasBootstrapKey(): boolean {
    return this.#bootstrapHash !== null
  }

  /** The bootstrap key as sessions name it. Null if there is none. */
  get bootstrapIdentity(): KeyIdentity | null {
    const fingerprint = this.#bootstrapHash?.toString('hex')
    return fingerprint === undefined ? null : { kind: 'key', id: null, fingerprint }
  }

  /** Null if the key is malformed or unknown. */
  identify(text: string, system: SystemState): (NamedCaller & { readonly identity: KeyIdentity }) | null {
    const identity = this.#identityOf(text, system)
    const known = identity === null ? null : this.lookUp(identity, system)
    return identity === null || known === null ? null : { ...known, identity }
  }

  #identityOf(text: string, system: SystemState): KeyIdentity | null {
    const hash = sha256Of(text)
    const known = system.apiKeys.get(idOfKey(text) ?? '')
    const wanted = known === undefined ? HASH_OF_NO_KEY : Buffer.from(known.sha256, 'hex')
    const isBootstrap = timingSafeEqual(hash, this.#bootstrapHash ?? HASH_OF_NO_KEY)
    const isKnown = timingSafeEqual(hash, wanted)
    const fingerprint = hash.toString('hex')
    if (isBootstrap && this.#bootstrapHash !== null) return { kind: 'key', id: null, fingerprint }
    return isKnown && known !== undefined ? { kind: 'key', id: known.id, fingerprint } : null
  }

  /** Returns what the key may do now. Null if it was deleted, or replaced by another bootstrap key. */
  lookUp({ id, fingerprint }: KeyIdentity, system: SystemState): NamedCaller | null {
    if (id === null) {
      const isBootstrap = this.#bootstrapHash?.toString('hex') === fingerprint
      return isBootstrap ? { caller: { actor: 'bootstrap', scopes: ['admin'] }, name: 'bootstrap key' } : null
    }
    const known = system.apiKeys.get(id)
    if (known === undefined || known.sha256 !== fingerprint) return null
    return { caller: { actor: `key:${known.id}`, scopes: known.scopes }, name: known.name }
  }
}

/**
 * `admin` includes everything. `deploy` of a namespace includes publishing, rollouts and previews there, and
 * `rollout` includes aborting rollouts. All of these include reading there. Only `admin` includes `trace`,
 * and `trace` includes nothing else: whoever decides what a router calls does not thereby see what is
 * answered.
 */
export function isPermitted({ scopes }: Caller, permission: Permission): boolean {
  if (scopes.includes('admin')) return true
  if (permission.kind === 'admin') return false
  const { kind, namespace } = permission
  if (kind === 'read' && scopes.includes('read')) return true
  if (namespace === null) return false
  if (kind === 'trace') return scopes.includes(`trace:${namespace}`)
  return SCOPES_WITH[kind].some((scope) => scopes.includes(`${scope}:${namespace}`))
}

/** The scopes of a namespace that include each permission. */
const SCOPES_WITH = {
  read: ['deploy', 'publish', 'rollout', 'abort', 'preview'],
  publish: ['deploy', 'publish'],
  rollout: ['deploy', 'rollout'],
  abort: ['deploy', 'rollout', 'abort'],
  preview: ['deploy', 'preview'],
  deploy: ['deploy'],
} as const

/** The namespaces that the caller may read: all, or those of its scopes. They need not exist. */
export function readableNamespaces(caller: Caller): 'all' | ReadonlySet<string> {
  if (isPermitted(caller, { kind: 'read', namespace: null })) return 'all'
  const named = caller.scopes.map((scope) => scope.slice(scope.indexOf(':') + 1))
  return new Set(named.filter((namespace) => isPermitted(caller, { kind: 'read', namespace })))
}

/** The narrowest scope that includes the permission. */
export function scopeFor(permission: Permission): string {
  switch (permission.kind) {
    case 'read':
    case 'admin':
      return permission.kind
    case 'publish':
    case 'deploy':
    case 'rollout':
    case 'abort':
    case 'preview':
    case 'trace':
      return `${permission.kind}:${permission.namespace}`
    default:
      return permission satisfies never
  }
}
