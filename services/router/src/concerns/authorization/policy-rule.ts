/** Decides by the claims of a verified token whether a client has a policy of `@policy`. */
import { type ClaimPath, claimReader, type Claims } from '@switchyard/values'

/** The value that a claim is compared with. */
type ClaimValue = string | number | boolean

/** A test of one claim. A claim that is absent, or of another type, does not match. */
type ClaimTest =
  /** The claim is this value. */
  | { readonly claim: ClaimPath; readonly equals: ClaimValue }
  /** The claim is a list with this item. */
  | { readonly claim: ClaimPath; readonly contains: ClaimValue }

type AllOf = { readonly all: readonly ClaimTest[] }

/** One test, several that must all match, or several of which one must. */
export type PolicyRule = ClaimTest | AllOf | { readonly any: readonly (ClaimTest | AllOf)[] }

/** Returns whether claims meet a rule. */
type RuleCheck = (claims: Claims) => boolean

/** Compiles a rule. */
export function ruleCheck(rule: PolicyRule): RuleCheck {
  if ('any' in rule) {
    const checks = rule.any.map(ruleCheck)
    return (claims) => checks.some((holds) => holds(claims))
  }
  if ('all' in rule) {
    const checks = rule.all.map(ruleCheck)
    return (claims) => checks.every((holds) => holds(claims))
  }
  const read = claimReader(rule.claim)
  if ('equals' in rule) return (claims) => read(claims) === rule.equals
  return (claims) => {
    const value = read(claims)
    return Array.isArray(value) && value.includes(rule.contains)
  }
}
