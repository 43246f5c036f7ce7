/**
 * Repair: types of one field that differ between subgraphs and still fit together.
 *
 * A shared field has the widest of its types, an argument and an input field the narrowest. The library
 * compares types as text: it knows one level of nullability, takes for a union and one of its members the
 * type that comes first, and refuses an interface beside a narrower interface. For the run every subgraph
 * declares the type that will be published; where it does not know that type, or not all of what it returns
 * there, the type is lent to it. What was lent is taken out of the supergraph again; `published-types.ts`
 * tells which type each subgraph really has.
 */
import { Kind, print, visit } from 'graphql'
import type {
  ConstDirectiveNode,
  DefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  NamedTypeNode,
  TypeNode,
} from 'graphql'
import { type Directed, readGraphValues, textOf } from '../directives/join-directives.ts'
import { isExternal, type ParsedSubgraph, type SubgraphType } from '../subgraph/subgraph.ts'
import {
  baseName,
  isNarrower,
  narrowest,
  readSubtypes,
  type Subtypes,
  widest,
} from '../subgraph/type-references.ts'

/** The definition that a subgraph was lent: the whole type, one union member, or one implementation. */
export type Loan = { readonly subgraph: string; readonly abstract: string; readonly subtype: string | null }

/**
 * Documents for the library, and the loans that are taken back when a supergraph is made of the documents.
 */
export type WidenedSubgraphs = {
  /** Same order as the input. */
  readonly documents: readonly DocumentNode[]
  readonly loans: readonly Loan[]
}

/** The type to declare, by `Type.field` or `Type.field(argument:)`. */
type Wanted = ReadonlyMap<string, TypeNode>

/** Declares every shared field with the one type that the supergraph has to publish. */
export function withPublishedTypes(subgraphs: readonly ParsedSubgraph[]): WidenedSubgraphs {
  const subtypes = readSubtypes(subgraphs)
  const wanted = findWanted(subgraphs, subtypes)
  if (wanted.size === 0) return { documents: subgraphs.map(({ document }) => document), loans: [] }
  const loans: Loan[] = []
  const documents = subgraphs.map((subgraph) => {
    const lent = new Map<string, Set<string>>()
    const document = declareWanted(subgraph, wanted, lent)
    for (const [abstract, names] of lent) {
      if (!subgraph.types.has(abstract)) loans.push({ subgraph: subgraph.name, abstract, subtype: null })
      for (const subtype of names) loans.push({ subgraph: subgraph.name, abstract, subtype })
    }
    return lend(subgraph, document, lent, subgraphs)
  })
  return { documents, loans }
}

function findWanted(subgraphs: readonly ParsedSubgraph[], subtypes: Subtypes): Wanted {
  const outputs = new Map<string, TypeNode[]>()
  const inputs = new Map<string, TypeNode[]>()
  const externals: { place: string; type: TypeNode }[] = []
  const add = (map: Map<string, TypeNode[]>, place: string, type: TypeNode) =>
    void map.set(place, [...(map.get(place) ?? []), type])
  for (const subgraph of subgraphs) {
    for (const type of subgraph.types.values()) {
      for (const field of type.fields.values()) {
        const place = `${type.name}.${field.name.value}`
        if (isExternal(subgraph, type, field)) externals.push({ place, type: field.type })
        else add(outputs, place, field.type)
        for (const one of field.arguments ?? []) add(inputs, `${place}(${one.name.value}:)`, one.type)
      }
      for (const field of type.inputFields.values())
        add(inputs, `${type.name}.${field.name.value}`, field.type)
    }
  }
  const wanted = new Map<string, TypeNode>()
  for (const [map, choose] of [
    [outputs, widest],
    [inputs, narrowest],
  ] as const) {
    for (const [place, types] of map) {
      if (isMergedByLibrary(types)) continue
      const published = choose(types, subtypes)
      if (published !== null) wanted.set(place, published)
    }
  }
  // An external field may promise more than the published type, as the subgraph that resolves it may.
  for (const { place, type } of externals) {
    const types = outputs.get(place) ?? []
    const published = widest(types, subtypes)
    if (published === null || print(published) === print(type)) continue
    if (isNarrower(type, published, new Map()) && types.some((one) => print(one) === print(type)))
      wanted.set(place, published)
  }
  return wanted
}

/** Equal texts, or texts that differ in nothing but a non-null outside or inside of one list. */
function isMergedByLibrary(types: readonly TypeNode[]): boolean {
  const texts = new Set(types.map((type) => print(type)))
  if (texts.size === 1) return true
  const bare = new Set([...texts].map((text) => text.replaceAll('!', '')))
  return bare.size === 1 && [...bare].every((text) => !text.startsWith('['))
}

function declareWanted(
  subgraph: ParsedSubgraph,
  wanted: Wanted,
  lent: Map<string, Set<string>>,
): DocumentNode {
  const declare = <Node extends FieldDefinitionNode | InputValueDefinitionNode>(
    place: string,
    node: Node,
  ): Node => {
    const type = wanted.get(place)
    if (type === undefined || print(type) === print(node.type)) return node
    if (node.kind === Kind.FIELD_DEFINITION && !borrow(subgraph, lent, baseName(type), baseName(node.type)))
      return node
    return { ...node, type }
  }
  let parent = ''
  const enterType = {
    enter(node: { readonly name: { readonly value: string } }) {
      parent = node.name.value
    },
  }
  return visit(subgraph.document, {
    ObjectTypeDefinition: enterType,
    ObjectTypeExtension: enterType,
    InterfaceTypeDefinition: enterType,
    InterfaceTypeExtension: enterType,
    InputObjectTypeDefinition: {
      enter: (node) => ({
        ...node,
        fields: node.fields?.map((field) => declare(`${node.name.value}.${field.name.value}`, field)),
      }),
    },
    InputObjectTypeExtension: {
      enter: (node) => ({
        ...node,
        fields: node.fields?.map((field) => declare(`${node.name.value}.${field.name.value}`, field)),
      }),
    },
    FieldDefinition(node) {
      const place = `${parent}.${node.name.value}`
      const declared = declare(place, node)
      return {
        ...declared,
        arguments: declared.arguments?.map((one) => declare(`${place}(${one.name.value}:)`, one)),
      }
    },
  })
}

