/** Every suite of the corpus. */
import type { Suite } from '../harness/suite.ts'
import { aliases } from './aliases.ts'
import { ancestors } from './ancestors.ts'
import { batching } from './batching.ts'
import { commonMembers } from './common-members.ts'
import { competingRoots } from './competing-roots.ts'
import { conditions } from './conditions.ts'
import { conflictingTypes } from './conflicting-types.ts'
import { covariantTypes } from './covariant-types.ts'
import { deepKeys } from './deep-keys.ts'
import { distributedInterfaces } from './distributed-interfaces.ts'
import { enums } from './enums.ts'
import { errors } from './errors.ts'
import { extendType } from './extend-type.ts'
import { extensions } from './extensions.ts'
import { externalKeyRoots } from './external-key-roots.ts'
import { externalKeys } from './external-keys.ts'
import { failingSubgraphs } from './failing-subgraphs.ts'
import { federation1ExtendType } from './federation1-extend-type.ts'
import { federation1Keys } from './federation1-keys.ts'
import { federation1 } from './federation1.ts'
import { fragments } from './fragments.ts'
import { inaccessible } from './inaccessible.ts'
import { indirectExtensions } from './indirect-extensions.ts'
import { inputs } from './inputs.ts'
import { interfaceEntities } from './interface-entities.ts'
import { interfaceObjectMixtures } from './interface-object-mixtures.ts'
import { interfaceObjectRequires } from './interface-object-requires.ts'
import { interfaceObjects } from './interface-objects.ts'
import { interfaceParts } from './interface-parts.ts'
import { interfaces } from './interfaces.ts'
import { intersectingUnions } from './intersecting-unions.ts'
import { introspection } from './introspection.ts'
import { keysMashup } from './keys-mashup.ts'
import { keys } from './keys.ts'
import { loneInterfaceObjects } from './lone-interface-objects.ts'
import { missingEntities } from './missing-entities.ts'
import { mutationValues } from './mutation-values.ts'
import { mutations } from './mutations.ts'
import { narrowerFields } from './narrower-fields.ts'
import { nestedKeys } from './nested-keys.ts'
import { nestedLists } from './nested-lists.ts'
import { nestedProvides } from './nested-provides.ts'
import { nodes } from './nodes.ts'
import { nullKeys } from './null-keys.ts'
import { nulls } from './nulls.ts'
import { overrideInterfaces } from './override-interfaces.ts'
import { overrideLabels } from './override-labels.ts'
import { override } from './override.ts'
import { parentChildren } from './parent-children.ts'
import { partialUnions } from './partial-unions.ts'
import { pinnedUnions } from './pinned-unions.ts'
import { providedOwnFields } from './provided-own-fields.ts'
import { providesInterfaces } from './provides-interfaces.ts'
import { providesUnions } from './provides-unions.ts'
import { provides } from './provides.ts'
import { queryReentry } from './query-reentry.ts'
import { rawAnswers } from './raw-answers.ts'
import { renamedRoots } from './renamed-roots.ts'
import { requiresAbstract } from './requires-abstract.ts'
import { requiresAndProvides } from './requires-and-provides.ts'
import { requiresArgumentConflicts } from './requires-argument-conflicts.ts'
import { requiresArguments } from './requires-arguments.ts'
import { requiresChains } from './requires-chains.ts'
import { requiresCircles } from './requires-circles.ts'
import { requiresHiddenTypes } from './requires-hidden-types.ts'
import { requiresInterfaces } from './requires-interfaces.ts'
import { requiresMoved } from './requires-moved.ts'
import { requires } from './requires.ts'
import { scalars } from './scalars.ts'
import { selfInterfaces } from './self-interfaces.ts'
import { shareable } from './shareable.ts'
import { sharedInterfaceFields } from './shared-interface-fields.ts'
import { sharedSources } from './shared-sources.ts'
import { sharedNodes } from './shared-nodes.ts'
import { skippedRequires } from './skipped-requires.ts'
import { spreadInterfaces } from './spread-interfaces.ts'
import { stopovers } from './stopovers.ts'
import { trueTypes } from './true-types.ts'
import { typenames } from './typenames.ts'
import { unavailableOverrides } from './unavailable-overrides.ts'
import { unions } from './unions.ts'
import { unresolvableInterfaceObjects } from './unresolvable-interface-objects.ts'
import { unresolvableKeys } from './unresolvable-keys.ts'
import { valueInterfaces } from './value-interfaces.ts'
import { variables } from './variables.ts'
import { writtenOtherwise } from './written-otherwise.ts'

export const SUITES: readonly Suite[] = [
  aliases,
  ancestors,
  batching,
  commonMembers,
  competingRoots,
  conditions,
  conflictingTypes,
  covariantTypes,
  deepKeys,
  distributedInterfaces,
  enums,
  errors,
  extendType,
  extensions,
  externalKeyRoots,
  externalKeys,
  failingSubgraphs,
  federation1ExtendType,
  federation1Keys,
  federation1,
  fragments,
  inaccessible,
  indirectExtensions,
  inputs,
  interfaceEntities,
  interfaceObjectMixtures,
  interfaceObjectRequires,
  interfaceObjects,
  interfaceParts,
  interfaces,
  intersectingUnions,
  introspection,
  keysMashup,
  keys,
  loneInterfaceObjects,
  missingEntities,
  mutationValues,
  mutations,
  narrowerFields,
  nestedKeys,
  nestedLists,
  nestedProvides,
  providedOwnFields,
  nodes,
  nullKeys,
  nulls,
  overrideInterfaces,
  overrideLabels,
  override,
  parentChildren,
  partialUnions,
  pinnedUnions,
  providesInterfaces,
  providesUnions,
  provides,
  queryReentry,
  rawAnswers,
  renamedRoots,
  requiresAbstract,
  requiresAndProvides,
  requiresArgumentConflicts,
  requiresArguments,
  requiresChains,
  requiresCircles,
  requiresHiddenTypes,
  requiresInterfaces,
  requiresMoved,
  requires,
  scalars,
  selfInterfaces,
  shareable,
  sharedInterfaceFields,
  sharedNodes,
  sharedSources,
  skippedRequires,
  spreadInterfaces,
  stopovers,
  trueTypes,
  typenames,
  unavailableOverrides,
  unions,
  unresolvableInterfaceObjects,
  unresolvableKeys,
  valueInterfaces,
  variables,
  writtenOtherwise,
]
