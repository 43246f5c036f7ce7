import { extensionKeys } from './extension-keys.ts'
import { interfaceObjectInputs } from './interface-object-inputs.ts'
import { members } from './members.ts'
import { providedBelowOneType } from './provided-below-one-type.ts'
import { rootReached } from './root-reached.ts'
import { sortedInputs } from './sorted-inputs.ts'
import type { FoundWorld } from './found-world.ts'

export const FOUND: readonly FoundWorld[] = [
  ...extensionKeys,
  ...interfaceObjectInputs,
  ...members,
  ...providedBelowOneType,
  ...rootReached,
  ...sortedInputs,
]
