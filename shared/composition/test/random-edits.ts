/** Random changes of schemas, as authors make them in the course of years. */
import type { SubgraphInput } from '@switchyard/composition'
import type { Random } from '@switchyard/samples'
import {
  Kind,
  parse,
  print,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
} from 'graphql'

type Fields = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode
type Edit = (document: DocumentNode, random: Random) => DocumentNode

const DIRECTIVES = [
  '@shareable',
  '@inaccessible',
  '@tag(name: "a")',
  '@deprecated(reason: "old")',
  '@external',
  '@authenticated',
]
const TYPES = ['String', 'Int!', 'ID', '[String!]', 'Added0', '[Added1]', 'Added2!', 'Missing']

/** A graph after one change: one subgraph is edited, added, removed, replaced, or taken from elsewhere. */
export function editGraph(
  subgraphs: readonly SubgraphInput[],
  others: readonly (readonly SubgraphInput[])[],
  random: Random,
): readonly SubgraphInput[] {
  const index = random.below(subgraphs.length)
  const chosen = subgraphs[index]
  if (chosen === undefined) return random.pick(others)
  const at = (replaced: readonly SubgraphInput[]) => subgraphs.toSpliced(index, 1, ...replaced)
  const draw = random.below(100)
  if (draw < 4 && subgraphs.length > 1) return at([])
  if (draw < 8) return addOne(subgraphs, random.pick(random.pick(others)))
  if (draw < 12) return at([{ ...chosen, name: `${chosen.name}-next`, baseName: chosen.name }])
  if (draw < 15) return subgraphs.map((one) => ({ ...one, sdl: print(parse(one.sdl)) }))
  if (draw < 18) return at([{ ...chosen, sdl: `# a comment\n${chosen.sdl}` }])
  return at([{ ...chosen, sdl: editSchema(chosen.sdl, random) }])
}

function addOne(subgraphs: readonly SubgraphInput[], added: SubgraphInput): readonly SubgraphInput[] {
  return subgraphs.some(({ name }) => name === added.name) ? subgraphs : [added, ...subgraphs]
}

function editSchema(sdl: string, random: Random): string {
  return print(random.pick(EDITS)(parse(sdl), random))
}

const EDITS: readonly Edit[] = [
  (document, random) =>
    changeFields(document, random, (fields) => [
      ...fields,
      fieldOf(`added${random.below(3)}: ${random.pick(TYPES)}`),
    ]),
  (document, random) =>
    changeFields(document, random, (fields) => fields.toSpliced(random.below(fields.length), 1)),
  (document, random) =>
    changeField(document, random, (field) => fieldOf(`${field.name.value}: ${random.pick(TYPES)}`)),
  (document, random) =>
    changeField(document, random, (field) => fieldOf(`${print(field)} ${random.pick(DIRECTIVES)}`)),
  (document, random) => changeField(document, random, (field) => ({ ...field, directives: [] })),
  (document, random) =>
    changeField(document, random, (field) => ({
      ...field,
      arguments: fieldOf('x(added: Int = 1): Int').arguments,
    })),
  // Whoever requires, provides, takes over or implements reads what stands elsewhere.
  (document, random) =>
    changeField(document, random, (field) =>
      fieldOf(`${print(field)} @requires(fields: "${random.pick(selectionsIn(document))}")`),
    ),
  (document, random) =>
    changeField(document, random, (field) =>
      fieldOf(`${print(field)} @provides(fields: "${random.pick(selectionsIn(document))}")`),
    ),
  (document, random) =>
    changeField(document, random, (field) =>
      fieldOf(`${print(field)} @override(from: "${random.pick(['a', 'b', 'c'])}")`),
    ),
  (document, random) =>
    changeType(document, random, (type) => ({
      ...type,
      directives: [...(type.directives ?? []), keyOf(random.pick(selectionsIn(document)))],
    })),
  (document, random) =>
    changeType(document, random, (type) => ({ ...type, directives: type.directives?.slice(1) })),
  (document, random) =>
    changeType(document, random, (type) => ({ ...type, interfaces: type.interfaces?.slice(1) })),
  (document, random) => {
    const text = print(document)
    const version = random.pick(['v2.0', 'v2.3', 'v2.9'])
    return parse(text.replace(/(federation\/)v2\.\d+/, `$1${version}`))
  },
  // Several at once, so that names come and go in different orders.
  (document, random) => withTypes(document, random),
  (document, random) => withTypes(document, random),
  (document, random) => withDefinition(document, `enum Added${random.below(3)} { ONE TWO }`),
  (document) => withDefinition(document, 'directive @added on FIELD'),
  (document, random) => withoutDefinition(document, random),
  (document, random) => changeFields(document, random, (fields) => fields.toReversed()),
]

