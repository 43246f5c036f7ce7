/**
 * The facts that a supergraph states, as sorted lines, whatever way the composer chose to write it down.
 *
 * `T.f @a` means: subgraph a resolves T.f, be it said by a `join__field` or by there being none. Selections
 * are printed with their members sorted; `type:` is told only where it differs from the type of the
 * supergraph.
 */
import { isTypeDefinitionNode, Kind, parse, print } from 'graphql'
import type {
  ConstDirectiveNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  SelectionSetNode,
  StringValueNode,
  TypeDefinitionNode,
} from 'graphql'

const MACHINERY = /^(?:join|link|core)__/

export function readFacts(supergraphSdl: string): readonly string[] {
  const document = parse(supergraphSdl, { noLocation: true })
  const facts = new Set<string>()
  const graphs = new Map<string, string>()
  for (const node of document.definitions)
    if (node.kind === Kind.ENUM_TYPE_DEFINITION && node.name.value === 'join__Graph')
      for (const value of node.values ?? [])
        for (const join of named(value.directives, 'join__graph'))
          graphs.set(value.name.value, text(join, 'name') ?? '')
  const graphOf = (join: ConstDirectiveNode) => {
    const graph = text(join, 'graph')
    return graph === null ? null : (graphs.get(graph) ?? `unknown ${graph}`)
  }
  for (const node of document.definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) {
      if (!MACHINERY.test(node.name.value) && !['link', 'core'].includes(node.name.value))
        facts.add(
          print({
            ...node,
            description: undefined,
            locations: [...node.locations].sort((a, b) => (a.value < b.value ? -1 : 1)),
          }).replaceAll(/\s+/g, ' '),
        )
      continue
    }
    if (!('name' in node) || node.name === undefined || MACHINERY.test(node.name.value)) continue
    if (isTypeDefinitionNode(node)) addType(facts, node, graphOf)
  }
  return [...facts].sort()
}

type GraphOf = (join: ConstDirectiveNode) => string | null

function addType(facts: Set<string>, node: TypeDefinitionNode, graphOf: GraphOf): void {
  const type = node.name.value
  facts.add(`${type} ${node.kind.replace('TypeDefinition', '').toLowerCase()}`)
  describe(facts, type, node)
  const present = new Set<string>()
  for (const join of named(node.directives, 'join__type')) {
    const graph = graphOf(join)
    if (graph === null) continue
    present.add(graph)
    facts.add(`${type} @${graph}`)
    const key = text(join, 'key')
    if (key !== null)
      facts.add(
        `${type} @${graph} key(${printedSelection(key)})${text(join, 'resolvable') === 'false' ? ' unresolvable' : ''}`,
      )
    if (text(join, 'isInterfaceObject') === 'true') facts.add(`${type} @${graph} interfaceObject`)
  }
  if ('interfaces' in node) {
    for (const one of node.interfaces ?? []) facts.add(`${type} implements ${one.name.value}`)
    for (const join of named(node.directives, 'join__implements'))
      facts.add(`${type} @${graphOf(join)} implements ${text(join, 'interface')}`)
  }
  if (node.kind === Kind.UNION_TYPE_DEFINITION) {
    for (const one of node.types ?? []) facts.add(`${type} member ${one.name.value}`)
    const joins = named(node.directives, 'join__unionMember')
    for (const join of joins) facts.add(`${type} @${graphOf(join)} member ${text(join, 'member')}`)
    if (joins.length === 0)
      for (const one of node.types ?? [])
        for (const graph of present) facts.add(`${type} @${graph} member ${one.name.value}`)
  }
  if (node.kind === Kind.ENUM_TYPE_DEFINITION) {
    for (const value of node.values ?? []) {
      const place = `${type}.${value.name.value}`
      describe(facts, place, value)
      const joins = named(value.directives, 'join__enumValue')
      for (const graph of joins.length === 0 ? present : joins.map(graphOf)) facts.add(`${place} @${graph}`)
    }
  }
  if ('fields' in node) for (const field of node.fields ?? []) addField(facts, type, field, present, graphOf)
}

function addField(
  facts: Set<string>,
  type: string,
  field: FieldDefinitionNode | InputValueDefinitionNode,
  present: ReadonlySet<string>,
  graphOf: GraphOf,
): void {
  const place = `${type}.${field.name.value}`
  const own = print(field.type)
  const initial =
    'defaultValue' in field && field.defaultValue !== undefined ? ` = ${print(field.defaultValue)}` : ''
  facts.add(`${place}: ${own}${initial}`)
  describe(facts, place, field)
  if ('arguments' in field) {
    for (const one of field.arguments ?? []) {
      const value = one.defaultValue === undefined ? '' : ` = ${print(one.defaultValue)}`
      facts.add(`${place}(${one.name.value}: ${print(one.type)}${value})`)
      describe(facts, `${place}(${one.name.value}:)`, one)
    }
  }
  const joins = named(field.directives, 'join__field')
  if (joins.length === 0) for (const graph of present) facts.add(`${place} @${graph}`)
  for (const join of joins) {
    const graph = graphOf(join)
    if (graph === null) {
      facts.add(`${place} bare`)
      continue
    }
    const words = [`${place} @${graph}`]
    if (text(join, 'external') === 'true') words.push('external')
    for (const name of ['requires', 'provides']) {
      const value = text(join, name)
      if (value !== null) words.push(`${name}(${printedSelection(value)})`)
    }
    const given = text(join, 'type')
    if (given !== null && given !== own) words.push(`type(${given})`)
    if (text(join, 'override') !== null) words.push(`override(${text(join, 'override')})`)
    if (text(join, 'overrideLabel') !== null) words.push(`label(${text(join, 'overrideLabel')})`)
    if (text(join, 'usedOverridden') === 'true') words.push('usedOverridden')
    facts.add(words.join(' '))
  }
}

function describe(
  facts: Set<string>,
  place: string,
  node: {
    readonly description?: StringValueNode | undefined
    readonly directives?: readonly ConstDirectiveNode[] | undefined
  },
): void {
  if (node.description !== undefined) facts.add(`${place} "${node.description.value}"`)
  for (const directive of node.directives ?? []) {
    if (MACHINERY.test(directive.name.value)) continue
    const sorted = [...(directive.arguments ?? [])].sort((a, b) => (a.name.value < b.name.value ? -1 : 1))
    facts.add(`${place} ${print({ ...directive, arguments: sorted })}`)
  }
}

function named(
  directives: readonly ConstDirectiveNode[] | undefined,
  name: string,
): readonly ConstDirectiveNode[] {
  return (directives ?? []).filter((directive) => directive.name.value === name)
}

function text(directive: ConstDirectiveNode, name: string): string | null {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value
  if (value?.kind === Kind.BOOLEAN) return String(value.value)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null
}

export function printedSelection(fields: string): string {
  const [operation] = parse(`{ ${fields.trim().startsWith('{') ? fields.trim().slice(1, -1) : fields} }`, {
    noLocation: true,
  }).definitions
  return operation?.kind === Kind.OPERATION_DEFINITION ? printSelection(operation.selectionSet) : fields
}

function printSelection(set: SelectionSetNode): string {
  return set.selections
    .map((node) => {
      if (!('selectionSet' in node) || node.selectionSet === undefined) return print(node)
      return `${print({ ...node, selectionSet: { kind: Kind.SELECTION_SET, selections: [] } })
        .replace(/\s*\{\s*\}$/, '')
        .trim()} { ${printSelection(node.selectionSet)} }`
    })
    .sort()
    .join(' ')
}
