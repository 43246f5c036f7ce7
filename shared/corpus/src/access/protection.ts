/**
 * Puts access rules into a supergraph at random, and answers by them as one server would: a resolver of
 * graphql-js that throws. Nothing here is taken from the engine.
 */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  getNamedType,
  type GraphQLFieldResolver,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { GraphQLSchema } from 'graphql'

/** The credentials of a request. */
export type Holder = {
  readonly isAuthenticated: boolean
  readonly scopes: ReadonlySet<string>
  readonly policies: ReadonlySet<string>
}

/** A rule as SDL writes it, and whom it lets through. */
type Rule = { readonly name: string; readonly args: string; readonly lets: (holder: Holder) => boolean }

const RULES: readonly Rule[] = [
  { name: 'authenticated', args: '', lets: ({ isAuthenticated }) => isAuthenticated },
  { name: 'requiresScopes', args: 'scopes: [["a"]]', lets: ({ scopes }) => scopes.has('a') },
  {
    name: 'requiresScopes',
    args: 'scopes: [["a", "b"], ["c"]]',
    lets: ({ scopes }) => (scopes.has('a') && scopes.has('b')) || scopes.has('c'),
  },
  { name: 'policy', args: 'policies: [["p"]]', lets: ({ policies }) => policies.has('p') },
  {
    name: 'policy',
    args: 'policies: [["p", "q"], ["r"]]',
    lets: ({ policies }) => (policies.has('p') && policies.has('q')) || policies.has('r'),
  },
]

export const HOLDERS: readonly Holder[] = [
  { isAuthenticated: false, scopes: new Set(), policies: new Set() },
  { isAuthenticated: true, scopes: new Set(['a']), policies: new Set(['q']) },
  { isAuthenticated: true, scopes: new Set(['a', 'b']), policies: new Set(['p']) },
  { isAuthenticated: false, scopes: new Set(['c']), policies: new Set(['p', 'q']) },
  { isAuthenticated: true, scopes: new Set(['a', 'b', 'c']), policies: new Set(['p', 'r']) },
]

/** Rules by type (`Product`) or coordinate (`Product.price`). */
export type Protection = ReadonlyMap<string, Rule>

/** One in `rarity` fields and types gets a rule, drawn by `random`. */
export function protect(
  supergraphSdl: string,
  schema: GraphQLSchema,
  random: (below: number) => number,
  rarity = 3,
): { readonly sdl: string; readonly protection: Protection } {
  const protection = new Map<string, Rule>()
  const required = namesIn(supergraphSdl, 'requires')
  const untyped = typesOfInterfaceObjects(supergraphSdl)
  const draw = (name: string): readonly ConstDirectiveNode[] => {
    const rule = random(rarity) === 0 ? RULES[random(RULES.length)] : undefined
    if (rule === undefined) return []
    protection.set(name, rule)
    return [directive(rule.name, rule.args)]
  }
  const definitions = parse(supergraphSdl).definitions.map((node): DefinitionNode => {
    if (node.kind === Kind.SCHEMA_DEFINITION)
      return {
        ...node,
        directives: [
          ...(node.directives ?? []),
          ...['authenticated', 'requiresScopes', 'policy'].map((name) =>
            directive('link', `url: "https://specs.apollo.dev/${name}/v0.1", for: SECURITY`),
          ),
        ],
      }
    if (!('name' in node) || node.name === undefined) return node
    const type = schema.getType(node.name.value)
    if (type !== undefined && untyped.has(type.name)) return node
    if (type === undefined || !mayProtectType(schema, type.name, required)) {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || type === undefined) return node
    }
    const own =
      type !== undefined && mayProtectType(schema, type.name, required) && 'directives' in node
        ? [...(node.directives ?? []), ...draw(type.name)]
        : undefined
    const withOwn = own === undefined ? node : ({ ...node, directives: own } as DefinitionNode)
    if (withOwn.kind !== Kind.OBJECT_TYPE_DEFINITION) return withOwn
    return {
      ...withOwn,
      fields: withOwn.fields?.map((field) =>
        required.has(field.name.value)
          ? field
          : {
              ...field,
              directives: [...(field.directives ?? []), ...draw(`${withOwn.name.value}.${field.name.value}`)],
            },
      ),
    }
  })
  return { sdl: print({ kind: Kind.DOCUMENT, definitions }), protection }
}

/**
 * Types of which one server cannot tell the same: it gives `__typename` without a resolver, so what has the
 * type in an abstract place is left out, and so is what another field requires.
 */
