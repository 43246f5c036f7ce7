/**
 * The concerns: what users can switch on. Whatever goes through the settings of all of them reads these
 * lists. What needs one of them imports its files: the pipeline its stage, `startup/` what it opens, and
 * others a part, such as `call/` the rules for headers.
 */
import { EventsSection } from '../brokers/settings.ts'
import { authenticationProblems } from './authentication/setting-rules.ts'
import { AuthenticationSection } from './authentication/settings.ts'
import { AuthorizationSection } from './authorization/settings.ts'
import { BatchingSection } from './batching/settings.ts'
import { ResponseSection } from './caching/settings.ts'
import { ClientIdentificationSection } from './client-names/settings.ts'
import { CompressionSection } from './compression/settings.ts'
import { CorsSection } from './cors/settings.ts'
import { CostsSection, uselessClientLimits } from './costs/settings.ts'
import { CsrfSection } from './csrf/settings.ts'
import { DocumentsSection, uselessManifestClients } from './documents/settings.ts'
import { headerProblems } from './headers/setting-rules.ts'
import { HeadersSection } from './headers/settings.ts'
import { IntrospectionSection } from './introspection/settings.ts'
import { OfrepSection } from './ofrep/settings.ts'
import { overrideKeyProblems } from './override-labels/settings.ts'
import { PlaygroundSection } from './playground/settings.ts'
import { RolloutsSection } from './rollouts/settings.ts'
import { PreviewsSection } from './previews/settings.ts'
import { RateLimitsSection, rateRuleProblems } from './rates/settings.ts'
import { ShadowSection } from './shadows/settings.ts'
import { UploadsSection } from './uploads/settings.ts'
import { UsageSection } from './usage/settings.ts'
import { SubscriptionsSection } from '../subscriptions/settings.ts'
import type { SettingProblem } from '../settings/setting-problems.ts'

/** The section of each concern by its name in the settings file, in the order of docs/configuration.md. */
export const CONCERN_SECTIONS = {
  authentication: AuthenticationSection,
  authorization: AuthorizationSection,
  introspection: IntrospectionSection,
  playground: PlaygroundSection,
  cors: CorsSection,
  csrf: CsrfSection,
  costs: CostsSection,
  rate_limits: RateLimitsSection,
  response: ResponseSection,
  compression: CompressionSection,
  headers: HeadersSection,
  documents: DocumentsSection,
  batching: BatchingSection,
  subscriptions: SubscriptionsSection,
  events: EventsSection,
  uploads: UploadsSection,
  client_identification: ClientIdentificationSection,
  rollouts: RolloutsSection,
  ofrep: OfrepSection,
  shadow: ShadowSection,
  previews: PreviewsSection,
  usage: UsageSection,
} as const

/** The settings that the rules of concerns read. */
type CheckedSettings = Parameters<typeof authenticationProblems>[0] &
  Parameters<typeof uselessClientLimits>[0] &
  Parameters<typeof rateRuleProblems>[0] &
  Parameters<typeof headerProblems>[0] &
  Parameters<typeof uselessManifestClients>[0] &
  Parameters<typeof overrideKeyProblems>[0]

/** Returns the settings of concerns that do not fit those of others. */
export function concernProblems(settings: CheckedSettings): readonly SettingProblem[] {
  return [
    ...authenticationProblems(settings),
    ...uselessClientLimits(settings),
    ...rateRuleProblems(settings),
    ...headerProblems(settings),
    ...uselessManifestClients(settings),
    ...overrideKeyProblems(settings),
  ]
}
