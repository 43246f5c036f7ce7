/** The type of a fault. Each fault is a value in a file of `faults/`, and `faults/index.ts` lists all. */
import type { WorldKind } from './world/programs.ts'
import type { World } from './world/world.ts'

export type Fault = {
  /** Short and unique; `--only` finds it by any part. */
  readonly name: string
  /** A text for the table that says what is done. */
  readonly done: string
  /** A sentence for the table that says what happens then, and why. */
  readonly why: string
  /** The set-up that it needs; the plain one by default. */
  readonly world?: WorldKind
  /** Why this machine cannot do it, or null. */
  readonly missing?: () => string | null
  /** Resolves when it happened, or began. */
  readonly begin: (world: World) => Promise<void>
  /** Milliseconds from then to `end`, while queries and commands go on. */
  readonly lasts: number
  /** Makes it good again, as an operator would; seconds until healed count from its end. */
  readonly end: (world: World) => Promise<void>
  /** Failed queries that are right: what a failure says has to match. None by default. */
  readonly mayFail?: RegExp
  /** Milliseconds within which a fresh publish has to be served by both routers. */
  readonly healsWithin: number
  /** Checks more conditions before `end` (`during`) or at last (`after`). Throws if one does not hold. */
  readonly during?: (world: World) => Promise<void>
  readonly after?: (world: World) => Promise<void>
}