/**
 * Makes `abstract` known to the subgraph and `own` one of its types; false when that cannot be written down.
 */
function borrow(
  { types }: ParsedSubgraph,
  lent: Map<string, Set<string>>,
  abstract: string,
  own: string,
): boolean {
  if (abstract === own) return true
  const known = types.get(abstract)
  const type = types.get(own)
  if (type === undefined) return false
  if (known?.members.has(own) === true || type.interfaces.has(abstract)) return true
  lent.set(abstract, (lent.get(abstract) ?? new Set()).add(own))
  // Whoever implements the narrower interface has to implement the wider one as well.
  if (type.kind === Kind.INTERFACE_TYPE_DEFINITION)
    for (const other of types.values())
      if (other.interfaces.has(own) && !other.interfaces.has(abstract)) lent.get(abstract)?.add(other.name)
  return true
}

function lend(
  subgraph: ParsedSubgraph,
  document: DocumentNode,
  lent: ReadonlyMap<string, ReadonlySet<string>>,
  subgraphs: readonly ParsedSubgraph[],
): DocumentNode {
  const added: DefinitionNode[] = []
  for (const [abstract, names] of lent) {
    const model = subgraphs.map(({ types }) => types.get(abstract)).find((type) => type !== undefined)
    const known = subgraph.types.get(abstract)
    const name = { kind: Kind.NAME, value: abstract } as const
    const named: NamedTypeNode = { kind: Kind.NAMED_TYPE, name }
    if (model?.kind === Kind.UNION_TYPE_DEFINITION) {
      const types = [...names].map(
        (value): NamedTypeNode => ({ kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value } }),
      )
      added.push({
        kind: known === undefined ? Kind.UNION_TYPE_DEFINITION : Kind.UNION_TYPE_EXTENSION,
        name,
        types,
      })
      continue
    }
    if (known === undefined)
      added.push({ kind: Kind.INTERFACE_TYPE_DEFINITION, name, fields: sharedFields(subgraph, names, model) })
    for (const value of names) {
      const kind =
        subgraph.types.get(value)?.kind === Kind.INTERFACE_TYPE_DEFINITION
          ? Kind.INTERFACE_TYPE_EXTENSION
          : Kind.OBJECT_TYPE_EXTENSION
      added.push({ kind, name: { kind: Kind.NAME, value }, interfaces: [named] })
    }
  }
  return added.length === 0 ? document : { ...document, definitions: [...document.definitions, ...added] }
}

/**
 * Fields of the lent interface that all its types in this subgraph have, as the first of them declares them.
 */
function sharedFields(
  { types }: ParsedSubgraph,
  names: ReadonlySet<string>,
  model: SubgraphType | undefined,
): readonly FieldDefinitionNode[] {
  const [first, ...others] = [...names].map((name) => types.get(name))
  return [...(first?.fields.values() ?? [])]
    .filter(({ name }) => model?.fields.has(name.value) === true)
    .filter(({ name }) => others.every((other) => other?.fields.has(name.value) === true))
    .map((field) => ({ ...field, directives: [] }))
}

/** Takes the lent definitions out of the supergraph again. */
export function withoutLoans(supergraph: DocumentNode, loans: readonly Loan[]): DocumentNode {
  if (loans.length === 0) return supergraph
  const values = readGraphValues(supergraph)
  const isLent = (abstract: string, subtype: string | null, join: ConstDirectiveNode) =>
    loans.some(
      (loan) =>
        loan.abstract === abstract &&
        loan.subtype === subtype &&
        values.get(loan.subgraph) === textOf(join, 'graph'),
    )
  const without = <Node extends Directed>(node: Node, lent: (join: ConstDirectiveNode) => boolean): Node => ({
    ...node,
    directives: node.directives?.filter((directive) => !lent(directive)),
  })
  return visit(supergraph, {
    InterfaceTypeDefinition(node) {
      const name = node.name.value
      const lentType = (join: ConstDirectiveNode) =>
        (join.name.value === 'join__type' || join.name.value === 'join__field') && isLent(name, null, join)
      const kept = without(node, lentType)
      return {
        ...without(kept, (join) => isLentImplementation(name, join)),
        fields: kept.fields?.map((field) => without(field, lentType)),
      }
    },
    ObjectTypeDefinition(node) {
      return without(node, (join) => isLentImplementation(node.name.value, join))
    },
    UnionTypeDefinition(node) {
      const name = node.name.value
      return without(
        without(node, (join) => join.name.value === 'join__type' && isLent(name, null, join)),
        (join) => join.name.value === 'join__unionMember' && isLent(name, textOf(join, 'member'), join),
      )
    },
  })

  function isLentImplementation(name: string, join: ConstDirectiveNode): boolean {
    return join.name.value === 'join__implements' && isLent(textOf(join, 'interface') ?? '', name, join)
  }
}
