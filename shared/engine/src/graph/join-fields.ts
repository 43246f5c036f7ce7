/** What `@join__field` says about one field: which subgraphs declare it, and under which terms they resolve it. */
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  parseType,
} from 'graphql'
import type { SubId } from '../plan/plan.ts'
import type { CompiledEdge, CompiledType, Sel, TypeRef } from './compiled-graph.ts'
import { argument, directivesOf, flag, text } from './directives.ts'
import { type Naming, subId, typeRef } from './naming.ts'
import { parseSelectionText } from './selection-text.ts'
import { SupergraphError } from './supergraph-error.ts'

export function compileEdges(
  naming: Naming,
  types: readonly CompiledType[],
  parent: CompiledType,
  definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode,
  field: FieldDefinitionNode,
  type: TypeRef,
): readonly CompiledEdge[] {
  const joins = directivesOf(field, 'join__field')
  const where = `${parent.name}.${field.name.value}`
  const required = requiredFields(naming, definition)
  const stated: CompiledEdge[] = []
  if (joins.length === 0) {
    for (const sub of implicitSubgraphs(naming, parent, definition, field)) stated.push(plainEdge(sub, type))
  }
  const overridden = new Map<SubId, { label: number }>()
  for (const join of joins) {
    if (argument(join, 'contextArguments') !== undefined)
      throw new SupergraphError(
        'SUPERGRAPH_UNSUPPORTED_FEATURE',
        `${where} takes arguments from a context (@fromContext), which this router does not support. Nothing was loaded.`,
      )
    const graph = text(join, 'graph')
    // Bare: contributed to this object by an interface object; no subgraph resolves it on the object itself.
    if (graph === null) continue
    const sub = subId(naming, graph, where)
    stated.push(statedEdge(naming, sub, join, where, type))
    const from = text(join, 'override')
    const fromSub = from === null ? undefined : naming.subByName.get(from)
    const label = text(join, 'overrideLabel')
    if (fromSub !== undefined && fromSub !== sub)
      overridden.set(fromSub, { label: label === null ? -1 : labelId(naming, label) })
  }
  return stated
    .map((edge) => withOverride(edge, overridden.get(edge.sub)))
    .map((edge) => withRuleE1(edge, field.name.value, parent, required))
    .sort((a, b) => a.sub - b.sub)
}

function implicitSubgraphs(
  naming: Naming,
  parent: CompiledType,
  definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode,
  field: FieldDefinitionNode,
): readonly SubId[] {
  const all = parent.presence.map((presence) => presence.sub)
  const [owner] = directivesOf(definition, 'join__owner')
  if (owner === undefined) return all
  // join 0.1: the owner resolves it, and whoever has it in a key can be asked for it as well.
  const ownerSub = subId(naming, text(owner, 'graph'), parent.name)
  return all.filter(
    (sub) =>
      sub === ownerSub ||
      parent.presence
        .find((presence) => presence.sub === sub)
        ?.keys.some((key) => mentions(key.sel, field.name.value)),
  )
}

function plainEdge(sub: SubId, type: TypeRef): CompiledEdge {
  return { sub, external: false, requires: null, provides: null, label: -1, wantLabel: false, type }
}

function statedEdge(
  naming: Naming,
  sub: SubId,
  join: ConstDirectiveNode,
  where: string,
  type: TypeRef,
): CompiledEdge {
  const requires = text(join, 'requires')
  const provides = text(join, 'provides')
  const own = text(join, 'type')
  const label = text(join, 'overrideLabel')
  const isTarget = text(join, 'override') !== null
  const parsed = (selection: string): Sel => parseSelectionText(selection, where, naming.typeByName)
  return {
    sub,
    external: flag(join, 'external', false) || flag(join, 'usedOverridden', false),
    requires: requires === null ? null : { text: requires, sel: parsed(requires) },
    provides: provides === null ? null : parsed(provides),
    label: label === null || !isTarget ? -1 : labelId(naming, label),
    wantLabel: label !== null && isTarget,
    type: own === null ? type : typeRef(naming, parseType(own, { noLocation: true }), where),
  }
}

/** The overridden subgraph keeps its field only while a progressive override has not taken it over. */
function withOverride(edge: CompiledEdge, override: { readonly label: number } | undefined): CompiledEdge {
  if (override === undefined) return edge
  if (override.label === -1) return { ...edge, external: true, requires: null, provides: null }
  return { ...edge, external: false, label: override.label, wantLabel: false }
}

/**
 * Some composers leave out `external: true` where an interface object requires a field of its own interface. What a
 * subgraph requires it cannot resolve itself, so it counts as external there, unless it is part of a key.
 */
function withRuleE1(
  edge: CompiledEdge,
  name: string,
  parent: CompiledType,
  required: ReadonlyMap<SubId, readonly Sel[]>,
): CompiledEdge {
  if (edge.external || edge.requires !== null) return edge
  const presence = parent.presence.find((candidate) => candidate.sub === edge.sub)
  if (presence === undefined || presence.keys.some((key) => mentions(key.sel, name))) return edge
  const named = (required.get(edge.sub) ?? []).some((sel) =>
    sel.some(
      (item) =>
        item.kind === 'field' && item.name === name && (item.sub === null || presence.interfaceObject),
    ),
  )
  return named ? { ...edge, external: true } : edge
}

function requiredFields(
  naming: Naming,
  definition: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode,
): ReadonlyMap<SubId, readonly Sel[]> {
  const required = new Map<SubId, Sel[]>()
  for (const field of definition.fields ?? [])
    for (const join of directivesOf(field, 'join__field')) {
      const selection = text(join, 'requires')
      if (selection === null) continue
      const where = `${definition.name.value}.${field.name.value}`
      const sub = subId(naming, text(join, 'graph'), where)
      const sels = required.get(sub) ?? []
      required.set(sub, sels)
      sels.push(parseSelectionText(selection, where, naming.typeByName))
    }
  return required
}

function mentions(sel: Sel, name: string): boolean {
  return sel.some((item) => item.kind === 'field' && item.name === name)
}

function labelId(naming: Naming, label: string): number {
  const known = naming.labels.indexOf(label)
  if (known !== -1) return known
  naming.labels.push(label)
  return naming.labels.length - 1
}
