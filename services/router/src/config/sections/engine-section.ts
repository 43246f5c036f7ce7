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
  /** Whether fragments with `@defer` are delivered later. If not, they are ordinary fragments. */
  enable_defer: setting(z.boolean().default(false), {
    variable: { name: 'ENGINE_ENABLE_DEFER', type: booleanVariable(false) },
  }),
  /** Whether each fragment is announced once, or once for each object it is on. */
  defer_pending: setting(DeferPending.default('fragment'), {
    variable: { name: 'ENGINE_DEFER_PENDING', type: DeferPending },
  }),
  /** The same for clients by the name that they call themselves. */
  defer_pending_by_client: z.record(z.string().min(1).max(128), DeferPending).default({}),
  /** Lets its owner probe how deferred answers arrive. Empty: nobody, but in dev mode. */
  defer_probe_token: setting(
    z
      .union([z.literal(''), ProbeToken], PROBE_TOKEN_RULE)
      .default('')
      .meta(SECRET),
    { variable: { name: 'ENGINE_DEFER_PROBE_TOKEN', type: ProbeToken } },
  ),
  /** Whether requests can be traced at all. */
  enable_request_tracing: setting(z.boolean().default(true), {
    variable: { name: 'ENGINE_ENABLE_REQUEST_TRACING', type: booleanVariable(true) },
  }),
  /** Every client gets traces, without a token. */
  force_unauthenticated_request_tracing: setting(z.boolean().default(false), {
    variable: { name: 'ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING', type: booleanVariable(false) },
  }),
})
