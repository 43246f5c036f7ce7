/** The rollouts in the file of `switchyard apply`. */
import {
  ResourceName,
  RolloutAudience,
  RolloutCondition,
  RolloutKey,
  RolloutMode,
  RolloutPercent,
  RolloutSalt,
  RolloutShadow,
} from '@switchyard/contracts'
import { readRolloutCondition } from '@switchyard/rollouts'
import { z } from 'zod'

const CONDITION_RULE = 'expected a condition, such as claim:plan in pro,team, or an object'

/** A condition as text, such as `claim:plan in pro,team`, or as an object of the registry's API. */
const Condition = z.unknown().transform((value, context): RolloutCondition => {
  if (typeof value === 'string') {
    const read = readRolloutCondition(value)
    if (read.kind === 'condition') return read.condition
    context.addIssue(read.problem)
    return z.NEVER
  }
  const parsed = RolloutCondition.safeParse(value)
  if (parsed.success) return parsed.data
  const isObject = typeof value === 'object' && value !== null
  for (const { path, message } of parsed.error.issues)
    context.addIssue({ code: 'custom', path, message: isObject ? message : CONDITION_RULE })
  return z.NEVER
})

/** A point in time, which the registry takes in UTC. */
const Time = z.iso
  .datetime({ offset: true, error: 'expected a time in RFC 3339, such as 2026-03-02T09:00:00Z' })
  .transform((text) => (text.endsWith('Z') ? text : new Date(text).toISOString()))

/** A rollout of the file. Members that are absent stay as they are. */
export const RolloutItem = z.strictObject({
  name: ResourceName,
  graph: ResourceName.optional(),
  flag: ResourceName.optional(),
  mode: RolloutMode.optional(),
  where: z.array(Condition).pipe(RolloutAudience).optional(),
  percent: RolloutPercent.optional(),
  key: RolloutKey.optional(),
  salt: RolloutSalt.optional(),
  expires: Time.nullable().optional(),
  shadow: RolloutShadow.strict().nullable().optional(),
})
export type RolloutItem = z.infer<typeof RolloutItem>
