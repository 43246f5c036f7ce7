/** Reads what the compiled form of a supergraph lacks: arguments, input types, scalars and enum values. */
import {
  type ASTNode,
  buildASTSchema,
  type ConstArgumentNode,
  type DefinitionNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  getArgumentValues,
  type GraphQLSchema,
  type InputObjectTypeDefinitionNode,
  type InputValueDefinitionNode,
  isObjectType,
  isInterfaceType,
  Kind,
  parse,
  parseConstValue,
  visit,
} from 'graphql'
import type { CompiledGraph } from '@switchyard/engine'
import type { EnumValuesIn } from './shapes.ts'
import type { ReadArguments } from './world.ts'

export type Definitions = {
  /** Scalars, enums and input types, as every subgraph may be given them. */
  readonly inputs: readonly DefinitionNode[]
  readonly enums: EnumValuesIn
  readonly arguments: (type: string, field: string) => readonly InputValueDefinitionNode[]
  /** Arguments that clients do not see: their defaults are a subgraph's own affair. */
  readonly isHiddenArgument: (type: string, field: string, argument: string) => boolean
  readonly readArguments: ReadArguments
}

export function readDefinitions(supergraphSdl: string, graph: CompiledGraph): Definitions {
  const known = new Set(graph.types.map(({ name }) => name))
  const inputs: DefinitionNode[] = []
  const outputs: DefinitionNode[] = []
  const fields = new Map<string, FieldDefinitionNode>()
  const enums = new Map<string, EnumTypeDefinitionNode>()
  const visible = visibleInputs(graph)
  for (const definition of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (!('name' in definition) || definition.name?.kind !== Kind.NAME) continue
    const name = definition.name.value
    if (!known.has(name)) continue
    switch (definition.kind) {
      case Kind.ENUM_TYPE_DEFINITION:
        enums.set(name, definition)
        inputs.push(bare(definition))
        break
      case Kind.SCALAR_TYPE_DEFINITION:
        inputs.push(bare(definition))
        break
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        inputs.push(withoutHidden(bare(definition), visible))
        break
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION:
        for (const field of definition.fields ?? []) fields.set(`${name}.${field.name.value}`, field)
        outputs.push(bare(definition))
        break
      case Kind.UNION_TYPE_DEFINITION:
        outputs.push(bare(definition))
        break
      default:
    }
  }
  const argumentsOf = (type: string, field: string) =>
    (fields.get(`${type}.${field}`)?.arguments ?? []).map(bare)
  let whole: GraphQLSchema | undefined
  return {
    inputs,
    enums: (name, sub) => enumValues(enums.get(name), graph.subgraphs[sub]?.enumValue ?? ''),
    arguments: argumentsOf,
    isHiddenArgument: (type, field, argument) => visible.get(`${type}.${field}`)?.has(argument) === false,
    readArguments: (type, field, text) => {
      // The type may have the field from an interface alone, as an interface object adds it.
      const owners = [type.name, ...type.interfaces.map((id) => graph.types[id]?.name ?? '')]
      const name = owners.find((owner) => argumentsOf(owner, field).length > 0)
      if (name === undefined) return {}
      whole ??= buildASTSchema(
        { kind: Kind.DOCUMENT, definitions: [...inputs, ...outputs] },
        { assumeValid: true, assumeValidSDL: true },
      )
      const owner = whole.getType(name)
      const definition = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[field] : undefined
      if (definition === undefined) return {}
      return getArgumentValues(definition, {
        kind: Kind.FIELD,
        name: { kind: Kind.NAME, value: field },
        arguments: readArgumentNodes(text),
      })
    },
  }
}

/** Returns inputs that clients may set: arguments by `Type.field`, fields of input types by their type. */
function visibleInputs({ api }: CompiledGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const visible = new Map<string, ReadonlySet<string>>()
  const names = (inputs: readonly { readonly name: string }[]) => new Set(inputs.map(({ name }) => name))
  for (const type of api.types) {
    if (type.kind === 'input') visible.set(type.name, names(type.fields))
    if (type.kind !== 'object' && type.kind !== 'interface') continue
    for (const field of type.fields) visible.set(`${type.name}.${field.name}`, names(field.args))
  }
  return visible
}

function withoutHidden(
  definition: InputObjectTypeDefinitionNode,
  visible: ReadonlyMap<string, ReadonlySet<string>>,
): InputObjectTypeDefinitionNode {
  const known = visible.get(definition.name.value)
  if (known === undefined) return definition
  return { ...definition, fields: (definition.fields ?? []).filter(({ name }) => known.has(name.value)) }
}

/** `(unit:KG,deep:true)` */
function readArgumentNodes(text: string): readonly ConstArgumentNode[] {
  if (text === '') return []
  const value = parseConstValue(`{${text.slice(1, -1)}}`)
  if (value.kind !== Kind.OBJECT) return []
  return value.fields.map((field) => ({ kind: Kind.ARGUMENT, name: field.name, value: field.value }))
}

/** Directives of the supergraph say where a thing is from, which nobody needs to know in a subgraph. */
function bare<Node extends ASTNode>(node: Node): Node {
  return visit(node, { Directive: ({ name }) => (name.value === 'oneOf' ? undefined : null) })
}

function enumValues(
  definition: EnumTypeDefinitionNode | undefined,
  enumValue: string,
): ReadonlySet<string> | null {
  if (definition === undefined) return null
  const stated = (definition.values ?? []).map((value) => ({
    name: value.name.value,
    graphs: (value.directives ?? [])
      .filter(({ name }) => /(^|__)enumValue$/.test(name.value))
      .flatMap(({ arguments: given }) => given ?? [])
      .flatMap(({ name, value: graph }) =>
        name.value === 'graph' && graph.kind === Kind.ENUM ? [graph.value] : [],
      ),
  }))
  if (stated.every(({ graphs }) => graphs.length === 0)) return null
  return new Set(stated.flatMap(({ name, graphs }) => (graphs.includes(enumValue) ? [name] : [])))
}
