/** The settings of signing in beside the key for sessions, for registries and for `switchyard up`. */
import { z } from 'zod'
import { StudioUrlVariable } from '../sessions/session-site.ts'
import { OPENID_CONNECT_VARIABLES, openIdConnectOf, type OpenIdConnectSettings } from './settings.ts'

export type SignInSettings = {
  /** The origin at which browsers reach the registry, besides loopback names. */
  readonly studioUrl?: string
  /** The identity provider at which people may sign in. */
  readonly openIdConnect?: OpenIdConnectSettings
}

export const SIGN_IN_VARIABLES = { SWITCHYARD_STUDIO_URL: StudioUrlVariable, ...OPENID_CONNECT_VARIABLES }
const Variables = z.object(SIGN_IN_VARIABLES)

/** Throws EnvironmentError where something is missing beside an issuer. */
export function signInOf(values: z.output<typeof Variables>, hasSessionKey: boolean): SignInSettings {
  const { SWITCHYARD_STUDIO_URL: studioUrl } = values
  const openIdConnect = openIdConnectOf(values, hasSessionKey)
  return {
    ...(studioUrl === undefined ? {} : { studioUrl }),
    ...(openIdConnect === undefined ? {} : { openIdConnect }),
  }
}
