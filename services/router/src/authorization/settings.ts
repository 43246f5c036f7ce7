/** The section `authorization`: which claims of a verified token meet the demands of the graph. */
import { z } from 'zod'
import { ClaimPath } from '../settings/claim-path.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'
import { camelCased } from '../settings/camel-cased.ts'

const ClaimValue = z.union([z.string(), z.number(), z.boolean()], 'expected a text, a number, true or false')
const Equals = z.strictObject({ claim: ClaimPath, equals: ClaimValue })
const Contains = z.strictObject({ claim: ClaimPath, contains: ClaimValue })
const TEST_FORMS = 'expected {claim: name, equals: value} or {claim: name, contains: value}'
const ClaimTest = z.union([Equals, Contains], TEST_FORMS)
const AllOf = z.strictObject({ all: z.array(ClaimTest).min(1) })
const AnyOf = z.strictObject({
  any: z.array(z.union([Equals, Contains, AllOf], `${TEST_FORMS}, or {all: [...]} of these`)).min(1),
})
const PolicyRule = z.union(
  [Equals, Contains, AllOf, AnyOf],
  `${TEST_FORMS}, {all: [...]} of these, or {any: [...]} of these and of {all: [...]}`,
)

export const AuthorizationSection = section({
  /** The claim with the scopes: a text with spaces between them, or a list of texts. */
  scopes_claim: ClaimPath.default('scope'),
  /** The rules that say who has a policy of `@policy`, by the name of the policy. */
  policies: z.record(z.string().min(1), PolicyRule).default({}),
  /** True if a whole operation is refused when a part of it may not be seen. */
  reject_unauthorized: z.boolean().default(false),
  /**
   * True if the access rules of a graph from a file have no effect. Graphs of a registry have this setting in
   * the registry.
   */
  allow_unenforced: setting(z.boolean().default(false), { needsRestart: true }),
})

/** The settings of claims that open protected parts of the graph. Policies are keyed by their names. */
export type AuthorizationConfig = ReturnType<typeof authorizationConfigOf>

/** Returns the settings under the names that code uses. */
export function authorizationConfigOf(settings: z.output<typeof AuthorizationSection>) {
  return { ...camelCased(settings), policies: new Map(Object.entries(settings.policies)) } as const
}
