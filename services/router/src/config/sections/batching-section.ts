/** The section `batching`: several operations in one request. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'

export const BatchingSection = section({
  enabled: z.boolean().default(false),
  /** Most operations in one request. */
  max_operations: z.int().min(1).max(1000).default(10),
})
