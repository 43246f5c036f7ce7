/** Settings of the section `engine` for deferred answers. */
import { booleanVariable } from '@switchyard/service-kit'
import { z } from 'zod'
import { setting } from '../settings/setting.ts'

/** The unit that one `pending` entry of an incremental response announces. */
const DeferPending = z.enum(['fragment', 'item'], 'expected fragment or item')

/** Whether fragments are deferred, and how their parts are announced. */
export const DEFER_SETTINGS = {
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
} as const
