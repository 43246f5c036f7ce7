/** All rules about what several subgraphs declare together. */
import type { Finding } from '../../findings/finding.ts'
import type { KeptByType } from '../../kept/kept.ts'
import type { CheckedGraph, GraphRule, TypeRule } from '../checked/checked-graph.ts'
import { composedDirectives } from './directives/composed.ts'
import { executableDirectives } from './directives/executable.ts'
import { importedNames } from './directives/imported-names.ts'
import { access } from './fields/access.ts'
import { namesOfLinks } from './directives/names-of-links.ts'
import { takenNames } from './directives/taken-names.ts'
import { fieldArguments } from './fields/arguments.ts'
import { externals } from './fields/externals.ts'
import { fragments } from './fields/fragments.ts'
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

/** A rule about each type, or one about the graph as a whole. */
type Rule = { readonly ofType: TypeRule } | { readonly ofGraph: GraphRule }

/** In the order in which their findings are told. */
const RULES: readonly Rule[] = [
  { ofGraph: queries },
  { ofGraph: importedNames },
  { ofGraph: composedDirectives },
  { ofGraph: takenNames },
  { ofGraph: namesOfLinks },
  { ofGraph: executableDirectives },
  { ofType: extensions },
  { ofType: fieldTypes },
  { ofType: fieldArguments },
  { ofType: externals },
  { ofType: fragments },
  { ofType: sharing },
  { ofType: overrides },
  { ofType: listSizes },
  { ofType: enums },
  { ofType: inputs },
  { ofGraph: inputCircles },
  { ofType: inputTerms },
  { ofType: interfaces },
  { ofType: unions },
  { ofType: implementations },
  { ofType: hiddenImplementations },
  { ofType: hiddenChildren },
  { ofType: hiddenReferences },
  { ofType: hiddenRequired },
  { ofType: hiddenDefaults },
  { ofType: access },
  { ofType: requiredAccess },
]

/** Findings about one type, each with the place of its rule among all rules. */
export type TypeFindings = readonly { readonly rule: number; readonly found: Finding }[]

/** Everything that is wrong between the subgraphs of a graph, rule by rule, and the types that have it. */
export function findInGraph(
  graph: CheckedGraph,
  kept: KeptByType<TypeFindings>,
): { readonly findings: readonly Finding[]; readonly types: ReadonlySet<string> } {
  const found: { rule: number; found: Finding }[] = []
  const types = new Set<string>()
  for (const name of graph.merged.types.keys()) {
    const ofType = kept.of(name, () => findInType(graph, name))
    if (ofType.length === 0) continue
    found.push(...ofType)
    types.add(name)
  }
  for (const [rule, one] of RULES.entries())
    if ('ofGraph' in one) for (const finding of one.ofGraph(graph)) found.push({ rule, found: finding })
  return { findings: found.sort((a, b) => a.rule - b.rule).map((one) => one.found), types }
}

function findInType(graph: CheckedGraph, name: string): TypeFindings {
  const type = graph.type(name)
  if (type === null) return NOTHING
  const found: { rule: number; found: Finding }[] = []
  for (const [rule, one] of RULES.entries())
    if ('ofType' in one) for (const finding of one.ofType(type, graph)) found.push({ rule, found: finding })
  return found.length === 0 ? NOTHING : found
}

const NOTHING: readonly never[] = []
