/** Reads the parts of one type: its definition and its extensions in one subgraph. */
import { Kind, type ConstDirectiveNode, type DirectiveNode } from 'graphql'
import type { FieldDefinitionNode, InputValueDefinitionNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import { readFieldSelection } from './field-selection.ts'
import type {
  Applied,
  ComposedDirective,
  FieldModel,
  FieldsType,
  InputModel,
  Key,
  Override,
  TypeModel,
  TypePart,
} from './model.ts'
import { typeText, type Names } from './names.ts'

/** Tells what names mean in the document that is read. */
export type Reading = {
  readonly names: Names
  readonly composed: ReadonlyMap<string, ComposedDirective>
}

/** Directives of GraphQL itself that a supergraph keeps. */
const OF_GRAPHQL: ReadonlySet<string> = new Set(['deprecated', 'specifiedBy', 'oneOf'])

/** The type that the parts make together. Parts of another kind than the first are left out. */
export function readType(name: string, all: readonly TypePart[], reading: Reading): TypeModel {
  const kind = KINDS[all[0]?.kind ?? Kind.SCALAR_TYPE_DEFINITION]
  const parts = all.filter((part) => KINDS[part.kind] === kind)
  const head = {
    name,
    description: descriptionOf(parts),
    applied: parts.flatMap((part) => readApplied(part.directives, reading)),
    parts,
    isExtension: isExtension(parts, reading),
  }
  if (kind === 'object' || kind === 'interface') return readFieldsType(kind, head, reading)
  if (kind === 'input') return { kind, ...head, fields: inputsOf(parts, reading) }
  if (kind === 'enum') return { kind, ...head, values: valuesOf(parts, reading) }
  if (kind === 'union') return { kind, ...head, members: membersOf(parts, reading) }
  return { kind, ...head }
}

const KINDS = {
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
  [Kind.OBJECT_TYPE_DEFINITION]: 'object',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
  [Kind.SCALAR_TYPE_EXTENSION]: 'scalar',
  [Kind.OBJECT_TYPE_EXTENSION]: 'object',
  [Kind.INTERFACE_TYPE_EXTENSION]: 'interface',
  [Kind.UNION_TYPE_EXTENSION]: 'union',
  [Kind.ENUM_TYPE_EXTENSION]: 'enum',
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: 'input',
} as const satisfies Readonly<Record<TypePart['kind'], TypeModel['kind']>>

type Head = Pick<FieldsType, 'name' | 'description' | 'applied' | 'parts' | 'isExtension'>

/** The applications that a supergraph may keep: those of specifications, of GraphQL, and composed ones. */
export function readApplied(
  directives: readonly ConstDirectiveNode[] | undefined,
  { names, composed }: Reading,
): readonly Applied[] {
  if (directives === undefined || directives.length === 0) return NONE
  return directives.flatMap((node): readonly Applied[] => {
    const used = node.name.value
    const directive = names.directive(used)
    if (directive?.specification === 'federation') return [{ name: directive.name, isComposed: false, node }]
    if (composed.has(used)) return [{ name: used, isComposed: true, node }]
    return OF_GRAPHQL.has(used) || used === 'cacheControl' ? [{ name: used, isComposed: false, node }] : []
  })
}

const NONE: readonly never[] = []

/** The first application of a directive, by its name in the specification. */
export function appliedTo(applied: readonly Applied[], name: string): ConstDirectiveNode | undefined {
  return applied.find((one) => one.name === name && !one.isComposed)?.node
}

function descriptionOf(parts: readonly TypePart[]): string | null {
  for (const part of parts)
    if ('description' in part && part.description !== undefined) return part.description.value
  return null
}

/** In Federation 1 `@extends` stands for the keyword, and the keyword says nothing beside a definition. */
function isExtension(parts: readonly TypePart[], { names }: Reading): boolean {
  const isExtended = parts.some(
    ({ directives }) =>
      directives?.some(({ name }) => names.directive(name.value)?.name === 'extends') === true,
  )
  return isExtended || parts.every(({ kind }) => kind.endsWith('Extension'))
}

function readFieldsType(kind: 'object' | 'interface', head: Head, reading: Reading): FieldsType {
  const isFederation1 = reading.names.minor === null
  const keys = head.applied.flatMap(({ name, node }): readonly Key[] => {
    const fields = name === 'key' ? readFieldSelection(node, isFederation1 ? 'names' : 'nothing') : null
    return fields === null ? [] : [{ fields, isResolvable: isResolvable(node), node }]
  })
  const fields = new Map<string, FieldModel>()
  const interfaces = new Set<string>()
  for (const part of head.parts) {
    if (!('interfaces' in part)) continue
    for (const { name } of part.interfaces ?? []) interfaces.add(name.value)
    const ofPart = partTerms(part, head, reading)
    for (const node of part.fields ?? [])
      if (!isOfRouters(head.name, node)) fields.set(node.name.value, readField(node, ofPart, reading))
  }
  const isInterfaceObject = appliedTo(head.applied, 'interfaceObject') !== undefined
  return { kind, ...head, isInterfaceObject, keys, interfaces, fields }
}

/** True for what a subgraph answers to routers, which is no part of the graph. */
function isOfRouters(type: string, { name }: FieldDefinitionNode): boolean {
  return type === 'Query' && (name.value === '_entities' || name.value === '_service')
}

function isResolvable(node: DirectiveNode): boolean {
  const value = argument(node, 'resolvable')
  return value?.kind !== Kind.BOOLEAN || value.value
}

/** The terms that a part of a type sets for all its fields. */
type PartTerms = { readonly isExternal: boolean; readonly isShareable: boolean }

const ROOT_TYPES: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription'])

/** Before 2.2 `@shareable` was no repeatable directive, and stood for the whole type. */
const SHAREABLE_BY_PART = 2

function partTerms(part: TypePart, head: Head, reading: Reading): PartTerms {
  const { minor } = reading.names
  if (minor === null) {
    const isShared = part.kind === Kind.OBJECT_TYPE_DEFINITION || ROOT_TYPES.has(head.name)
    return { isExternal: false, isShareable: isShared }
  }
  const own = readApplied(part.directives, reading)
  const ofType = minor < SHAREABLE_BY_PART ? head.applied : own
  return {
    isExternal: appliedTo(own, 'external') !== undefined,
    isShareable: appliedTo(ofType, 'shareable') !== undefined,
  }
}

function readField(node: FieldDefinitionNode, part: PartTerms, reading: Reading): FieldModel {
  const applied = readApplied(node.directives, reading)
  const isFederation1 = reading.names.minor === null
  return {
    name: node.name.value,
    description: node.description?.value ?? null,
    applied,
    type: typeText(node.type, reading.names),
    arguments: inputsByName(node.arguments, reading),
    isExternal: part.isExternal || appliedTo(applied, 'external') !== undefined,
    isShareable: part.isShareable || appliedTo(applied, 'shareable') !== undefined,
    requires: readFieldSelection(appliedTo(applied, 'requires'), isFederation1 ? 'names' : 'name'),
    provides: readFieldSelection(appliedTo(applied, 'provides'), isFederation1 ? 'names' : 'nothing'),
    override: readOverride(appliedTo(applied, 'override')),
    node,
  }
}

function readOverride(node: ConstDirectiveNode | undefined): Override | null {
  const from = node === undefined ? undefined : argument(node, 'from')
  if (node === undefined || from?.kind !== Kind.STRING) return null
  const label = argument(node, 'label')
  return { from: from.value, label: label?.kind === Kind.STRING ? label.value : null, node }
}

function inputsOf(parts: readonly TypePart[], reading: Reading): ReadonlyMap<string, InputModel> {
  return inputsByName(
    parts.flatMap((part) =>
      part.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || part.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION
        ? (part.fields ?? [])
        : [],
    ),
    reading,
  )
}

function inputsByName(
  nodes: readonly InputValueDefinitionNode[] | undefined,
  reading: Reading,
): ReadonlyMap<string, InputModel> {
  if (nodes === undefined || nodes.length === 0) return NO_INPUTS
  return new Map(nodes.map((node) => [node.name.value, readInput(node, reading)]))
}

const NO_INPUTS: ReadonlyMap<string, InputModel> = new Map()

function readInput(node: InputValueDefinitionNode, reading: Reading): InputModel {
  return {
    name: node.name.value,
    description: node.description?.value ?? null,
    applied: readApplied(node.directives, reading),
    type: typeText(node.type, reading.names),
    defaultValue: node.defaultValue ?? null,
    node,
  }
}

function valuesOf(parts: readonly TypePart[], reading: Reading) {
  const nodes = parts.flatMap((part) => ('values' in part ? (part.values ?? []) : []))
  return new Map(
    nodes.map((node) => [
      node.name.value,
      {
        name: node.name.value,
        description: node.description?.value ?? null,
        applied: readApplied(node.directives, reading),
        node,
      },
    ]),
  )
}

function membersOf(parts: readonly TypePart[], { names }: Reading): ReadonlySet<string> {
  const nodes = parts.flatMap((part) => ('types' in part ? (part.types ?? []) : []))
  return new Set(nodes.map(({ name }) => names.type(name.value)))
}
