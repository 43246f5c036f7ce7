import {
  buildASTSchema,
  DirectiveLocation,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type TypeDefinitionNode,
  type TypeNode,
  validateInputLiteral,
} from 'graphql'
import type { Directed } from './directives.ts'
import { withExactLiterals } from './exact-literals.ts'
import { findMachinery, type Machinery } from './features.ts'

type Definition = DocumentNode['definitions'][number]

/**
 * The schema clients see: the supergraph without its machinery and without everything `@inaccessible`.
 *
 * The result is assumed valid: composition has validated it already, and a router must rather serve a graph with a
 * blemish (an interface field that only hidden objects lack) than refuse it. `@defer` is not declared here, because
 * incremental delivery is a property of the server, not of the graph.
 */
export function buildApiSchema(supergraphSdl: string): GraphQLSchema {
  const document = parse(supergraphSdl, { noLocation: true })
  const machinery = findMachinery(document)
  const visible = removeDangling(
    document.definitions.flatMap((definition) => visibleDefinition(definition, machinery)),
  )
  const schema = build(visible)
  const stale = invalidDefaults(schema)
  return stale.size === 0 ? schema : build(visible.map((definition) => withoutDefaults(definition, stale)))
}

function build(definitions: readonly Definition[]): GraphQLSchema {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [...definitions] }
  return withExactLiterals(buildASTSchema(document, { assumeValid: true }))
}

const EXECUTABLE_LOCATIONS: ReadonlySet<string> = new Set([
  DirectiveLocation.QUERY,
  DirectiveLocation.MUTATION,
  DirectiveLocation.SUBSCRIPTION,
  DirectiveLocation.FIELD,
  DirectiveLocation.FRAGMENT_DEFINITION,
  DirectiveLocation.FRAGMENT_SPREAD,
  DirectiveLocation.INLINE_FRAGMENT,
  DirectiveLocation.VARIABLE_DEFINITION,
])

const KEPT_DIRECTIVES: ReadonlySet<string> = new Set(['deprecated', 'specifiedBy', 'oneOf'])

function visibleDefinition(definition: Definition, machinery: Machinery): readonly Definition[] {
  const prefixed = (name: string) => machinery.prefixes.some((prefix) => name.startsWith(prefix))
  const hidden = (node: Directed) =>
    node.directives?.some(({ name }) => name.value === machinery.inaccessible) === true
  const shown = <T extends Directed>(nodes: readonly T[] | undefined): T[] =>
    (nodes ?? []).filter((node) => !hidden(node)).map(plain)
  // A directive of a feature may share its name with a client's type (`type Tag` is safe, `type link` is not a feature's).
  const ownedType = (name: string) => prefixed(name) || machinery.types.has(name) || name.startsWith('__')

  switch (definition.kind) {
    case Kind.SCHEMA_DEFINITION:
      return [plain(definition)]
    case Kind.DIRECTIVE_DEFINITION: {
      const executable = definition.locations.some(({ value }) => EXECUTABLE_LOCATIONS.has(value))
      if (!executable || machinery.directives.has(definition.name.value) || prefixed(definition.name.value))
        return []
      return [{ ...definition, arguments: shown(definition.arguments) }]
    }
    case Kind.SCALAR_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value) ? [] : [plain(definition)]
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      if (hidden(definition) || ownedType(definition.name.value)) return []
      const fields = shown(definition.fields).map((field) => ({
        ...field,
        arguments: shown(field.arguments),
      }))
      return [{ ...plain(definition), fields }]
    }
    case Kind.UNION_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value) ? [] : [plain(definition)]
    case Kind.ENUM_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value)
        ? []
        : [{ ...plain(definition), values: shown(definition.values) }]
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return hidden(definition) || ownedType(definition.name.value)
        ? []
        : [{ ...plain(definition), fields: shown(definition.fields) }]
    default:
      return []
  }
}

