/** All rules about what several subgraphs declare together. */
import type { Finding } from '../../findings/finding.ts'
import type { CheckedGraph, GraphRule } from '../checked/checked-graph.ts'
import { composedDirectives } from './directives/composed.ts'
import { executableDirectives } from './directives/executable.ts'
import { importedNames } from './directives/imported-names.ts'
import { access } from './fields/access.ts'
import { takenNames } from './directives/taken-names.ts'
import { fieldArguments } from './fields/arguments.ts'
import { externals } from './fields/externals.ts'
import { fieldTypes } from './fields/field-types.ts'
import { listSizes } from './fields/list-sizes.ts'
import { overrides } from './fields/overrides.ts'
import { requiredAccess } from './fields/required-access.ts'
import { sharing } from './fields/sharing.ts'
import { hiddenChildren } from './hidden/children.ts'
import { hiddenDefaults } from './hidden/defaults.ts'
import { hiddenImplementations } from './hidden/implementations.ts'
import { hiddenReferences } from './hidden/references.ts'
import { hiddenRequired } from './hidden/required.ts'
import { enums } from './types/enums.ts'
import { extensions } from './types/extensions.ts'
import { implementations } from './types/implementations.ts'
import { inputCircles } from './types/input-circles.ts'
import { inputTerms } from './types/input-terms.ts'
import { inputs } from './types/inputs.ts'
import { interfaces } from './types/interfaces.ts'
import { queries } from './types/queries.ts'
import { unions } from './types/unions.ts'

const RULES: readonly GraphRule[] = [
  queries,
  importedNames,
  composedDirectives,
  takenNames,
  executableDirectives,
  extensions,
  fieldTypes,
  fieldArguments,
  externals,
  sharing,
  overrides,
  listSizes,
  enums,
  inputs,
  inputCircles,
  inputTerms,
  interfaces,
  unions,
  implementations,
  hiddenImplementations,
  hiddenChildren,
  hiddenReferences,
  hiddenRequired,
  hiddenDefaults,
  access,
  requiredAccess,
]

/** All that is wrong between the subgraphs of a graph, rule by rule. */
export function findInGraph(graph: CheckedGraph): readonly Finding[] {
  return RULES.flatMap((rule) => [...rule(graph)])
}
