/** Whether somebody has a policy of `@policy`: a question to the claims of a verified token. */
import { type ClaimPath, claimReader, type Claims } from '../identity/claim-path.ts'

/** What a claim is compared with. */
type ClaimValue = string | number | boolean

/** A question to one claim. A claim that is absent, or of another type, is no match. */
type ClaimTest =
  /** It is this value. */
  | { readonly claim: ClaimPath; readonly equals: ClaimValue }
  /** It is a list with this item. */
  | { readonly claim: ClaimPath; readonly contains: ClaimValue }

type AllOf = { readonly all: readonly ClaimTest[] }

/** One question, several that must all hold, or several of which one must. */
export type PolicyRule = ClaimTest | AllOf | { readonly any: readonly (ClaimTest | AllOf)[] }

/** Whether claims meet a rule. */
type RuleCheck = (claims: Claims) => boolean

/** What decides by the rule. */
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
