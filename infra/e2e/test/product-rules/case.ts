import type { RuleId } from './rules.ts'
import type { World } from './world.ts'

export type Case = {
  readonly rules: readonly RuleId[]
  /** What is seen, as a sentence. */
  readonly it: string
  readonly run: (world: World) => Promise<void>
}
