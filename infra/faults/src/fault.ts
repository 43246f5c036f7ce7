/** What a fault is. Each is one value in a file of `faults/`, and `faults/index.ts` lists them. */
import type { WorldKind } from './world/programs.ts'
import type { World } from './world/world.ts'

export type Fault = {
  /** Short and unique; `--only` finds it by any part. */
  readonly name: string
  /** What is done, for the table. */
  readonly done: string
  /** What happens then, and why: a sentence for the table. */
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
  /** What has to hold besides, before `end` (`during`) and at last; throws what is wrong. */
  readonly during?: (world: World) => Promise<void>
  readonly after?: (world: World) => Promise<void>
}
