/** The section `authorization`: which claims of a verified token meet the demands of the graph. */
import { z } from 'zod'
import { ClaimPathSetting } from '../../settings/claim-path.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'
import { camelCased } from '../../settings/camel-cased.ts'

const ClaimValue = z.union([z.string(), z.number(), z.boolean()], 'expected a text, a number, true or false')
const Equals = z.strictObject({ claim: ClaimPathSetting, equals: ClaimValue })
const Contains = z.strictObject({ claim: ClaimPathSetting, contains: ClaimValue })
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
  scopes_claim: setting(ClaimPathSetting.default('scope'), {
    says: "the claim that holds the scopes for `@requiresScopes`, see [authorization.md](authorization.md#scopes): its name, with dots leading into objects (`realm_access.roles`), or a list of names, which may contain dots (`['https://shop.example/scopes']`)",
  }),
  policies: setting(z.record(z.string().min(1), PolicyRule).default({}), {
    says: 'for each policy of `@policy`, by name, a rule about claims, see [authorization.md](authorization.md#policies). A policy without a rule is fulfilled by nobody',
  }),
  reject_unauthorized: setting(z.boolean().default(false), {
    says: 'true: an operation with a field that the request may not see is refused as a whole, with 403; false: such a field is null, with an error',
  }),
  allow_unenforced: setting(z.boolean().default(false), {
    says: 'true: `@authenticated`, `@requiresScopes` and `@policy` have no effect, so **everybody can see everything**, if the router serves a file (`--supergraph`, `--execution-config`); see [authorization.md](authorization.md#leaving-it-to-others). Graphs of a registry have this setting in the registry',
    needsRestart: true,
  }),
})

/** Returns the settings under the names that code uses. Policies are keyed by their names. */
export function authorizationConfigOf(settings: z.output<typeof AuthorizationSection>) {
  return { ...camelCased(settings), policies: new Map(Object.entries(settings.policies)) } as const
}
