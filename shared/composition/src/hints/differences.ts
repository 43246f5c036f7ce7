/**
 * Hints about definitions that differ between subgraphs, where the difference composes but may be a surprise:
 * a type that clients see less exactly, an argument, an input field or a value that is left out, a default
 * that is not published.
 *
 * Hints report only what is certain: each is about definitions that are merged whatever clients ask.
 */
import { Kind, print } from 'graphql'
import type { InputValueDefinitionNode, TypeNode } from 'graphql'
import type { CompositionHint } from '../contract/composition-result.ts'
import { at, type Located } from '../locations/place.ts'
import { firstName, names, typeReferences } from '../locations/rule.ts'
import { baseName, narrowest, readSubtypes, type Subtypes, widest } from '../subgraph/type-references.ts'
import { hint } from './hint.ts'
import type { FieldIn, SharedDefinition, TypeIn } from './shared-definitions.ts'

/** Hints about definitions that differ between subgraphs and compose all the same. */
export function differenceHints(
  located: readonly Located[],
  shared: readonly SharedDefinition[],
): readonly CompositionHint[] {
  const subtypes = readSubtypes(located.map(({ subgraph }) => subgraph))
  const inputEnums = enumsOfInputsOnly(located)
  const hints: CompositionHint[] = []
  for (const { name, kind, types, fields: sharedOnes } of shared) {
    if (kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) hints.push(...inputFields(name, types, subtypes))
    if (kind === Kind.ENUM_TYPE_DEFINITION && inputEnums.has(name)) hints.push(...inputValues(name, types))
    for (const [field, fields] of sharedOnes) {
      const place = `${name}.${field}`
      hints.push(...fieldTypes(place, fields, subtypes), ...fieldArguments(place, fields, subtypes))
    }
  }
  return hints
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