function mayProtectType(schema: GraphQLSchema, name: string, required: ReadonlySet<string>): boolean {
  const type = schema.getType(name)
  const types = Object.values(schema.getTypeMap())
  const isRequired = types.some(
    (owner) =>
      isObjectType(owner) &&
      Object.values(owner.getFields()).some(
        (field) => required.has(field.name) && getNamedType(field.type) === type,
      ),
  )
  if (isRequired) return false
  if (isEnumType(type)) return true
  if (isScalarType(type)) return type.astNode != null
  return (
    isObjectType(type) &&
    type !== schema.getQueryType() &&
    type !== schema.getMutationType() &&
    type !== schema.getSubscriptionType() &&
    type.getInterfaces().length === 0 &&
    !types.some((union) => isUnionType(union) && union.getTypes().includes(type))
  )
}

/**
 * The object types whose fields subgraphs give without knowing the types. There every type demands what any
 * of them does, which this model does not know.
 */
function typesOfInterfaceObjects(supergraphSdl: string): ReadonlySet<string> {
  const { definitions } = parse(supergraphSdl)
  const interfaces = new Set(
    definitions.flatMap((node) =>
      node.kind === Kind.INTERFACE_TYPE_DEFINITION && print(node).includes('isInterfaceObject: true')
        ? node.name.value
        : [],
    ),
  )
  return new Set(
    definitions.flatMap((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION &&
      node.interfaces?.some(({ name }) => interfaces.has(name.value))
        ? node.name.value
        : [],
    ),
  )
}

function directive(name: string, args: string): ConstDirectiveNode {
  const [definition] = parse(`scalar X @${name}${args === '' ? '' : `(${args})`}`).definitions
  if (definition?.kind !== Kind.SCALAR_TYPE_DEFINITION || definition.directives?.[0] === undefined)
    throw new Error(`${name} is no directive`)
  return definition.directives[0]
}

/** All names in the arguments `key` or `requires` of join directives. */
function namesIn(supergraphSdl: string, argument: 'key' | 'requires'): ReadonlySet<string> {
  const names = new Set<string>()
  visit(parse(supergraphSdl), {
    Argument({ name, value }) {
      if (name.value !== argument || value.kind !== Kind.STRING) return
      for (const word of value.value.match(/[_A-Za-z]\w*/g) ?? []) names.add(word)
    },
  })
  return names
}

const isDenied = (protection: Protection, holder: Holder, names: readonly string[]): boolean =>
  names.some((name) => protection.get(name)?.lets(holder) === false)

/** Makes the fields of a world's object types throw if the holder may not see them. */
export function guard(world: GraphQLSchema, protection: Protection, holder: Holder): void {
  for (const type of Object.values(world.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const names = [type.name, `${type.name}.${field.name}`, getNamedType(field.type).name]
      if (!isDenied(protection, holder, names)) continue
      const denied: GraphQLFieldResolver<unknown, unknown> = () => {
        throw new Error('UNAUTHORIZED_FIELD_OR_TYPE')
      }
      field.resolve = denied
    }
  }
}

/** Protected fields that a document for a subgraph asks for, but for those that keys have. */
export function fetchedInSpite(
  document: string,
  world: GraphQLSchema,
  { protection, holder, keys }: { protection: Protection; holder: Holder; keys: ReadonlySet<string> },
): readonly string[] {
  const found: string[] = []
  const parsed = parse(document)
  const walk = (set: SelectionSetNode, parent: string): void => {
    const type = world.getType(parent)
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) continue
      if (node.kind === Kind.INLINE_FRAGMENT) {
        walk(node.selectionSet, node.typeCondition?.name.value ?? parent)
        continue
      }
      const name = node.name.value
      if (!isObjectType(type) && !isInterfaceType(type)) {
        if (node.selectionSet !== undefined) walk(node.selectionSet, '')
        continue
      }
      const owners = isObjectType(type) ? [type] : world.getPossibleTypes(type)
      for (const owner of owners) {
        const field = owner.getFields()[name]
        if (field === undefined || keys.has(name)) continue
        const names = [owner.name, `${owner.name}.${name}`, getNamedType(field.type).name]
        if (isDenied(protection, holder, names)) found.push(`${owner.name}.${name}`)
      }
      const below = type.getFields()[name]?.type
      const named = below === undefined ? undefined : getNamedType(below)
      if (node.selectionSet !== undefined)
        walk(node.selectionSet, named === undefined || isLeafType(named) ? '' : named.name)
    }
  }
  for (const definition of parsed.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      walk(definition.selectionSet, definition.typeCondition.name.value)
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    walk(definition.selectionSet, world.getRootType(definition.operation)?.name ?? '')
  }
  return found
}

/** Names of the fields that keys of a supergraph have. */
export const keyNames = (supergraphSdl: string): ReadonlySet<string> => namesIn(supergraphSdl, 'key')
