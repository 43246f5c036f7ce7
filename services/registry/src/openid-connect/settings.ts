/** The settings of signing in with OpenID Connect, from the variables `SWITCHYARD_OIDC_…`. */
import { ApiKeyScope } from '@switchyard/contracts'
import { EnvironmentError } from '@switchyard/service-kit'
import { z } from 'zod'
import { readSecretFile } from '../secrets/secret-file.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const MOST_ROLES = 200
const MOST_CHARACTERS = 100

export type OpenIdConnectSettings = {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  readonly scopes: string
  /** The name of the provider for people. */
  readonly name: string
  readonly rolesClaim: string
  /** The scopes of each value of that claim. */
  readonly roles: ReadonlyMap<string, readonly string[]>
}

const Roles = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'expected JSON' })
      return z.NEVER
    }
  })
  .pipe(z.record(z.string().min(1).max(MOST_CHARACTERS), z.array(ApiKeyScope).min(1).max(MOST_CHARACTERS)))
  .refine((roles) => Object.keys(roles).length <= MOST_ROLES, {
    error: `expected at most ${MOST_ROLES} roles`,
  })

export const OPENID_CONNECT_VARIABLES = {
  SWITCHYARD_OIDC_ISSUER: z
    .string()
    .refine(isIssuer, { error: 'expected the https URL that the provider has as its issuer' })
    .optional(),
  SWITCHYARD_OIDC_CLIENT_ID: z.string().optional(),
  SWITCHYARD_OIDC_CLIENT_SECRET: z.string().optional(),
  SWITCHYARD_OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  SWITCHYARD_OIDC_SCOPES: z
    .string()
    .default('openid profile email offline_access')
    .refine((text) => text.split(' ').includes('openid'), { error: 'expected openid among the scopes' }),
  SWITCHYARD_OIDC_NAME: z.string().max(MOST_CHARACTERS).default('OpenID Connect'),
  SWITCHYARD_OIDC_ROLES_CLAIM: z.string().default('groups'),
  SWITCHYARD_OIDC_ROLES: Roles.optional(),
}
const Variables = z.object(OPENID_CONNECT_VARIABLES)

/** Returns undefined without an issuer. Throws EnvironmentError where something is missing beside it. */
export function openIdConnectOf(
  values: z.output<typeof Variables>,
  hasSessionKey: boolean,
): OpenIdConnectSettings | undefined {
  const { SWITCHYARD_OIDC_ISSUER: issuer, SWITCHYARD_OIDC_CLIENT_ID: clientId } = values
  const { SWITCHYARD_OIDC_ROLES: roles, SWITCHYARD_OIDC_CLIENT_SECRET: given } = values
  const { SWITCHYARD_OIDC_CLIENT_SECRET_FILE: file } = values
  if (issuer === undefined) return undefined
  if (clientId === undefined || roles === undefined || !hasSessionKey) {
    const missing = [
      clientId === undefined ? 'SWITCHYARD_OIDC_CLIENT_ID' : null,
      roles === undefined ? 'SWITCHYARD_OIDC_ROLES' : null,
      hasSessionKey ? null : 'SWITCHYARD_SESSION_KEY',
    ].filter((name) => name !== null)
    throw new EnvironmentError([`SWITCHYARD_OIDC_ISSUER: expected ${missing.join(' and ')} beside it`])
  }
  return {
    issuer,
    clientId,
    clientSecret:
      given ?? (file === undefined ? null : readSecretFile('SWITCHYARD_OIDC_CLIENT_SECRET_FILE', file)),
    scopes: values.SWITCHYARD_OIDC_SCOPES,
    name: values.SWITCHYARD_OIDC_NAME,
    rolesClaim: values.SWITCHYARD_OIDC_ROLES_CLAIM,
    roles: new Map(Object.entries(roles)),
  }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  if (search !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}
