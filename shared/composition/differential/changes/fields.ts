/** Changes of fields and of what they take: types, arguments, defaults, and directives on them. */
import { Kind, print, type ASTNode } from 'graphql'
import {
  changeNode,
  fieldOf,
  inputOf,
  typeOf,
  valueOf,
  withDirective,
  withoutDirective,
  type Change,
} from './nodes.ts'

const TYPES = ['Int', 'String', 'ID!', '[Int]', '[String!]!', 'Boolean', 'Missing']

/** Directives for fields of objects and interfaces. */
const DIRECTIVES = [
  '@external',
  '@shareable',
  '@inaccessible',
  '@tag(name: "planted")',
  '@authenticated',
  '@requiresScopes(scopes: [["planted"]])',
  '@policy(policies: [["planted"]])',
  '@cost(weight: 3)',
  '@cost(weight: "three")',
  '@deprecated(reason: "planted")',
  '@listSize(assumedSize: 5)',
  '@listSize(assumedSize: -1)',
  '@listSize(assumedSize: "5")',
  '@listSize(slicingArguments: ["first"])',
  '@listSize(slicingArguments: [1])',
  '@listSize(sizedFields: ["id"])',
  '@listSize(sizedFields: [1])',
  '@listSize(slicingArguments: ["first"], requireOneSlicingArgument: 1)',
  '@unknown',
  '@interfaceObject',
]

const INPUT_DIRECTIVES = [
  '@inaccessible',
  '@tag(name: "planted")',
  '@deprecated',
  '@cost(weight: 2)',
  '@authenticated',
  '@unknown',
]

const HOLDERS = [
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_EXTENSION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_EXTENSION,
] as const

const isOfInterface = (_: ASTNode, parent: ASTNode | undefined) =>
  parent?.kind === Kind.INTERFACE_TYPE_DEFINITION

/** Every change of this file, by a name that says what is done. */
export const FIELD_CHANGES: Readonly<Record<string, Change>> = {
  'a directive on a field': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) =>
      withDirective(node, random.pick(DIRECTIVES)),
    ),
  'a directive on a field of an interface': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.FIELD_DEFINITION],
      (node) => withDirective(node, random.pick(['@override(from: "a")', ...DIRECTIVES])),
      isOfInterface,
    ),
  'no @shareable on a field': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.FIELD_DEFINITION],
      (node) => withoutDirective(node, 'shareable'),
      (node) => node.directives?.some(({ name }) => name.value === 'shareable') === true,
    ),
  'no @external on a field': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.FIELD_DEFINITION],
      (node) => withoutDirective(node, 'external'),
      (node) => node.directives?.some(({ name }) => name.value === 'external') === true,
    ),
  'no directives on a field': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.FIELD_DEFINITION],
      (node) => ({ ...node, directives: [] }),
      (node) => (node.directives ?? []).length > 0,
    ),
  'another type of a field': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) => ({
      ...node,
      type: typeOf(random.pick(TYPES)),
    })),
  'another nullability of a field': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) => {
      const text = print(node.type)
      return { ...node, type: typeOf(text.endsWith('!') ? text.slice(0, -1) : `${text}!`) }
    }),
  'a list of a field': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) => ({
      ...node,
      type: typeOf(`[${print(node.type)}]`),
    })),
  'a field less': (document, random) => changeNode(document, random, [Kind.FIELD_DEFINITION], () => null),
  'a field more': (document, random) =>
    changeNode(document, random, HOLDERS, (node) => ({
      ...node,
      fields: [
        ...(node.fields ?? []),
        fieldOf(`${random.pick(['planted', 'planted2', '__planted', 'id'])}: ${random.pick(TYPES)}`),
      ],
    })),
  'a field twice': (document, random) =>
    changeNode(document, random, HOLDERS, (node) => ({
      ...node,
      fields: [...(node.fields ?? []), ...(node.fields ?? []).slice(0, 1)],
    })),
  'an override': (document, random, subgraphs) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) => {
      const from = random.pick([...subgraphs, 'nobody'])
      const label = random.pick(['', '', ', label: "percent(5)"', ', label: "planted"', ', label: "1 2"'])
      return withDirective(node, `@override(from: "${from}"${label})`)
    }),
  'an argument more': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) => ({
      ...node,
      arguments: [
        ...(node.arguments ?? []),
        inputOf(
          random.pick([
            'planted: Int',
            'planted: Int!',
            'planted: Int = 1',
            'planted: Int = "s"',
            'first: Int',
          ]),
        ),
      ],
    })),
  'an argument or input field less': (document, random) =>
    changeNode(document, random, [Kind.INPUT_VALUE_DEFINITION], () => null),
  'another type of an argument or input field': (document, random) =>
    changeNode(document, random, [Kind.INPUT_VALUE_DEFINITION], (node) => ({
      ...node,
      type: typeOf(random.pick(TYPES)),
    })),
  'another nullability of an argument or input field': (document, random) =>
    changeNode(document, random, [Kind.INPUT_VALUE_DEFINITION], (node) => {
      const text = print(node.type)
      return { ...node, type: typeOf(text.endsWith('!') ? text.slice(0, -1) : `${text}!`) }
    }),
  'another default of an argument or input field': (document, random) =>
    changeNode(document, random, [Kind.INPUT_VALUE_DEFINITION], (node) => ({
      ...node,
      defaultValue: random.chance(30) ? undefined : valueOf(random.pick(['1', '2', '"s"', 'null', '[]'])),
    })),
  'a directive on an argument or input field': (document, random) =>
    changeNode(document, random, [Kind.INPUT_VALUE_DEFINITION], (node) =>
      withDirective(node, random.pick(INPUT_DIRECTIVES)),
    ),
}
