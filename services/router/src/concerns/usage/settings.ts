/** The section `usage`: whether the router counts which operations and clients use what. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

export const UsageSection = section({
  enabled: setting(z.boolean().default(true), {
    says: 'whether the router counts requests by operation, client and flag, and [tells the registry](usage.md) every minute. It does so where it sends heartbeats, and nowhere else',
    needsRestart: true,
  }),
  documents: setting(z.boolean().default(true), {
    says: 'whether the text of operations is told, without any value. Without it, operations are told by a hash and by the fields that they use',
  }),
})
