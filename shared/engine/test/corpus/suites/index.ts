import type { Suite } from '../harness/suite.ts'
import { aliases } from './aliases.ts'
import { ancestors } from './ancestors.ts'
import { batching } from './batching.ts'
import { conditions } from './conditions.ts'
import { conflictingTypes } from './conflicting-types.ts'
import { covariantTypes } from './covariant-types.ts'
import { enums } from './enums.ts'
import { errors } from './errors.ts'
import { extensions } from './extensions.ts'
import { failingSubgraphs } from './failing-subgraphs.ts'
import { federation1 } from './federation1.ts'
import { fragments } from './fragments.ts'
import { inaccessible } from './inaccessible.ts'
import { inputs } from './inputs.ts'
import { interfaceObjects } from './interface-objects.ts'
import { interfaceParts } from './interface-parts.ts'
import { interfaces } from './interfaces.ts'
import { introspection } from './introspection.ts'
import { keys } from './keys.ts'
import { missingEntities } from './missing-entities.ts'
import { mutations } from './mutations.ts'
import { nestedKeys } from './nested-keys.ts'
import { nestedLists } from './nested-lists.ts'
import { nulls } from './nulls.ts'
import { override } from './override.ts'
import { overrideLabels } from './override-labels.ts'
import { partialUnions } from './partial-unions.ts'
import { provides } from './provides.ts'
import { queryReentry } from './query-reentry.ts'
import { rawAnswers } from './raw-answers.ts'
import { renamedRoots } from './renamed-roots.ts'
import { requiresAbstract } from './requires-abstract.ts'
import { requiresArguments } from './requires-arguments.ts'
import { requiresChains } from './requires-chains.ts'
import { requiresMoved } from './requires-moved.ts'
import { requires } from './requires.ts'
import { scalars } from './scalars.ts'
import { shareable } from './shareable.ts'
import { typenames } from './typenames.ts'
import { unions } from './unions.ts'
import { unresolvableKeys } from './unresolvable-keys.ts'
import { valueInterfaces } from './value-interfaces.ts'
import { variables } from './variables.ts'

export const SUITES: readonly Suite[] = [
  aliases,
  ancestors,
  batching,
  conditions,
  conflictingTypes,
  covariantTypes,
  enums,
  errors,
  extensions,
  failingSubgraphs,
  federation1,
  fragments,
  inaccessible,
  inputs,
  interfaceObjects,
  interfaceParts,
  interfaces,
  introspection,
  keys,
  missingEntities,
  mutations,
  nestedKeys,
  nestedLists,
  nulls,
  override,
  overrideLabels,
  partialUnions,
  provides,
  queryReentry,
  rawAnswers,
  renamedRoots,
  requiresAbstract,
  requiresArguments,
  requiresChains,
  requiresMoved,
  requires,
  scalars,
  shareable,
  typenames,
  unions,
  unresolvableKeys,
  valueInterfaces,
  variables,
]
