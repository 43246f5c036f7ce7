import type { World } from '../../../src/generated/world.ts'

export type FoundWorld = {
  /** What was wrong. */
  readonly name: string
  readonly world: World
  readonly operations: readonly string[]
}
