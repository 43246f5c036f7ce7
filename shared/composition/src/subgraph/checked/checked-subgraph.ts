/** A subgraph as the rules read it: its model, and what several rules need of its document. */
import { Kind, specifiedScalarTypes, type DefinitionNode, type DocumentNode } from 'graphql'
import { isTypeNode, operationTypes } from '../../documents/definitions.ts'
import type { SubgraphFinding } from '../../findings/finding.ts'
import type { FieldsType, SubgraphModel, TypeModel, TypePart } from '../../model/model.ts'
import { readNames, type Names } from '../../model/names.ts'
import { objectsByInterface } from '../../model/objects-by-interface.ts'
import { readElements, type Element } from './elements.ts'
import { readKnownDirectives, type Lookup } from './known-directives.ts'

/** One rule about single subgraphs. */
export type Rule = (subgraph: CheckedSubgraph) => Iterable<SubgraphFinding>

/** The input of a rule. */
export type CheckedSubgraph = {
  readonly model: SubgraphModel
  readonly names: Names
  /** The definitions of the document without those that routers add for themselves. */
  readonly definitions: readonly DefinitionNode[]
  /** The parts of each type by the name that the document gives it, definitions first. */
  readonly parts: ReadonlyMap<string, readonly TypePart[]>
  /** The types of the model that have fields. */
  readonly fieldsTypes: readonly FieldsType[]
  readonly elements: readonly Element[]
  /** Looks a directive up by its name in the document. */
  readonly directive: (used: string) => Lookup
  /** Returns the object types that implement an interface. */
  readonly implementations: (name: string) => readonly FieldsType[]
}

/** Reads all of it once. */
export function readChecked(model: SubgraphModel): CheckedSubgraph {
  const names = readNames(model.document)
  const definitions = withoutMachinery(model.document)
  const fieldsTypes = [...model.types.values()].filter(hasFields)
  let implementations: ReadonlyMap<string, readonly FieldsType[]> | null = null
  return {
    model,
    names,
    definitions,
    parts: readParts(definitions),
    fieldsTypes,
    elements: readElements(definitions),
    directive: readKnownDirectives(model.document, names),
    implementations: (name) => {
      implementations ??= objectsByInterface(fieldsTypes)
      return implementations.get(name) ?? []
    },
  }
}

function hasFields(type: TypeModel): type is FieldsType {
  return type.kind === 'object' || type.kind === 'interface'
}

function readParts(definitions: readonly DefinitionNode[]): ReadonlyMap<string, readonly TypePart[]> {
  const parts = Map.groupBy(definitions.filter(isTypeNode), ({ name }) => name.value)
  for (const [name, all] of parts) {
    const isExtended = (part: TypePart) => part.kind.endsWith('Extension')
    if (all.length > 1)
      parts.set(name, [...all.filter((part) => !isExtended(part)), ...all.filter(isExtended)])
  }
  return parts
}

const OF_ROUTERS: ReadonlySet<string> = new Set(['_Any', '_Entity', '_Service'])
const FIELDS_OF_ROUTERS: ReadonlySet<string> = new Set(['_service', '_entities'])

/** The fields `_service` and `_entities`, and their types, are no business of authors. */
function withoutMachinery(document: DocumentNode): readonly DefinitionNode[] {
  const roots = operationTypes(document).filter(({ operation }) => operation === 'query')
  const query = roots[0]?.type.name.value ?? 'Query'
  return document.definitions.flatMap((node): readonly DefinitionNode[] => {
    if (isTypeNode(node) && OF_ROUTERS.has(node.name.value)) return []
    const isObject = node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION
    if (!isObject || node.name.value !== query) return [node]
    const fields = node.fields?.filter(({ name }) => !FIELDS_OF_ROUTERS.has(name.value))
    return [fields?.length === node.fields?.length ? node : { ...node, fields }]
  })
}

/** The name that the document gives a type. */
export function writtenName({ name, parts }: TypeModel): string {
  return parts[0]?.name.value ?? name
}

const STANDARD_SCALARS: ReadonlySet<string> = new Set(specifiedScalarTypes.map(({ name }) => name))

/** The kind of the type that the document calls so; null if it is unknown, or is one that routers add. */
export function kindOf({ model, names, parts }: CheckedSubgraph, written: string): TypeModel['kind'] | null {
  if (!parts.has(written)) return STANDARD_SCALARS.has(written) ? 'scalar' : null
  return model.types.get(names.type(written))?.kind ?? null
}

/**
 * True if the graph can have a type of this name. It has none of those that a specification brings, or that
 * routers add for themselves, even if the document defines them.
 */
export function isKnownType({ parts, names }: CheckedSubgraph, written: string): boolean {
  return STANDARD_SCALARS.has(written) || (parts.has(written) && !names.isMachinery(written))
}

/** True for object types. In the supergraph, an interface object is an interface. */
export function isObjectType({ model, names, parts }: CheckedSubgraph, written: string): boolean {
  const type = parts.has(written) ? model.types.get(names.type(written)) : undefined
  return type?.kind === 'object' && !type.isInterfaceObject
}
