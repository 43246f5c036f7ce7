/** Changes of types: what they implement, have as members and values, and directives on them. */
import { Kind, type DefinitionNode, type DocumentNode } from 'graphql'
import {
  changeNode,
  fieldOf,
  inputOf,
  withDefinitions,
  withDirective,
  withoutDirective,
  type Change,
  type Holder,
} from './nodes.ts'

const TYPE_KINDS = [
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_DEFINITION,
] as const

const FIELD_KINDS = [Kind.OBJECT_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION] as const

const DIRECTIVES = [
  '@shareable',
  '@inaccessible',
  '@external',
  '@tag(name: "planted")',
  '@authenticated',
  '@requiresScopes(scopes: [["planted"]])',
  '@policy(policies: [["planted"]])',
  '@cost(weight: 3)',
  '@interfaceObject',
  '@extends',
  '@unknown',
]

/** Every change of this file, by a name that says what is done. */
export const TYPE_CHANGES: Readonly<Record<string, Change>> = {
  'a directive on a type': (document, random) =>
    changeNode(document, random, TYPE_KINDS, (node) => withDirective(node, random.pick(DIRECTIVES))),
  'a directive on an interface': (document, random) =>
    changeNode(document, random, [Kind.INTERFACE_TYPE_DEFINITION], (node) =>
      withDirective(node, random.pick(DIRECTIVES)),
    ),
  'a directive less on a type': (document, random) =>
    changeNode(
      document,
      random,
      FIELD_KINDS,
      (node) => ({
        ...node,
        directives: node.directives?.toSpliced(random.below(node.directives.length), 1),
      }),
      (node) => (node.directives ?? []).length > 0,
    ),
  'no key on a type': (document, random) =>
    changeNode(document, random, FIELD_KINDS, (node) => withoutDirective(node, 'key'), hasKey),
  'a key that is not resolvable': (document, random) =>
    changeNode(
      document,
      random,
      FIELD_KINDS,
      (node) => withDirective(withoutDirective(node, 'key'), '@key(fields: "id", resolvable: false)'),
      hasKey,
    ),
  'an interface less': (document, random) =>
    changeNode(
      document,
      random,
      FIELD_KINDS,
      (node) => ({ ...node, interfaces: node.interfaces?.slice(1) }),
      (node) => (node.interfaces ?? []).length > 0,
    ),
  'a field more in an interface': (document, random) =>
    changeNode(document, random, [Kind.INTERFACE_TYPE_DEFINITION], (node) => ({
      ...node,
      fields: [...(node.fields ?? []), fieldOf('planted: Int')],
    })),
  'a member less in a union': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.UNION_TYPE_DEFINITION],
      (node) => ({ ...node, types: node.types?.slice(1) }),
      (node) => (node.types ?? []).length > 1,
    ),
  'a value more in an enum': (document, random) =>
    changeNode(document, random, [Kind.ENUM_TYPE_DEFINITION], (node) => ({
      ...node,
      values: [
        ...(node.values ?? []),
        { kind: Kind.ENUM_VALUE_DEFINITION, name: { kind: Kind.NAME, value: 'PLANTED' } },
      ],
    })),
  'a value less in an enum': (document, random) =>
    changeNode(document, random, [Kind.ENUM_VALUE_DEFINITION], () => null),
  'a directive on a value of an enum': (document, random) =>
    changeNode(document, random, [Kind.ENUM_VALUE_DEFINITION], (node) =>
      withDirective(
        node,
        random.pick(['@inaccessible', '@tag(name: "planted")', '@deprecated', '@authenticated']),
      ),
    ),
  'a field more in an input type': (document, random) =>
    changeNode(document, random, [Kind.INPUT_OBJECT_TYPE_DEFINITION], (node) => ({
      ...node,
      fields: [
        ...(node.fields ?? []),
        inputOf(random.pick(['planted: Int', 'planted: Int!', 'planted: Int = 1', 'planted: Missing'])),
      ],
    })),
  'a type that is an extension alone': (document, random) =>
    changeNode(document, random, [Kind.OBJECT_TYPE_DEFINITION], (node) => ({
      ...node,
      kind: Kind.OBJECT_TYPE_EXTENSION,
      description: undefined,
    })),
  'a type of another kind': (document, random) =>
    ofAnotherKind(document, random.below(3), (nodes) => random.pick(nodes)),
  'a type less': (document, random) => changeNode(document, random, TYPE_KINDS, () => null),
  'a type twice': (document, random) => {
    const types = document.definitions.filter(isType)
    return types.length === 0
      ? document
      : { ...document, definitions: [...document.definitions, random.pick(types)] }
  },
  'a type more': (document, random) =>
    withDefinitions(
      document,
      random.pick([
        'extend type Nowhere { planted: Int }',
        'type Planted { planted: Int } extend type Query { planted: Planted }',
        'type Planted @key(fields: "id") { id: ID! } extend type Query { planted: Planted }',
        'type Planted @interfaceObject { id: ID! } extend type Query { planted: Planted }',
        'enum Planted { A B } extend type Query { planted(a: Planted): Int }',
        'input Planted { a: Planted! } extend type Query { planted(a: Planted): Int }',
        'interface Planted { a: Int } extend type Query { planted: Planted }',
        'scalar _Any extend type Query { planted: _Any }',
        'enum join__Graph { A } extend type Query { planted: join__Graph }',
        'type Mutation { planted: Int }',
        'type Subscription { planted: Int }',
        'type Subscription { planted: Int @shareable }',
      ]),
    ),
  'another root': (document, random) =>
    withDefinitions(
      document,
      random.pick([
        'schema { query: Query }',
        'schema { query: Query mutation: Query }',
        'schema { query: Planted } type Planted { planted: Int }',
        'schema { query: Query mutation: Nowhere }',
      ]),
    ),
  'a hidden root': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.OBJECT_TYPE_DEFINITION],
      (node) => withDirective(node, '@inaccessible'),
      (node) => node.name.value === 'Query',
    ),
}

function hasKey(node: Holder): boolean {
  return node.directives?.some(({ name }) => name.value === 'key') === true
}

function isType(node: DefinitionNode): boolean {
  return TYPE_KINDS.some((kind) => kind === node.kind)
}

function ofAnotherKind(
  document: DocumentNode,
  kind: number,
  pick: (nodes: readonly DefinitionNode[]) => DefinitionNode,
): DocumentNode {
  const types = document.definitions.filter(isType)
  if (types.length === 0) return document
  const chosen = pick(types)
  const name = 'name' in chosen ? (chosen.name?.value ?? 'T') : 'T'
  const others = document.definitions.filter((node) => node !== chosen)
  const text = [`scalar ${name}`, `enum ${name} { A B }`, `type ${name} { id: ID! }`][kind] ?? ''
  return withDefinitions({ ...document, definitions: others }, text)
}
