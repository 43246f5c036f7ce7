import type { Suite } from '../harness/suite.ts'
import { batching } from './batching.ts'
import { federation1 } from './federation1.ts'
import { inaccessible } from './inaccessible.ts'
import { interfaceObjects } from './interface-objects.ts'
import { interfaceParts } from './interface-parts.ts'
import { interfaces } from './interfaces.ts'
import { keys } from './keys.ts'
import { nestedKeys } from './nested-keys.ts'
import { override } from './override.ts'
import { partialUnions } from './partial-unions.ts'
import { provides } from './provides.ts'
import { requiresAbstract } from './requires-abstract.ts'
import { requiresArguments } from './requires-arguments.ts'
import { requiresChains } from './requires-chains.ts'
import { requires } from './requires.ts'
import { shareable } from './shareable.ts'
import { unions } from './unions.ts'

export const SUITES: readonly Suite[] = [
  batching,
  federation1,
  inaccessible,
  interfaceObjects,
  interfaceParts,
  interfaces,
  keys,
  nestedKeys,
  override,
  partialUnions,
  provides,
  requiresAbstract,
  requiresArguments,
  requiresChains,
  requires,
  shareable,
  unions,
]
