/** Errors of the code INVALID_GRAPHQL: one subgraph alone is no valid schema. The scope is that subgraph. */
import { Kind } from 'graphql'
import type { ASTNode, ConstDirectiveNode } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { isTypeNode, membersOf, type MemberNode, operationTypes } from '../documents/definitions.ts'
import { at, type Located } from './place.ts'
import { directives, firstName, names, nodesAt, type Rule, type Scope, typeReferences } from './rule.ts'
import { baseName } from '../subgraph/type-references.ts'

/** The rules for messages of GraphQL validation. */
export const INVALID_GRAPHQL_RULES: readonly Rule[] = [
  invalid(/^There can be only one type named "(\w+)"/, (scope, type = '') => repeated(scope, type)),
  invalid(/^There can be only one directive named "(@\w+)"/, (scope, name = '') => repeated(scope, name)),
  invalid(/^Enum value "(\w+\.\w+)" can only be defined once/, (scope, place = '') => repeated(scope, place)),
  invalid(/^Field "(\w+\.\w+)" can only be defined once/, (scope, place = '') => repeated(scope, place)),
  invalid(/^Argument "(@?\w+(?:\.\w+)?\(\w+:\))" can only be defined once/, (scope, place = '') =>
    repeated(scope, place),
  ),
  invalid(/^There can be only one input field named "(\w+)"/, (scope, name = '') =>
    scope.flatMap((one) => one.subgraph.document.definitions.flatMap((node) => twice(one, node, name))),
  ),
  invalid(/^There can be only one argument named "(\w+)"/, (scope, name = '') =>
    everyDirective(scope, (one, node) =>
      labelled(
        one,
        (node.arguments ?? []).filter((given) => given.name.value === name).map((given) => given.name),
      ),
    ),
  ),
  invalid(/^The directive "@(\w+)" can only be used once/, (scope, name = '') =>
    scope.flatMap((one) => directivesUsedTwice(one, name)),
  ),
  invalid(/^There can be only one (\w+) type in schema/, (scope, operation = '') =>
    scope.flatMap((one) =>
      labelled(
        one,
        operationTypes(one.subgraph.document)
          .filter((root) => root.operation === operation)
          .map(({ type }) => type),
      ),
    ),
  ),
  invalid(/^Must provide only one schema definition/, (scope) =>
    scope.flatMap((one) =>
      labelled(
        one,
        one.subgraph.document.definitions.filter(({ kind }) => kind === Kind.SCHEMA_DEFINITION),
      ),
    ),
  ),
  invalid(/^Cannot set schema \w+ root to unknown type (\w+)/, (scope, type = '') => rootPlaces(scope, type)),
  invalid(/^\w+ root type must be Object type.*, it cannot be (\w+)/, (scope, type = '') =>
    rootPlaces(scope, type),
  ),
  invalid(/^All root types must be different, "(\w+)"/, (scope, type = '') => rootPlaces(scope, type)),
  invalid(/^Cannot implement non-interface type (\w+)/, (scope, type = '') => implementing(scope, type)),
  invalid(
    /^Type (\w+) (?:must only implement Interface types, it cannot implement|cannot implement|can only implement) (\w+)/,
    (scope, type = '', other = '') => implementing(scope, other === 'itself' ? type : other, type),
  ),
  invalid(
    /^Type (\w+) must implement (\w+) because it is implemented by (\w+)/,
    (scope, type = '', _missing, by = '') => implementing(scope, by, type),
  ),
  invalid(
    /^Interface field (\w+)\.(\w+) expected but (\w+) does not provide it/,
    (scope, type = '', field = '', by = '') => [
      ...firstName(scope, by, `no field "${field}" here`),
      ...names(scope, `${type}.${field}`, () => 'declared here'),
    ],
  ),
  invalid(
    /^Interface field (\w+\.\w+) expects type \S+ but (\w+\.\w+) of type \S+ is not a proper subtype/,
    (scope, one = '', other = '') => [...typeReferences(scope, other), ...typeReferences(scope, one)],
  ),
  invalid(
    /^Interface field argument (\w+\.\w+)\((\w+):\) expected but (\w+\.\w+) does not provide it/,
    (scope, field = '', one = '', by = '') => [
      ...firstName(scope, by, `no argument "${one}" here`),
      ...names(scope, `${field}(${one}:)`, () => 'declared here'),
    ],
  ),
  invalid(
    /^Interface field argument (\S+) expects type \S+ but (\S+) is type/,
    (scope, one = '', other = '') => [...typeReferences(scope, other), ...typeReferences(scope, one)],
  ),
  invalid(
    /^Object field (\w+\.\w+) includes required argument (\w+) that is missing from the Interface field (\w+\.\w+)/,
    (scope, field = '', one = '', other = '') => [
      ...names(scope, `${field}(${one}:)`, () => 'required here'),
      ...names(scope, other, () => `no argument "${one}" here`),
    ],
  ),
  invalid(/^The type of "?(@?\w+(?:\.\w+)?(?:\(\w+:\))?)"? must be/, (scope, place = '') =>
    typeReferences(scope, place).map((found) => ({ ...found, label: undefined })),
  ),
  invalid(
    /^Required (?:argument|input field) (@?\w+(?:\.\w+)?(?:\(\w+:\))?) cannot be deprecated/,
    (scope, place = '') => directives(scope, place, 'deprecated'),
  ),
  invalid(
    /^Invalid default value .* provided for (?:argument|input field) (\w+\.\w+(?:\(\w+:\))?) of type/,
    (scope, place = '') =>
      scope.flatMap((one) =>
        nodesAt(one, place).flatMap(({ name, node }) =>
          at(one, ('defaultValue' in node ? node.defaultValue : undefined) ?? name),
        ),
      ),
  ),
  invalid(
    /^Union type (\w+) can only include (?:type|Object types, it cannot include) (\w+)/,
    (scope, union = '', member = '') =>
      scope.flatMap((one) =>
        nodesAt(one, union).flatMap(({ node }) =>
          ('types' in node ? (node.types ?? []) : [])
            .filter((type) => type.name.value === member)
            .flatMap((type) => at(one, type)),
        ),
      ),
  ),
  invalid(
    /^(?:Union type|Enum type|Input Object type|Type) (\w+) must define one or more/,
    (scope, type = '') => names(scope, type),
  ),
  invalid(
    /^Cannot reference Input Object "(\w+)" within itself .*"(.*)"\.$/,
    (scope, type = '', path = '') => {
      const circle: SdlLocation[] = []
      let current = type
      for (const field of path.split('.')) {
        circle.push(...names(scope, `${current}.${field}`))
        const [found] = scope.flatMap((one) => nodesAt(one, `${current}.${field}`))
        if (found === undefined || !('type' in found.node)) break
        current = baseName(found.node.type)
      }
      return circle
    },
  ),
  invalid(/^Name "(\w+)" must not begin with "__"/, (scope, name = '') =>
    scope.flatMap((one) => namedAnywhere(one, name)),
  ),
]

