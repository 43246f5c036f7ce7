/**
 * Finds out who asks, and what they may do. Keys are `swy_<id>_<secret>`: found by id and compared as SHA-256
 * in constant time. The first key comes from the environment and may do everything.
 */
import { timingSafeEqual } from 'node:crypto'
import type { SystemState } from '@switchyard/domain'
import { idOfKey, sha256Of } from './key-text.ts'

export type Caller = { readonly actor: string; readonly scopes: readonly string[] }

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

  /** Null if the key is missing, malformed or unknown. */
  identify(authorization: string | undefined, system: SystemState): Caller | null {
    const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (text === undefined) return null
    const hash = sha256Of(text)
    const known = system.apiKeys.get(idOfKey(text) ?? '')
    const wanted = known === undefined ? HASH_OF_NO_KEY : Buffer.from(known.sha256, 'hex')
    const isBootstrap = timingSafeEqual(hash, this.#bootstrapHash ?? HASH_OF_NO_KEY)
    const isKnown = timingSafeEqual(hash, wanted)
    if (isBootstrap && this.#bootstrapHash !== null) return { actor: 'bootstrap', scopes: ['admin'] }
    return isKnown && known !== undefined ? { actor: `key:${known.id}`, scopes: known.scopes } : null
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
