/** The section `shadow`: limits of what is executed beside clients' requests, to compare answers. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

export const ShadowSection = section({
  max_concurrent: setting(z.int().min(0).max(1000).default(10), {
    says: 'requests at a time whose answers are recorded or [compared with those of a flag](shadow.md), for each process; each holds at most 1 MiB of answers of subgraphs. If there are more, they are not compared. `0`: none is',
  }),
  keep_values: setting(z.boolean().default(false), {
    says: 'whether the results tell the values that differ, to those who may read them, for a day. Otherwise they tell types, and hashes that cannot be traced back to values. With values of users in answers, think of whom you show them to',
  }),
})

export type ShadowConfig = ReturnType<typeof shadowConfigOf>

/** Returns the settings under the names that code uses. */
export function shadowConfigOf(settings: z.output<typeof ShadowSection>) {
  return { maxConcurrent: settings.max_concurrent, keepsValues: settings.keep_values } as const
}