/** A rule for one of the texts with the code INVALID_GRAPHQL. */
function invalid(pattern: RegExp, places: Rule['places']): Rule {
  return { code: 'INVALID_GRAPHQL', pattern, places }
}

function repeated(scope: Scope, text: string): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    labelled(
      one,
      nodesAt(one, text)
        .filter(({ node }) => !node.kind.endsWith('Extension'))
        .map(({ name }) => name),
    ),
  )
}

function labelled(one: Located, nodes: readonly ASTNode[]): readonly SdlLocation[] {
  return nodes.length < 2
    ? []
    : nodes.flatMap((node, index) => at(one, node, index === 0 ? 'first here' : 'again here'))
}

function twice(one: Located, node: ASTNode, name: string): readonly SdlLocation[] {
  if (node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION && node.kind !== Kind.INPUT_OBJECT_TYPE_EXTENSION)
    return []
  return labelled(
    one,
    (node.fields ?? []).filter((field) => field.name.value === name).map((field) => field.name),
  )
}

/** Whatever may carry directives in a document of definitions. */
function carriers({ subgraph: { document } }: Located): readonly (readonly ConstDirectiveNode[])[] {
  return document.definitions.flatMap((definition) => {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION)
      return [definition.directives ?? []]
    if (!isTypeNode(definition)) return []
    const members = membersOf(definition)
    return [definition, ...members, ...members.flatMap(argumentsOf)].map(({ directives: list }) => list ?? [])
  })
}

function argumentsOf(member: MemberNode): readonly MemberNode[] {
  return member.kind === Kind.FIELD_DEFINITION ? (member.arguments ?? []) : []
}

function everyDirective(
  scope: Scope,
  places: (one: Located, node: ConstDirectiveNode) => readonly SdlLocation[],
): readonly SdlLocation[] {
  return scope.flatMap((one) => carriers(one).flatMap((list) => list.flatMap((node) => places(one, node))))
}

function directivesUsedTwice(one: Located, name: string): readonly SdlLocation[] {
  return carriers(one).flatMap((list) =>
    labelled(
      one,
      list.filter((node) => node.name.value === name),
    ),
  )
}

/**
 * Returns the places where schema definitions name the type, or those of the type itself where it is a root
 * by its name.
 */
function rootPlaces(scope: Scope, type: string): readonly SdlLocation[] {
  return scope.flatMap((one) => {
    const roots = operationTypes(one.subgraph.document).filter((root) => root.type.name.value === type)
    return roots.length > 0 ? roots.flatMap((root) => at(one, root.type)) : names([one], type)
  })
}

/** Returns the places where a type says that it implements another one. */
function implementing(scope: Scope, implemented: string, by?: string): readonly SdlLocation[] {
  return scope.flatMap((one) =>
    one.subgraph.document.definitions
      .filter(isTypeNode)
      .flatMap((node) =>
        ('interfaces' in node ? (node.interfaces ?? []) : [])
          .filter(({ name }) => name.value === implemented && (by === undefined || node.name.value === by))
          .flatMap((type) => at(one, type)),
      ),
  )
}

function namedAnywhere(one: Located, name: string): readonly SdlLocation[] {
  return one.subgraph.document.definitions.flatMap((definition) => {
    if (!('name' in definition) || definition.name === undefined) return []
    const members = isTypeNode(definition) ? membersOf(definition) : []
    const given = 'arguments' in definition ? (definition.arguments ?? []) : []
    return [definition, ...members, ...members.flatMap(argumentsOf), ...given].flatMap((node) =>
      node.name?.value === name ? at(one, node.name) : [],
    )
  })
}
