/** Reads the join directives of a supergraph's definitions. */
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  Kind,
  parseType,
  type TypeDefinitionNode,
} from 'graphql'
import { type SubgraphId, subgraphId } from '../../ids/ids.ts'
import type { TypeKind } from '../compiled/compiled-graph.ts'
import { argumentOf, directivesOf, flagArgument, hasDirective, textArgument } from '../header/directives.ts'
import { type FeatureNames, findFeatureDefinitions, isOfFeature } from '../header/features.ts'
import type { SupergraphHeader } from '../header/header.ts'
import { SupergraphError } from '../header/supergraph-error.ts'
import { typeText } from '../header/type-text.ts'
import type { JoinedField, JoinedResolver, JoinedType } from './joined-type.ts'

const KINDS: Readonly<Record<TypeDefinitionNode['kind'], TypeKind>> = {
  ScalarTypeDefinition: 'scalar',
  ObjectTypeDefinition: 'object',
  InterfaceTypeDefinition: 'interface',
  UnionTypeDefinition: 'union',
  EnumTypeDefinition: 'enum',
  InputObjectTypeDefinition: 'input',
}

/**
 * The types of a supergraph by name, without those of specifications. Throws a SupergraphError if a directive
 * names a subgraph that there is not, and for `@fromContext`.
 */
export function readJoinedTypes(header: SupergraphHeader): ReadonlyMap<string, JoinedType> {
  const { document, definitions } = header
  const features = findFeatureDefinitions(document)
  const read = joinedTypeReader(header)
  return new Map(
    [...definitions]
      .filter(([name]) => !isOfFeature(features, name))
      .map(([name, node]) => [name, read(node)]),
  )
}

/** Reads single types of a supergraph. It throws as `readJoinedTypes` does. */
export function joinedTypeReader(
  header: Pick<SupergraphHeader, 'subgraphs' | 'names'>,
): (node: TypeDefinitionNode) => JoinedType {
  const reader = new Reader(header)
  return (node) => reader.type(node)
}

/** Reads one supergraph. */
class Reader {
  readonly #names: FeatureNames
  readonly #subByEnumValue: ReadonlyMap<string, SubgraphId>
  readonly #subByName: ReadonlyMap<string, SubgraphId>

  constructor({ subgraphs, names }: Pick<SupergraphHeader, 'subgraphs' | 'names'>) {
    this.#names = names
    this.#subByEnumValue = new Map(subgraphs.map(({ enumValue }, id) => [enumValue, subgraphId(id)]))
    this.#subByName = new Map(subgraphs.map(({ name }, id) => [name, subgraphId(id)]))
  }

  type(node: TypeDefinitionNode): JoinedType {
    const name = node.name.value
    const { join, inaccessible } = this.#names
    const hasFields =
      node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
    const values = node.kind === Kind.ENUM_TYPE_DEFINITION ? (node.values ?? []) : []
    const members = node.kind === Kind.UNION_TYPE_DEFINITION ? (node.types ?? []) : []
    const [owner] = directivesOf(node, join.owner)
    return {
      name,
      kind: KINDS[node.kind],
      inaccessible: hasDirective(node, inaccessible),
      interfaces: hasFields ? (node.interfaces ?? []).map((one) => one.name.value) : [],
      members: members.map((one) => one.name.value),
      presence: directivesOf(node, join.type).map((one) => ({
        at: this.#subgraph(one, name),
        key: textArgument(one, 'key'),
        isResolvable: flagArgument(one, 'resolvable', true),
        isInterfaceObject: flagArgument(one, 'isInterfaceObject', false),
      })),
      implementations: directivesOf(node, join.implements).map((one) => ({
        at: this.#subgraph(one, name),
        interface: textArgument(one, 'interface') ?? '',
      })),
      memberships: directivesOf(node, join.unionMember).map((one) => ({
        at: this.#subgraph(one, name),
        member: textArgument(one, 'member') ?? '',
      })),
      owner: owner === undefined ? null : this.#subgraph(owner, name),
      fields: hasFields ? (node.fields ?? []).map((field) => this.#field(name, field)) : [],
      enumValues: values.map((value) => ({
        name: value.name.value,
        inaccessible: hasDirective(value, inaccessible),
      })),
    }
  }

  #field(owner: string, node: FieldDefinitionNode): JoinedField {
    const where = `${owner}.${node.name.value}`
    const stated = directivesOf(node, this.#names.join.field)
    return {
      name: node.name.value,
      type: typeText(node.type),
      inaccessible: hasDirective(node, this.#names.inaccessible),
      isStated: stated.length > 0,
      joins: stated.flatMap((join) => this.#resolver(join, where) ?? []),
    }
  }

  #resolver(join: ConstDirectiveNode, where: string): JoinedResolver | null {
    if (argumentOf(join, 'contextArguments') !== undefined)
      throw new SupergraphError(
        'SUPERGRAPH_UNSUPPORTED_FEATURE',
        `${where} takes arguments from a context (@fromContext), which this router does not support. Nothing was loaded.`,
      )
    if (textArgument(join, 'graph') === null) return null
    const own = textArgument(join, 'type')
    const from = textArgument(join, 'override')
    return {
      at: this.#subgraph(join, where),
      type: own === null ? null : typeText(parseType(own, { noLocation: true })),
      isExternal: flagArgument(join, 'external', false) || flagArgument(join, 'usedOverridden', false),
      requires: textArgument(join, 'requires'),
      provides: textArgument(join, 'provides'),
      override: from === null ? null : { from: this.#subByName.get(from) ?? null },
      overrideLabel: textArgument(join, 'overrideLabel'),
    }
  }

  #subgraph(join: ConstDirectiveNode, where: string): SubgraphId {
    const value = textArgument(join, 'graph')
    const sub = value === null ? undefined : this.#subByEnumValue.get(value)
    if (sub === undefined)
      throw new SupergraphError(
        'SUPERGRAPH_INVALID',
        `A join directive on ${where} names the graph "${value ?? ''}"; expected a value of the enum ${this.#names.join.graphEnum}.`,
      )
    return sub
  }
}
