/**
 * Finds out what an identity may see: the scopes and policies that its claims give. A client that is not
 * known has none.
 *
 * It is worked out only for operations that reach something protected, once for each identity object.
 */
import { type Authorization, grantedBy, type Operation } from '@switchyard/engine'
import { type ClaimPath, claimReader, type Claims } from '@switchyard/values'
import type { Identity } from '../../identity/identity.ts'
import { type PolicyRule, ruleCheck } from './policy-rule.ts'

/** The settings that scopes and policies come from. */
export type AuthorizationRules = {
  /** The claim that lists the scopes. */
  readonly scopesClaim: ClaimPath
  /** Rules by the names that `@policy` gives the policies. Nobody has a policy without a rule. */
  readonly policies: ReadonlyMap<string, PolicyRule>
}

const NOBODY: Authorization = { isAuthenticated: false, scopes: new Set(), policies: new Set() }
const NOTHING: ReadonlySet<number> = new Set()

/** Tells what identities may see. */
export class Authorizer {
  readonly #scopesClaim: (claims: Claims) => unknown
  readonly #policies: ReadonlyMap<string, (claims: Claims) => boolean>
  /** Results by identity. Each is kept as long as the cache of verified tokens keeps the identity. */
  readonly #known = new WeakMap<Identity, Authorization>()

  constructor({ scopesClaim, policies }: AuthorizationRules) {
    this.#scopesClaim = claimReader(scopesClaim)
    this.#policies = new Map([...policies].map(([name, rule]) => [name, ruleCheck(rule)]))
  }

  /**
   * Returns the access conditions of an operation that are met. `identity` is null if the client is not
   * known.
   */
  granted(operation: Operation, identity: Identity | null): ReadonlySet<number> {
    return operation.accessConditions.length === 0 ? NOTHING : grantedBy(operation, this.#of(identity))
  }

  #of(identity: Identity | null): Authorization {
    if (identity === null) return NOBODY
    let known = this.#known.get(identity)
    if (known === undefined) {
      known = this.#read(identity)
      this.#known.set(identity, known)
    }
    return known
  }

  #read({ claims }: Identity): Authorization {
    const policies = new Set<string>()
    for (const [name, holds] of this.#policies) if (holds(claims)) policies.add(name)
    return { isAuthenticated: true, scopes: scopesIn(this.#scopesClaim(claims)), policies }
  }
}

/**
 * Returns the scopes of a claim: a string with spaces between them
 * (https://www.rfc-editor.org/rfc/rfc8693#section-4.2, https://www.rfc-editor.org/rfc/rfc9068#section-2.2.3),
 * or a list of strings, as some issuers write it. A list with anything else in it, or a value of another
 * type, gives no scope, because nobody knows what its issuer meant.
 */
function scopesIn(claim: unknown): ReadonlySet<string> {
  if (typeof claim === 'string') return new Set(claim.split(' ').filter((scope) => scope !== ''))
  if (!Array.isArray(claim)) return new Set()
  const scopes: ReadonlySet<unknown> = new Set(claim)
  return isTexts(scopes) ? scopes : new Set()
}

function isTexts(values: ReadonlySet<unknown>): values is ReadonlySet<string> {
  return [...values].every((value) => typeof value === 'string')
}
