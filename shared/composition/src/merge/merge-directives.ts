/** Merges definitions of directives: those that operations use, and those that are composed. */
import { print, type DirectiveDefinitionNode, type InputValueDefinitionNode } from 'graphql'
import type { ComposedDirective, SubgraphModel } from '../model/model.ts'
import { EXECUTABLE_LOCATIONS } from '../directives/executable-locations.ts'
import { NOTHING_APPLIED } from './merge-applied.ts'
import type { MergedDirective, MergedInput, MergedLink } from './merged.ts'
import { narrowest } from '../graph/type-texts.ts'

/** The directives of the supergraph by name, and the links that bring the composed ones. */
export function mergeDirectives(subgraphs: readonly SubgraphModel[]): {
  readonly directives: ReadonlyMap<string, MergedDirective>
  readonly links: readonly MergedLink[]
} {
  const names = new Set(subgraphs.flatMap(({ directives }) => [...directives.keys()]))
  const composed = new Set(subgraphs.flatMap(({ composed: own }) => [...own.keys()]))
  const directives = new Map<string, MergedDirective>()
  for (const name of names) {
    const definitions = subgraphs.flatMap(({ directives: own }) => own.get(name) ?? [])
    const merged = composed.has(name)
      ? mergeComposed(name, definitions)
      : mergeExecutable(name, definitions, subgraphs.length)
    if (merged !== null) directives.set(name, merged)
  }
  return { directives, links: mergeLinks(subgraphs) }
}

/** An operation may use a directive where every subgraph knows it, with the same arguments. */
function mergeExecutable(
  name: string,
  definitions: readonly DirectiveDefinitionNode[],
  subgraphs: number,
): MergedDirective | null {
  const [first] = definitions
  if (first === undefined || definitions.length < subgraphs) return null
  const locations = first.locations
    .map(({ value }) => value)
    .filter((one) => EXECUTABLE_LOCATIONS.has(one))
    .filter((one) => definitions.every((node) => node.locations.some(({ value }) => value === one)))
  const signatures = new Set(definitions.map((node) => signatureOf(node)))
  if (locations.length === 0 || signatures.size > 1) return null
  return directiveOf(name, definitions, locations)
}

function signatureOf({ arguments: inputs = [] }: DirectiveDefinitionNode): string {
  return inputs
    .map((one) => `${one.name.value}: ${print(one.type)}`)
    .sort()
    .join(' ')
}

function mergeComposed(name: string, definitions: readonly DirectiveDefinitionNode[]): MergedDirective {
  const locations = definitions.flatMap((node) => node.locations.map(({ value }) => value))
  return directiveOf(name, definitions, [...new Set(locations)])
}

function directiveOf(
  name: string,
  definitions: readonly DirectiveDefinitionNode[],
  locations: readonly string[],
): MergedDirective {
  const inputs = Map.groupBy(
    definitions.flatMap((node) => node.arguments ?? []),
    (node) => node.name.value,
  )
  return {
    name,
    arguments: [...inputs.values()].map(mergeArgument),
    isRepeatable: definitions.some(({ repeatable }) => repeatable),
    locations,
  }
}

function mergeArgument(nodes: readonly InputValueDefinitionNode[]): MergedInput {
  const types = nodes.map((node) => print(node.type))
  return {
    name: nodes[0]?.name.value ?? '',
    description: null,
    applied: NOTHING_APPLIED,
    type: narrowest(types, new Map()) ?? types[0] ?? '',
    defaultValue: nodes.findLast(({ defaultValue }) => defaultValue !== undefined)?.defaultValue ?? null,
    joins: [],
  }
}

/** One link for each specification, of the highest version, with what all subgraphs compose of it. */
function mergeLinks(subgraphs: readonly SubgraphModel[]): readonly MergedLink[] {
  const composed = subgraphs.flatMap(({ composed: own }) =>
    [...own].map(([as, directive]) => ({ as, ...directive })),
  )
  const byIdentity = Map.groupBy(composed, ({ identity }) => identity)
  return [...byIdentity].map(([identity, all]) => ({
    identity,
    version: all.map(({ version }) => version).reduce(higher),
    imports: [
      ...new Map(all.map(({ importedName, as }) => [importedName, { name: importedName, as }])).values(),
    ],
  }))
}

function higher(a: ComposedDirective['version'], b: ComposedDirective['version']): string {
  const [[majorA, minorA], [majorB, minorB]] = [numbersOf(a), numbersOf(b)]
  return majorA > majorB || (majorA === majorB && minorA >= minorB) ? a : b
}

function numbersOf(version: string): readonly [number, number] {
  const [, major = '0', minor = '0'] = /^v(\d+)(?:\.(\d+))?$/.exec(version) ?? []
  return [Number(major), Number(minor)]
}
