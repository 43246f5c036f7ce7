/**
 * Check: do the arguments of a subgraph's own directives fit their definitions?
 *
 * The library looks at the kind of the first literal only. It so refuses values that GraphQL allows (null for
 * a nullable argument, anything for an `ID`), and lets others through (null for a non-null argument, the
 * second item of a list, the fields of an input object, the name of an enum value). Its complaints about
 * these directives are passed over, and those of this check take their place. Directives of federation are
 * left to the library, which knows their definitions.
 *
 * Rule: https://spec.graphql.org/draft/#sec-Values-of-Correct-Type
 */
import { Kind, print } from 'graphql'
import type {
  ASTNode,
  ConstObjectValueNode,
  ConstValueNode,
  DirectiveDefinitionNode,
  GraphQLError,
  InputValueDefinitionNode,
  TypeNode,
} from 'graphql'
import { appliedDirectives } from './directives/applied-directives.ts'
import type { CompositionError } from './contract/composition-result.ts'
import { federationDirectiveName } from './federation/federation-link.ts'
import { membersOf, typeNodes } from './documents/definitions.ts'
import { at } from './locations/place.ts'
import type { ParsedSubgraph, SubgraphType } from './subgraph/subgraph.ts'

/** One error for each value that the definition of the subgraph's own directive does not allow. */
export function findInvalidArguments(subgraph: ParsedSubgraph): readonly CompositionError[] {
  const definitions = ownDirectives(subgraph)
  if (definitions.size === 0) return []
  const defaults = [...definitions.values()].flatMap(({ name, arguments: defined }) =>
    (defined ?? []).flatMap((one) => {
      const place = `Invalid default value of "@${name.value}(${one.name.value}:)"`
      return one.defaultValue === undefined
        ? []
        : problemsOf(one.defaultValue, one.type, subgraph).map((problem) => invalid(subgraph, place, problem))
    }),
  )
  const given = appliedDirectives(subgraph.document).flatMap(({ node, coordinate }) => {
    const defined = definitions.get(node.name.value)?.arguments ?? []
    return (node.arguments ?? []).flatMap((argument) => {
      const { name, value } = argument
      const definition = defined.find((one) => one.name.value === name.value)
      const place = `Invalid value of "@${node.name.value}(${name.value}:)" on "${coordinate}"`
      return definition === undefined
        ? []
        : problemsOf(value, definition.type, subgraph).map((problem) =>
            // A value that is wrong as a whole is shown with the name of the argument.
            invalid(subgraph, place, problem.node === value ? { ...problem, node: argument } : problem),
          )
    })
  })
  return [...defaults, ...given]
}

function invalid(subgraph: ParsedSubgraph, place: string, { node, expected }: Problem): CompositionError {
  return {
    code: 'INVALID_GRAPHQL',
    message: `[${subgraph.name}] ${place}: ${expected}.`,
    subgraphs: [subgraph.name],
    locations: at(subgraph, node),
  }
}

/** An error of the library that this check judges instead. */
export function isAboutOwnDirective(error: GraphQLError, subgraphs: readonly ParsedSubgraph[]): boolean {
  const directive = /^\[.*?\] Invalid value for "@(\w+)\(\w+:\)" of type /.exec(error.message)?.[1]
  if (directive === undefined) return false
  const owner = subgraphs.find(({ name }) => name === error.extensions['subgraphName'])
  return owner !== undefined && ownDirectives(owner).has(directive)
}

function ownDirectives({ document, link }: ParsedSubgraph): ReadonlyMap<string, DirectiveDefinitionNode> {
  return new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.DIRECTIVE_DEFINITION && federationDirectiveName(link, node.name.value) === null
        ? [[node.name.value, node] as const]
        : [],
    ),
  )
}

type Problem = {
  readonly node: ASTNode
  readonly expected: string
}

function problemsOf(value: ConstValueNode, type: TypeNode, subgraph: ParsedSubgraph): readonly Problem[] {
  if (type.kind === Kind.NON_NULL_TYPE) {
    if (value.kind === Kind.NULL) return [{ node: value, expected: `"${print(type)}" cannot be null` }]
    return problemsOf(value, type.type, subgraph)
  }
  if (value.kind === Kind.NULL) return []
  // A single value stands for a list of one.
  if (type.kind === Kind.LIST_TYPE)
    return (value.kind === Kind.LIST ? value.values : [value]).flatMap((item) =>
      problemsOf(item, type.type, subgraph),
    )
  return problemsOfNamed(value, type.name.value, subgraph)
}

/** Literals that the scalars of the specification take. */
const LITERALS: Readonly<Record<string, ReadonlySet<ConstValueNode['kind']>>> = {
  Int: new Set([Kind.INT]),
  Float: new Set([Kind.INT, Kind.FLOAT]),
  String: new Set([Kind.STRING]),
  Boolean: new Set([Kind.BOOLEAN]),
  ID: new Set([Kind.STRING, Kind.INT]),
}

function problemsOfNamed(value: ConstValueNode, name: string, subgraph: ParsedSubgraph): readonly Problem[] {
  const wrong = [{ node: value, expected: `expected a value of type "${name}", found ${print(value)}` }]
  const type = subgraph.types.get(name)
  if (type?.kind === Kind.ENUM_TYPE_DEFINITION) {
    if (value.kind !== Kind.ENUM) return wrong
    return enumValues(subgraph, name).has(value.value)
      ? []
      : [{ node: value, expected: `enum "${name}" has no value ${value.value}` }]
  }
  if (type?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    return value.kind === Kind.OBJECT ? problemsOfObject(value, type, subgraph) : wrong
  // Scalars of the subgraph take what they like. Unknown types are reported elsewhere.
  const literals = type === undefined ? LITERALS[name] : undefined
  return literals === undefined || (literals.has(value.kind) && (name !== 'Int' || isInt(value))) ? [] : wrong
}

function isInt(value: ConstValueNode): boolean {
  if (value.kind !== Kind.INT) return false
  const number = Number(value.value)
  return number >= -(2 ** 31) && number < 2 ** 31
}

function enumValues(subgraph: ParsedSubgraph, name: string): ReadonlySet<string> {
  const members = typeNodes(subgraph.document, name).flatMap((node) => membersOf(node))
  return new Set(members.map((member) => member.name.value))
}

function problemsOfObject(
  value: ConstObjectValueNode,
  type: SubgraphType,
  subgraph: ParsedSubgraph,
): readonly Problem[] {
  const given = new Map(value.fields.map((field) => [field.name.value, field.value]))
  const isOneOf = type.directives.some(({ name }) => name.value === 'oneOf')
  if (isOneOf && (given.size !== 1 || [...given.values()].some(({ kind }) => kind === Kind.NULL)))
    return [{ node: value, expected: `"${type.name}" takes exactly one field, and that not null` }]
  return [
    ...[...given].flatMap(([name, inner]): readonly Problem[] => {
      const field = type.inputFields.get(name)
      return field === undefined
        ? [{ node: inner, expected: `"${type.name}" has no field "${name}"` }]
        : problemsOf(inner, field.type, subgraph)
    }),
    ...[...type.inputFields.values()]
      .filter((field) => isRequired(field) && !given.has(field.name.value))
      .map((field) => ({
        node: value,
        expected: `field "${field.name.value}" of "${type.name}" is required`,
      })),
  ]
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined
}
