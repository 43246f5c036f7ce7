/** All rules about single subgraphs. */
import type { SubgraphFinding } from '../../findings/finding.ts'
import type { SubgraphModel } from '../../model/model.ts'
import { readChecked, type Rule } from '../checked/checked-subgraph.ts'
import { applications } from './directives/applications.ts'
import { directiveArguments } from './directives/arguments.ts'
import { composed } from './directives/composed.ts'
import { specifiedDefinitions } from './directives/definitions.ts'
import { unsupported } from './directives/unsupported.ts'
import { eventFields } from './events/event-fields.ts'
import { eventGraphs } from './events/event-graphs.ts'
import { keys } from './field-sets/keys.ts'
import { provisions } from './field-sets/provisions.ts'
import { requirements } from './field-sets/requirements.ts'
import { unusedExternals } from './field-sets/unused-externals.ts'
import { authorizationLists } from './fields/authorization-lists.ts'
import { authorizationPlaces } from './fields/authorization-places.ts'
import { externals } from './fields/externals.ts'
import { interfaces } from './fields/interfaces.ts'
import { listSizes } from './fields/list-sizes.ts'
import { overrides, overridesFromSelf } from './fields/overrides.ts'
import { rootNames } from './fields/root-names.ts'
import { implementations } from './graphql/implementations.ts'
import { inputAndOutput } from './graphql/input-and-output.ts'
import { inputCircles } from './graphql/input-circles.ts'
import { knownTypes } from './graphql/known-types.ts'
import { reservedNames } from './graphql/reserved-names.ts'
import { roots } from './graphql/roots.ts'
import { typeContents } from './graphql/type-contents.ts'
import { uniqueDefinitions } from './graphql/unique-definitions.ts'
import { links } from './links/links.ts'

const RULES: readonly Rule[] = [
  links,
  unsupported,
  specifiedDefinitions,
  composed,
  roots,
  rootNames,
  uniqueDefinitions,
  knownTypes,
  typeContents,
  inputAndOutput,
  inputCircles,
  reservedNames,
  implementations,
  applications,
  directiveArguments,
  authorizationLists,
  authorizationPlaces,
  keys,
  requirements,
  provisions,
  externals,
  unusedExternals,
  overrides,
  interfaces,
  listSizes,
  eventFields,
  eventGraphs,
]

/** Whatever is wrong with a subgraph, rule by rule. Subgraphs with the same schema have the same findings. */
export function findInSubgraph(model: SubgraphModel): readonly SubgraphFinding[] {
  const subgraph = readChecked(model)
  return RULES.flatMap((rule) => [...rule(subgraph)])
}

/**
 * Whatever is wrong with a subgraph because of its name. `names` are those that mean it: its own, and that of
 * the subgraph that it replaces.
 */
export function findByName(model: SubgraphModel, names: ReadonlySet<string>): readonly SubgraphFinding[] {
  return [...overridesFromSelf(model, names)]
}