function plain<T extends Directed>(node: T): T {
  if (node.directives === undefined || node.directives.length === 0) return node
  return { ...node, directives: node.directives.filter(({ name }) => KEPT_DIRECTIVES.has(name.value)) }
}

/** Drops what refers to a dropped type, until nothing does; a type left without any member goes as well. */
function removeDangling(definitions: readonly Definition[]): readonly Definition[] {
  let current = definitions
  for (;;) {
    const types = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])
    for (const definition of current) if (isType(definition)) types.add(definition.name.value)
    let changed = false
    const keep = <T>(nodes: readonly T[] | undefined, name: (node: T) => string): T[] => {
      const kept = (nodes ?? []).filter((node) => types.has(name(node)))
      changed ||= kept.length !== (nodes ?? []).length
      return kept
    }
    const typed = (node: { readonly type: TypeNode }) => namedType(node.type)
    const next = current.map((definition): Definition => {
      switch (definition.kind) {
        case Kind.OBJECT_TYPE_DEFINITION:
        case Kind.INTERFACE_TYPE_DEFINITION:
          return {
            ...definition,
            interfaces: keep(definition.interfaces, ({ name }) => name.value),
            fields: keep(definition.fields, typed).map((field) => ({
              ...field,
              arguments: keep(field.arguments, typed),
            })),
          }
        case Kind.UNION_TYPE_DEFINITION:
          return { ...definition, types: keep(definition.types, ({ name }) => name.value) }
        case Kind.INPUT_OBJECT_TYPE_DEFINITION:
          return { ...definition, fields: keep(definition.fields, typed) }
        case Kind.SCHEMA_DEFINITION:
          return { ...definition, operationTypes: keep(definition.operationTypes, typed) }
        case Kind.DIRECTIVE_DEFINITION:
          return { ...definition, arguments: keep(definition.arguments, typed) }
        default:
          return definition
      }
    })
    const remaining = next.filter((definition) => !isEmptyType(definition))
    if (!changed && remaining.length === current.length) return remaining
    current = remaining
  }
}

function isType(definition: Definition): definition is TypeDefinitionNode {
  switch (definition.kind) {
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return true
    default:
      return false
  }
}

function isEmptyType(definition: Definition): boolean {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return (definition.fields ?? []).length === 0
    case Kind.UNION_TYPE_DEFINITION:
      return (definition.types ?? []).length === 0
    case Kind.ENUM_TYPE_DEFINITION:
      return (definition.values ?? []).length === 0
    default:
      return false
  }
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type)
}

/**
 * Coordinates of arguments and input fields whose default names something hidden. Such a default stays the subgraph's
 * business: the argument is left out of what we send, and the subgraph applies it.
 */
function invalidDefaults(schema: GraphQLSchema): ReadonlySet<string> {
  const invalid = new Set<string>()
  const check = (coordinate: string, input: GraphQLArgument | GraphQLInputField) => {
    const literal = input.default?.literal
    if (literal === undefined) return
    validateInputLiteral(literal, input.type, () => invalid.add(coordinate))
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields()))
        for (const argument of field.args) check(`${type.name}.${field.name}.${argument.name}`, argument)
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) check(`${type.name}.${field.name}`, field)
    }
  }
  return invalid
}

function withoutDefaults(definition: Definition, stale: ReadonlySet<string>): Definition {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const fields = definition.fields?.map((field) => ({
        ...field,
        arguments: field.arguments?.map((argument) =>
          stale.has(`${definition.name.value}.${field.name.value}.${argument.name.value}`)
            ? { ...argument, defaultValue: undefined }
            : argument,
        ),
      }))
      return { ...definition, fields }
    }
    case Kind.INPUT_OBJECT_TYPE_DEFINITION: {
      const fields = definition.fields?.map((field) =>
        stale.has(`${definition.name.value}.${field.name.value}`)
          ? { ...field, defaultValue: undefined }
          : field,
      )
      return { ...definition, fields }
    }
    default:
      return definition
  }
}