function fieldOf(text: string): FieldDefinitionNode {
  const [definition] = parse(`type T { ${text} }`).definitions
  const field = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.fields?.[0] : undefined
  if (field === undefined) throw new Error(`No field: ${text}`)
  return field
}

/** Selections of fields that a document has: half of them names, half of them with a field below. */
function selectionsIn(document: DocumentNode): readonly string[] {
  const names = document.definitions
    .filter(hasFields)
    .flatMap(({ fields = [] }) => fields.map(({ name }) => name.value))
  if (names.length === 0) return ['none']
  return [...names, ...names.map((name, index) => `${name} { ${names.at(index - 1) ?? name} }`)]
}

function keyOf(fields: string): ConstDirectiveNode {
  const [definition] = parse(`type T @key(fields: "${fields}") { x: Int }`).definitions
  const key = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.directives?.[0] : undefined
  if (key === undefined) throw new Error(`No key: ${fields}`)
  return key
}

function changeFields(
  document: DocumentNode,
  random: Random,
  change: (fields: readonly FieldDefinitionNode[]) => readonly FieldDefinitionNode[],
): DocumentNode {
  return changeType(document, random, (type) => ({ ...type, fields: change(type.fields ?? []) }))
}

function changeType(document: DocumentNode, random: Random, change: (type: Fields) => Fields): DocumentNode {
  const types = document.definitions.filter(hasFields)
  if (types.length === 0) return document
  const chosen = random.pick(types)
  return replaced(document, chosen, change(chosen))
}

function changeField(
  document: DocumentNode,
  random: Random,
  change: (field: FieldDefinitionNode) => FieldDefinitionNode,
): DocumentNode {
  return changeFields(document, random, (fields) => {
    const index = random.below(fields.length)
    const field = fields[index]
    return field === undefined ? fields : fields.toSpliced(index, 1, change(field))
  })
}

function hasFields(node: DefinitionNode): node is Fields {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
}

function replaced(document: DocumentNode, node: DefinitionNode, by: DefinitionNode): DocumentNode {
  return { ...document, definitions: document.definitions.map((one) => (one === node ? by : one)) }
}

function withDefinition(document: DocumentNode, text: string): DocumentNode {
  return { ...document, definitions: [...document.definitions, ...parse(text).definitions] }
}

function withTypes(document: DocumentNode, random: Random): DocumentNode {
  const known = new Set(
    document.definitions.flatMap((node) => ('name' in node ? (node.name?.value ?? '') : '')),
  )
  const names = ['Added0', 'Added1', 'Added2'].filter((name) => !known.has(name) && random.chance(60))
  return names.reduce(
    (all, name) =>
      withDefinition(
        all,
        `type ${name} @key(fields: "id") { id: ID! own: ${random.pick(names)} } extend type Query { at${name}: ${name} }`,
      ),
    document,
  )
}

function withoutDefinition(document: DocumentNode, random: Random): DocumentNode {
  if (document.definitions.length < 2) return document
  const index = random.below(document.definitions.length)
  return { ...document, definitions: document.definitions.toSpliced(index, 1) }
}
