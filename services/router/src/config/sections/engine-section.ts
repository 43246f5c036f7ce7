/** The section `engine`: deferred answers, and who may get traces of single requests. */
import { PROBE_TOKEN_RULE, ProbeToken } from '@switchyard/contracts'
import { booleanVariable } from '@switchyard/service-kit'
import { z } from 'zod'
import { SECRET } from '../../settings/secret-setting.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

/** The unit that one `pending` entry of an incremental response announces. */
export const DeferPending = z.enum(['fragment', 'item'], 'expected fragment or item')
export type DeferPending = z.infer<typeof DeferPending>

/** The section `engine`: incremental delivery, and traces for clients. */
export const EngineSection = section({
  enable_defer: setting(z.boolean().default(false), {
    says: 'true: fragments with `@defer` are delivered later, see [defer.md](defer.md)',
    variable: { name: 'ENGINE_ENABLE_DEFER', type: booleanVariable(false) },
  }),
  defer_pending: setting(DeferPending.default('fragment'), {
    says: 'what an entry of `pending` announces: `fragment`, each deferred fragment once; `item`, once for each object that it is on, which [Apollo Client needs](defer.md#apollo-client)',
    variable: { name: 'ENGINE_DEFER_PENDING', type: DeferPending },
  }),
  defer_pending_by_client: setting(z.record(z.string().min(1).max(128), DeferPending).default({}), {
    says: 'the same for single clients, by the [name that they call themselves](#how-clients-say-who-they-are): `{ storefront: item }`. It wins over `engine.defer_pending`',
  }),
  defer_probe_token: setting(
    z
      .union([z.literal(''), ProbeToken], PROBE_TOKEN_RULE)
      .default('')
      .meta(SECRET),
    {
      says: '16 to 200 letters, digits and characters of `-._~+/=`: who sends it may probe how deferred answers arrive, see [defer.md](defer.md#is-something-in-between-holding-parts-back)',
      variable: { name: 'ENGINE_DEFER_PROBE_TOKEN', type: ProbeToken },
    },
  ),
  enable_request_tracing: setting(z.boolean().default(true), {
    says: 'false: no request can be traced, see [trace-tokens.md](trace-tokens.md)',
    variable: { name: 'ENGINE_ENABLE_REQUEST_TRACING', type: booleanVariable(true) },
  }),
  force_unauthenticated_request_tracing: setting(z.boolean().default(false), {
    says: 'true: **everybody who reaches the router can get complete traces** without a token; a warning at the start says what can leak',
    variable: { name: 'ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING', type: booleanVariable(false) },
  }),
})
