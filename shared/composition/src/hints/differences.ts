/**
 * What subgraphs say differently of one thing, where that composes and is still a surprise: a type that clients see less
 * exactly, an argument, an input field or a value that is left out, a default that is not published.
 *
 * Only what is certain is told: every hint is about definitions that are merged whatever clients ask.
 */
import { Kind, print } from 'graphql'
import type { FieldDefinitionNode, InputValueDefinitionNode, StringValueNode, TypeNode } from 'graphql'
import type { CompositionHint, SdlLocation } from '../composition-result.ts'
import { isTypeNode } from '../locations/definitions.ts'
import { at, type Located, tidy } from '../locations/place.ts'
import { firstName, names, typeReferences } from '../locations/rule.ts'
import { isExternal, isInterfaceObject, type SubgraphType } from '../subgraph.ts'
import { baseName, narrowest, readSubtypes, type Subtypes, widest } from '../type-references.ts'

type TypeIn = { readonly one: Located; readonly type: SubgraphType }
type FieldIn = TypeIn & { readonly field: FieldDefinitionNode }

export function differenceHints(located: readonly Located[]): readonly CompositionHint[] {
  const shared = sharedTypes(located)
  const subtypes = readSubtypes(located.map(({ subgraph }) => subgraph))
  const inputEnums = enumsOfInputsOnly(located)
  const described = new Map(located.map((one) => [one, readDescriptions(one)]))
  const hints: CompositionHint[] = []
  const descriptions: CompositionHint[] = []
  for (const [name, types] of shared) {
    const kinds = new Set(types.map(({ type }) => type.kind))
    if (kinds.size > 1) continue
    descriptions.push(
      ...describedDifferently(
        name,
        types.map(({ one }) => one),
        types.map(({ one }) => described.get(one)?.get(name)),
      ),
    )
    if (kinds.has(Kind.INPUT_OBJECT_TYPE_DEFINITION)) hints.push(...inputFields(name, types, subtypes))
    if (kinds.has(Kind.ENUM_TYPE_DEFINITION) && inputEnums.has(name)) hints.push(...inputValues(name, types))
    for (const [field, fields] of sharedFields(types)) {
      const place = `${name}.${field}`
      hints.push(...fieldTypes(place, fields, subtypes), ...fieldArguments(place, fields, subtypes))
      descriptions.push(
        ...describedDifferently(
          place,
          fields.map(({ one }) => one),
          fields.map((found) => found.field.description),
        ),
      )
    }
  }
  // Descriptions differ often and matter least: they come last, where a long list is cut.
  return [...hints, ...descriptions]
}

function sharedTypes(located: readonly Located[]): ReadonlyMap<string, readonly TypeIn[]> {
  const types = new Map<string, TypeIn[]>()
  for (const one of located)
    for (const type of one.subgraph.types.values()) {
      // An interface object is merged with the interface, field by field with no other.
      if (isInterfaceObject(one.subgraph, type)) continue
      const known = types.get(type.name)
      if (known === undefined) types.set(type.name, [{ one, type }])
      else known.push({ one, type })
    }
  return new Map([...types].filter(([, found]) => found.length > 1))
}

function sharedFields(types: readonly TypeIn[]): ReadonlyMap<string, readonly FieldIn[]> {
  const fields = new Map<string, FieldIn[]>()
  for (const { one, type } of types)
    for (const field of type.fields.values()) {
      if (isExternal(one.subgraph, type, field)) continue
      const known = fields.get(field.name.value)
      if (known === undefined) fields.set(field.name.value, [{ one, type, field }])
      else known.push({ one, type, field })
    }
  return new Map([...fields].filter(([, found]) => found.length > 1))
}

function fieldTypes(
  place: string,
  fields: readonly FieldIn[],
  subtypes: Subtypes,
): readonly CompositionHint[] {
  const types = fields.map(({ field }) => field.type)
  const published = differ(types) ? widest(types, subtypes) : null
  if (published === null) return []
  return [
    hint(
      'INCONSISTENT_BUT_COMPATIBLE_FIELD_TYPE',
      `Field "${place}" has different types that fit; clients see "${print(published)}".`,
      typeReferences(
        fields.map(({ one }) => one),
        place,
      ),
    ),
  ]
}

