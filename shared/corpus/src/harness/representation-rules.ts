/**
 * A representation holds one resolvable key and the inputs of the fields it is sent for, and nothing else:
 * neither inputs of fields that the same call does not ask for, nor more of a nested object than the key or
 * the inputs name.
 */
import { isRecord } from '@switchyard/values'
import { type FieldNode, Kind, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'
import type { TypeFacts } from './subgraph-facts.ts'
import type { Inputs } from './suite.ts'

type Call = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }

/** True if an object of the type is one of the condition. */
export type AppliesTo = (condition: string | undefined, type: string) => boolean

/** Describes the needless data that one call sends to a subgraph. */
export function surplusOf(
  { query, variables }: Call,
  types: ReadonlyMap<string, TypeFacts>,
  appliesTo: AppliesTo,
): readonly string[] {
  const surplus: string[] = []
  for (const node of entityFields(query)) {
    const [argument] = node.arguments ?? []
    const sent = argument?.value.kind === Kind.VARIABLE ? variables[argument.value.name.value] : []
    for (const representation of Array.isArray(sent) ? sent.filter(isRecord) : []) {
      const type = types.get(String(representation['__typename']))
      if (type === undefined) continue
      const asked = askedFields(node.selectionSet, type.name)
      const required = [...type.fields.values()].flatMap(({ name, requires }) =>
        requires !== null && asked.has(name) ? [requires] : [],
      )
      const found = type.keys
        .filter(({ resolvable }) => resolvable)
        .map(({ selection }) => surplusIn(representation, [selection, ...required], appliesTo))
      if (found.length > 0 && found.every((path) => path !== null)) {
        surplus.push(`${found[0]} is sent for nothing: ${JSON.stringify(representation)} for ${query}`)
      }
    }
  }
  return surplus
}

function entityFields(query: string): readonly FieldNode[] {
  return parse(query, { noLocation: true })
    .definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
    .flatMap(({ selectionSet }) => selectionSet.selections)
    .filter((node): node is FieldNode => node.kind === Kind.FIELD && node.name.value === '_entities')
}

function askedFields(selectionSet: SelectionSetNode | undefined, type: string): ReadonlySet<string> {
  const asked = new Set<string>()
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind === Kind.FIELD) asked.add(node.name.value)
    // An interface in the condition: whether it is one of the type's does not matter, as its fields are the
    // type's.
    else if (node.kind === Kind.INLINE_FRAGMENT) {
      for (const field of askedFields(node.selectionSet, type)) asked.add(field)
    }
  }
  return asked
}

/** Path of the first property that no selection names, or null. */
function surplusIn(
  value: Inputs,
  selections: readonly SelectionSetNode[],
  appliesTo: AppliesTo,
): string | null {
  const named = selections.flatMap((selection) => fieldsFor(selection, value, appliesTo))
  for (const [key, child] of Object.entries(value)) {
    if (key === '__typename') continue
    const nodes = named.filter(({ name }) => name.value === key)
    if (nodes.length === 0) return key
    const below = nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]))
    if (below.length === 0) continue
    for (const item of objectsIn(child)) {
      const found = surplusIn(item, below, appliesTo)
      if (found !== null) return `${key}.${found}`
    }
  }
  return null
}

function fieldsFor(selection: SelectionSetNode, value: Inputs, appliesTo: AppliesTo): readonly FieldNode[] {
  return selection.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node]
    if (node.kind !== Kind.INLINE_FRAGMENT) return []
    const type = value['__typename']
    const holds = typeof type !== 'string' || appliesTo(node.typeCondition?.name.value, type)
    return holds ? fieldsFor(node.selectionSet, value, appliesTo) : []
  })
}

function objectsIn(value: unknown): readonly Inputs[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  return isRecord(value) ? [value] : []
}
