/** Changes of keys, requirements and provisions. */
import type { Random } from '@switchyard/samples'
import { Kind, type DocumentNode } from 'graphql'
import { changeNode, inputOf, valueOf, withArgument, withDirective, type Change } from './nodes.ts'

const SELECTING = ['key', 'requires', 'provides']

/** Every change of this file, by a name that says what is done. */
export const SELECTION_CHANGES: Readonly<Record<string, Change>> = {
  'another selection': (document, random) =>
    changeSelection(document, random, `"${random.pick(selectionsOf(document))}"`),
  'a selection more': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.DIRECTIVE],
      (node) => {
        const fields = node.arguments?.find(({ name }) => name.value === 'fields')?.value
        const text = fields?.kind === Kind.STRING ? fields.value : ''
        const value = JSON.stringify(`${text} ${random.pick(selectionsOf(document))}`)
        return withArgument(node, 'fields', valueOf(value))
      },
      isSelecting,
    ),
  'a selection that is wrong': (document, random) =>
    changeSelection(
      document,
      random,
      random.pick([
        '"nope"',
        '"id nope"',
        '"id {"',
        '""',
        '"id @planted"',
        '"id @include(if: true)"',
        'id',
        '1',
        '"... on Nowhere { id }"',
        '"id: id"',
        '"__typename id"',
      ]),
    ),
  'a key more': (document, random) =>
    changeNode(document, random, [Kind.OBJECT_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION], (node) =>
      withDirective(node, `@key(fields: "${random.pick(selectionsOf(document))}")`),
    ),
  'a key of the own fields': (document, random) =>
    changeNode(document, random, [Kind.OBJECT_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION], (node) => {
      const names = (node.fields ?? []).map(({ name }) => name.value)
      return withDirective(node, `@key(fields: "${names.length === 0 ? 'id' : random.pick(names)}")`)
    }),
  'a requirement': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) =>
      withDirective(node, `@requires(fields: "${random.pick(selectionsOf(document))}")`),
    ),
  'a provision': (document, random) =>
    changeNode(document, random, [Kind.FIELD_DEFINITION], (node) =>
      withDirective(node, `@provides(fields: "${random.pick(selectionsOf(document))}")`),
    ),
  'an argument of a field called id': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.FIELD_DEFINITION],
      (node) => ({ ...node, arguments: [inputOf('planted: Int')] }),
      ({ name }) => ['id', 'x', 'sku'].includes(name.value),
    ),
  'a requirement or provision less': (document, random) =>
    changeNode(
      document,
      random,
      [Kind.DIRECTIVE],
      () => null,
      ({ name }) => name.value === 'requires' || name.value === 'provides',
    ),
}

function changeSelection(document: DocumentNode, random: Random, value: string): DocumentNode {
  return changeNode(
    document,
    random,
    [Kind.DIRECTIVE],
    (node) => withArgument(node, 'fields', valueOf(value)),
    isSelecting,
  )
}

function isSelecting({ name }: { readonly name: { readonly value: string } }): boolean {
  return SELECTING.includes(name.value)
}

/** Selections of fields that the document has: names, and names with a field below. */
function selectionsOf(document: DocumentNode): readonly string[] {
  const names = document.definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (node.fields ?? []).map(({ name }) => name.value)
      : [],
  )
  if (names.length === 0) return ['id']
  return [...names, ...names.map((name, index) => `${name} { ${names.at(index - 1) ?? name} }`)]
}