function fieldArguments(
  place: string,
  fields: readonly FieldIn[],
  subtypes: Subtypes,
): readonly CompositionHint[] {
  const known = new Set(fields.flatMap(({ field }) => (field.arguments ?? []).map(({ name }) => name.value)))
  const subgraphs = fields.map(({ one }) => one)
  return [...known].flatMap((name): readonly CompositionHint[] => {
    const argument = `${place}(${name}:)`
    const having = fields.flatMap(({ one, field }) => {
      const node = field.arguments?.find((given) => given.name.value === name)
      return node === undefined ? [] : [{ one, node }]
    })
    if (having.length < fields.length) {
      const lacking = subgraphs.filter((one) => !having.some((found) => found.one === one))
      if (having.some(({ node }) => isRequired(node))) return []
      return [
        hint(
          'INCONSISTENT_ARGUMENT_PRESENCE',
          `Argument "${argument}" is left out of the graph, as not all the subgraphs that resolve "${place}" have it.`,
          [
            ...names(
              having.map(({ one }) => one),
              argument,
              () => 'declared here',
            ),
            ...firstName(lacking, place, `no argument "${name}" here`),
          ],
        ),
      ]
    }
    const nodes = having.map(({ node }) => node)
    return [...inputTypes(argument, nodes, subgraphs, subtypes), ...defaultPresence(argument, having)]
  })
}

function inputTypes(
  place: string,
  nodes: readonly InputValueDefinitionNode[],
  subgraphs: readonly Located[],
  subtypes: Subtypes,
): readonly CompositionHint[] {
  const types = nodes.map(({ type }) => type)
  const published = differ(types) ? narrowest(types, subtypes) : null
  if (published === null) return []
  return [
    hint(
      'INCONSISTENT_BUT_COMPATIBLE_ARGUMENT_TYPE',
      `"${place}" has different types that fit; clients see "${print(published)}".`,
      typeReferences(subgraphs, place),
    ),
  ]
}

function defaultPresence(
  place: string,
  having: readonly { readonly one: Located; readonly node: InputValueDefinitionNode }[],
): readonly CompositionHint[] {
  const defaults = having.filter(({ node }) => node.defaultValue !== undefined)
  if (defaults.length === 0 || defaults.length === having.length) return []
  return [
    hint(
      'INCONSISTENT_DEFAULT_VALUE_PRESENCE',
      `Argument "${place}" has a default in some subgraphs only. Clients see none; each subgraph fills in its own.`,
      having.flatMap(({ one, node }) =>
        node.defaultValue === undefined
          ? at(one, node.name, 'no default here')
          : at(one, node.defaultValue, `${print(node.defaultValue)} here`),
      ),
    ),
  ]
}

function inputFields(name: string, types: readonly TypeIn[], subtypes: Subtypes): readonly CompositionHint[] {
  const known = new Set(types.flatMap(({ type }) => [...type.inputFields.keys()]))
  return [...known].flatMap((field): readonly CompositionHint[] => {
    const having = types.filter(({ type }) => type.inputFields.has(field))
    const nodes = having.flatMap(({ type }) => type.inputFields.get(field) ?? [])
    const place = `${name}.${field}`
    if (having.length === types.length)
      return inputTypes(
        place,
        nodes,
        types.map(({ one }) => one),
        subtypes,
      )
    if (nodes.some(isRequired)) return []
    return [
      hint(
        'INCONSISTENT_INPUT_OBJECT_FIELD',
        `Input field "${place}" is left out of the graph, as not all the subgraphs that define "${name}" have it.`,
        [
          ...names(
            having.map(({ one }) => one),
            place,
            () => 'declared here',
          ),
          ...firstName(
            types.filter((found) => !having.includes(found)).map(({ one }) => one),
            name,
            `no field "${field}" here`,
          ),
        ],
      ),
    ]
  })
}

