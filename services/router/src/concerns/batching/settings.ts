/** The section `batching`: several operations in one request. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

export const BatchingSection = section({
  enabled: setting(z.boolean().default(false), {
    says: 'true: the body of a POST request may be a [list of operations](#several-operations-in-one-request) (batch)',
  }),
  max_operations: setting(z.int().min(1).max(1000).default(10), {
    says: 'operations in one batch, at most 1000',
  }),
})
