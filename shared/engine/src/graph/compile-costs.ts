/**
 * Reads what fields and values cost: `@cost` and `@listSize`, as composition wrote them into the supergraph
 * (https://specs.apollo.dev/cost/v0.1, after the cost directives of IBM,
 * https://ibm.github.io/graphql-specs/cost-spec.html).
 */
import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type InputValueDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import type {
  ArgumentCost,
  CompiledCosts,
  FieldCost,
  InputFieldCost,
  ListSize,
} from './compiled/compiled-graph.ts'
import { argumentOf, directivesOf, flagArgument, type NodeWithDirectives } from './header/directives.ts'
import type { SupergraphHeader } from './header/header.ts'
import { nameOfType } from './compiled/named-type.ts'

/** Compiles the cost directives of a supergraph. Returns null if it applies none. */
export function compileCosts(header: SupergraphHeader): CompiledCosts | null {
  const { cost, listSize } = header.names.costDirectives
  if (cost === null && listSize === null) return null
  const compiler = new CostCompiler(header, cost, listSize)
  const { types, fields, inputs } = compiler
  return types.size + fields.size + inputs.size === 0 ? null : { types, fields, inputs }
}

/** The greatest weight and size: products of them stay finite numbers. */
const MOST = 1e100

type TypeWithFields = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode

class CostCompiler {
  readonly types = new Map<string, number>()
  readonly fields = new Map<string, FieldCost>()
  readonly inputs: ReadonlyMap<string, ReadonlyMap<string, InputFieldCost>>
  readonly #definitions: SupergraphHeader['definitions']
  readonly #cost: string | null
  readonly #listSize: string | null

  constructor({ definitions }: SupergraphHeader, cost: string | null, listSize: string | null) {
    this.#definitions = definitions
    this.#cost = cost
    this.#listSize = listSize
    this.inputs = this.#readInputs(definitions)
    for (const [type, definition] of definitions) {
      const weight = this.#weightOf(definition)
      if (weight !== null) this.types.set(type, weight)
      if (
        definition.kind !== Kind.OBJECT_TYPE_DEFINITION &&
        definition.kind !== Kind.INTERFACE_TYPE_DEFINITION
      )
        continue
      for (const field of definition.fields ?? []) {
        const list = this.#listSizeOf(field) ?? this.#inheritedListSize(definition, field.name.value)
        const args = this.#argumentsOf(field.arguments ?? [], list?.slicing ?? [])
        const own = this.#weightOf(field)
        if (own !== null || list !== null || args.size > 0)
          this.fields.set(`${type}.${field.name.value}`, { weight: own, list, args })
      }
    }
  }

  /** Input types within whose values something costs: by a field of theirs, or of an input type below. */
  #readInputs(definitions: SupergraphHeader['definitions']) {
    const all = new Map(
      [...definitions].flatMap(([name, definition]) =>
        definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
          ? [[name, definition.fields ?? []] as const]
          : [],
      ),
    )
    const costly = new Set<string>()
    for (let grew = true; grew; ) {
      grew = false
      for (const [name, fields] of all) {
        if (costly.has(name)) continue
        if (!fields.some((field) => this.#weightOf(field) !== null || costly.has(nameOfType(field.type))))
          continue
        costly.add(name)
        grew = true
      }
    }
    return new Map(
      [...costly].map((name) => {
        const fields = (all.get(name) ?? []).flatMap((field) => {
          const weight = this.#weightOf(field) ?? 0
          const below = nameOfType(field.type)
          const input = costly.has(below) ? below : null
          return weight === 0 && input === null ? [] : [[field.name.value, { weight, input }] as const]
        })
        return [name, new Map<string, InputFieldCost>(fields)] as const
      }),
    )
  }

  #argumentsOf(
    definitions: readonly InputValueDefinitionNode[],
    slicing: readonly string[],
  ): ReadonlyMap<string, ArgumentCost> {
    return new Map(
      definitions.flatMap((definition) => {
        const name = definition.name.value
        const weight = this.#weightOf(definition) ?? 0
        const type = nameOfType(definition.type)
        const input = this.inputs.has(type) ? type : null
        if (weight === 0 && input === null && !slicing.includes(name)) return []
        const { defaultValue } = definition
        const absent: unknown = defaultValue === undefined ? undefined : valueFromASTUntyped(defaultValue)
        return [[name, { weight, input, absent }] as const]
      }),
    )
  }

  /**
   * A weight below zero counts as zero: clients choose how many items there are of it, and could pay for
   * anything with them.
   */
  #weightOf(node: NodeWithDirectives): number | null {
    const [applied] = this.#cost === null ? [] : directivesOf(node, this.#cost)
    const weight = applied === undefined ? null : numberOf(argumentOf(applied, 'weight'))
    return weight === null ? null : Math.min(MOST, Math.max(0, weight))
  }

  /** Returns the list size that a type's interfaces state for a field, where the type itself states none. */
  #inheritedListSize({ interfaces = [] }: TypeWithFields, name: string): ListSize | null {
    for (const {
      name: { value },
    } of interfaces) {
      const definition = this.#definitions.get(value)
      if (definition?.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue
      const field = definition.fields?.find((each) => each.name.value === name)
      const list = field === undefined ? null : this.#listSizeOf(field)
      if (list !== null) return list
    }
    return null
  }

  #listSizeOf(node: NodeWithDirectives): ListSize | null {
    const [applied] = this.#listSize === null ? [] : directivesOf(node, this.#listSize)
    if (applied === undefined) return null
    const slicing = textsOf(applied, 'slicingArguments')
    const assumed = numberOf(argumentOf(applied, 'assumedSize'))
    return {
      assumed: assumed === null ? null : Math.min(MOST, Math.max(0, assumed)),
      slicing,
      sized: textsOf(applied, 'sizedFields'),
      needsOneSlicing: slicing.length > 0 && flagArgument(applied, 'requireOneSlicingArgument', true),
    }
  }
}

/**
 * Returns the number in an argument, which IBM writes as a string and Federation as a number. Returns null if
 * the argument is neither.
 */
function numberOf(value: ConstValueNode | undefined): number | null {
  if (value?.kind !== Kind.INT && value?.kind !== Kind.FLOAT && value?.kind !== Kind.STRING) return null
  const number = Number(value.value)
  return Number.isFinite(number) ? number : null
}

function textsOf(applied: ConstDirectiveNode, name: string): readonly string[] {
  const value = argumentOf(applied, name)
  const items = value?.kind === Kind.LIST ? value.values : value === undefined ? [] : [value]
  return items.flatMap((item) => (item.kind === Kind.STRING ? [item.value] : []))
}