function inputValues(name: string, types: readonly TypeIn[]): readonly CompositionHint[] {
  const values = types.map(({ one }) => ({ one, values: valuesOf(one, name) }))
  const all = new Set(values.flatMap((found) => [...found.values]))
  return [...all]
    .filter((value) => values.some((found) => !found.values.has(value)))
    .map((value) =>
      hint(
        'INCONSISTENT_ENUM_VALUE_FOR_INPUT_ENUM',
        `Value "${value}" is left out of the input enum "${name}", as not all the subgraphs that define "${name}" have it.`,
        [
          ...names(
            values.filter((found) => found.values.has(value)).map(({ one }) => one),
            `${name}.${value}`,
            () => 'defined here',
          ),
          ...firstName(
            values.filter((found) => !found.values.has(value)).map(({ one }) => one),
            name,
            `no value "${value}" here`,
          ),
        ],
      ),
    )
}

function valuesOf({ subgraph }: Located, name: string): ReadonlySet<string> {
  return new Set(
    subgraph.document.definitions.flatMap((node) =>
      (node.kind === Kind.ENUM_TYPE_DEFINITION || node.kind === Kind.ENUM_TYPE_EXTENSION) &&
      node.name.value === name
        ? (node.values ?? []).map((value) => value.name.value)
        : [],
    ),
  )
}

/** Enums that arguments and input fields have as their type, and no field that is resolved. */
function enumsOfInputsOnly(located: readonly Located[]): ReadonlySet<string> {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  for (const { subgraph } of located)
    for (const type of subgraph.types.values()) {
      for (const field of type.inputFields.values()) inputs.add(baseName(field.type))
      for (const field of type.fields.values()) {
        outputs.add(baseName(field.type))
        for (const argument of field.arguments ?? []) inputs.add(baseName(argument.type))
      }
    }
  return new Set([...inputs].filter((name) => !outputs.has(name)))
}

/** Of each type that has one, the first. */
function readDescriptions({ subgraph }: Located): ReadonlyMap<string, StringValueNode> {
  const descriptions = new Map<string, StringValueNode>()
  for (const node of subgraph.document.definitions) {
    if (!isTypeNode(node) || !('description' in node) || node.description === undefined) continue
    if (!descriptions.has(node.name.value)) descriptions.set(node.name.value, node.description)
  }
  return descriptions
}

/** `descriptions`: in the order of the subgraphs. */
function describedDifferently(
  place: string,
  subgraphs: readonly Located[],
  descriptions: readonly (StringValueNode | undefined)[],
): readonly CompositionHint[] {
  const texts = new Set(descriptions.map((node) => node?.value.trim() ?? '').filter((text) => text !== ''))
  if (texts.size < 2) return []
  return [
    hint(
      'INCONSISTENT_DESCRIPTION',
      `"${place}" has different descriptions; clients see one of them.`,
      descriptions.flatMap((node, index) => {
        const one = subgraphs[index]
        return one === undefined ? [] : at(one, node)
      }),
    ),
  ]
}

function differ([first, ...others]: readonly TypeNode[]): boolean {
  return first !== undefined && others.some((other) => !isSame(first, other))
}

function isSame(a: TypeNode, b: TypeNode): boolean {
  if (a.kind === Kind.NAMED_TYPE || b.kind === Kind.NAMED_TYPE)
    return a.kind === Kind.NAMED_TYPE && b.kind === Kind.NAMED_TYPE && a.name.value === b.name.value
  return a.kind === b.kind && isSame(a.type, b.type)
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined
}

function hint(code: string, message: string, places: readonly SdlLocation[]): CompositionHint {
  const locations = tidy(places)
  return {
    code,
    message,
    subgraphs: [...new Set(locations.map(({ subgraph }) => subgraph))].sort(),
    locations,
  }
}
