/**
 * The notes a split is made from: for every type, which subgraph has it with which keys; for every field,
 * what each subgraph declares. Printing them gives the whole schema and the SDL of each subgraph.
 */

export type SubgraphId = number

/** How one subgraph declares a field. */
export type Declaration = { type: string; directives: string[]; external: boolean; extraArguments?: string }

export type Member = {
  readonly name: string
  /** The type of the field as clients see it. */
  type: string
  readonly args: string
  readonly declared: Map<SubgraphId, Declaration>
  hidden: boolean
  /** Its values come from a representation. */
  computed: boolean
}

export type Key = { readonly text: string; readonly resolvable: boolean }

export type Presence = {
  readonly keys: Key[]
  /** Names of interfaces that the type implements there. */
  readonly interfaces: Set<string>
  /** The members of a union. */
  readonly members: Set<string>
  interfaceObject: boolean
}

export type ModelType = {
  readonly name: string
  readonly kind: 'object' | 'interface' | 'union'
  readonly entity: boolean
  readonly members: Map<string, Member>
  readonly presence: Map<SubgraphId, Presence>
  readonly interfaces: Set<string>
  readonly unionMembers: string[]
  hidden: boolean
}

export type Simple = {
  readonly name: string
  /** SDL after the name, per subgraph; `whole` for the one schema. */
  readonly kind: 'enum' | 'scalar' | 'input'
  readonly whole: string
  readonly parts: Map<SubgraphId, string>
}

export type SubgraphModel = { readonly name: string; readonly federation1: boolean; readonly version: string }

export class Model {
  readonly subgraphs: SubgraphModel[] = []
  readonly types = new Map<string, ModelType>()
  readonly simple = new Map<string, Simple>()
  /** The features that occur, and how often. */
  readonly features = new Map<string, number>()

  note(feature: string): void {
    this.features.set(feature, (this.features.get(feature) ?? 0) + 1)
  }

  addType(name: string, kind: ModelType['kind'], entity = false): ModelType {
    const type: ModelType = {
      name,
      kind,
      entity,
      members: new Map(),
      presence: new Map(),
      interfaces: new Set(),
      unionMembers: [],
      hidden: false,
    }
    this.types.set(name, type)
    return type
  }

  type(name: string): ModelType {
    const type = this.types.get(name)
    if (type === undefined) throw new Error(`The model has no type ${name}`)
    return type
  }

  objects(): readonly ModelType[] {
    return [...this.types.values()].filter(({ kind, name }) => kind === 'object' && !isRoot(name))
  }
}

export function isRoot(name: string): boolean {
  return name === 'Query' || name === 'Mutation'
}

export function addMember(type: ModelType, name: string, fieldType: string, args = ''): Member {
  const member: Member = { name, type: fieldType, args, declared: new Map(), hidden: false, computed: false }
  type.members.set(name, member)
  return member
}

export function presenceIn(type: ModelType, subgraph: SubgraphId): Presence {
  const known = type.presence.get(subgraph)
  if (known !== undefined) return known
  const presence: Presence = { keys: [], interfaces: new Set(), members: new Set(), interfaceObject: false }
  type.presence.set(subgraph, presence)
  return presence
}

export function declare(member: Member, subgraph: SubgraphId, ...directives: string[]): Declaration {
  const declaration: Declaration = {
    type: member.type,
    directives,
    external: directives.includes('@external'),
  }
  member.declared.set(subgraph, declaration)
  return declaration
}

export function namedType(type: string): string {
  return type.replaceAll(/[[\]!]/g, '')
}

/** Prints the schema of the whole graph, without members, interfaces and fields that no subgraph declares. */
export function printWhole(model: Model): string {
  const parts: string[] = []
  for (const { name, kind, whole } of model.simple.values()) parts.push(`${kind} ${name}${whole}`)
  for (const type of model.types.values()) {
    if (type.presence.size === 0) continue
    const hidden = type.hidden ? ' @inaccessible' : ''
    if (type.kind === 'union') {
      const members = type.unionMembers.filter((name) => inSome(type, ({ members }) => members.has(name)))
      parts.push(`union ${type.name}${hidden} = ${members.join(' | ')}`)
      continue
    }
    const lines = [...type.members.values()]
      .filter((member) => member.declared.size > 0 || isContributed(model, type, member.name))
      .map(
        (member) =>
          `  ${member.name}${wrap(member.args)}: ${member.type}${member.hidden ? ' @inaccessible' : ''}`,
      )
    if (lines.length === 0) continue
    const keyword = type.kind === 'interface' ? 'interface' : 'type'
    const interfaces = [...type.interfaces].filter((name) =>
      inSome(type, ({ interfaces }) => interfaces.has(name)),
    )
    parts.push(`${keyword} ${type.name}${implementing(interfaces)}${hidden} {\n${lines.join('\n')}\n}`)
  }
  return parts.join('\n')
}

function inSome(type: ModelType, holds: (presence: Presence) => boolean): boolean {
  return [...type.presence.values()].some(holds)
}

/** True if a subgraph that has an interface of the type as an interface object contributes the field. */
function isContributed(model: Model, type: ModelType, field: string): boolean {
  return [...type.interfaces].some((name) => {
    const parent = model.type(name)
    return [...(parent.members.get(field)?.declared.keys() ?? [])].some(
      (subgraph) => parent.presence.get(subgraph)?.interfaceObject === true,
    )
  })
}

export function printSubgraph(model: Model, subgraph: SubgraphId): string {
  const { federation1, version } = model.subgraphs[subgraph] ?? { federation1: false, version: '2.7' }
  const parts: string[] = federation1 ? [] : [linkFor(version)]
  for (const { name, kind, parts: declared } of model.simple.values()) {
    const text = declared.get(subgraph)
    if (text !== undefined) parts.push(`${kind} ${name}${text}`)
  }
  for (const type of model.types.values()) {
    const presence = type.presence.get(subgraph)
    const part = presence === undefined ? '' : printPart(type, presence, subgraph, federation1)
    if (part !== '') parts.push(part)
  }
  return parts.join('\n')
}

const DIRECTIVES =
  '["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@tag", "@interfaceObject"]'

function linkFor(version: string): string {
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v${version}", import: ${DIRECTIVES})`
}

function printPart(type: ModelType, presence: Presence, subgraph: SubgraphId, federation1: boolean): string {
  const hidden = type.hidden && !federation1 ? ' @inaccessible' : ''
  if (type.kind === 'union') return `union ${type.name}${hidden} = ${[...presence.members].join(' | ')}`
  const lines: string[] = []
  for (const member of type.members.values()) {
    const declared = member.declared.get(subgraph)
    if (declared === undefined) continue
    const directives = [
      ...declared.directives,
      ...(member.hidden && !federation1 && !declared.external ? ['@inaccessible'] : []),
    ]
    const args = wrap([member.args, declared.extraArguments ?? ''].filter(Boolean).join(', '))
    lines.push(`  ${[`${member.name}${args}: ${declared.type}`, ...directives].join(' ')}`)
  }
  if (lines.length === 0) return ''
  const keys = presence.keys.map(
    ({ text, resolvable }) => ` @key(fields: "${text}"${resolvable ? '' : ', resolvable: false'})`,
  )
  const keyword = type.kind === 'interface' && !presence.interfaceObject ? 'interface' : 'type'
  const extending = federation1 && [...type.members.values()].some((member) => isOwnKey(member, subgraph))
  const marks = presence.interfaceObject ? ' @interfaceObject' : ''
  return `${extending ? 'extend ' : ''}${keyword} ${type.name}${implementing([...presence.interfaces])}${marks}${keys.join('')}${hidden} {\n${lines.join('\n')}\n}`
}

/** Federation 1: a type whose key is external is an extension of one of another subgraph. */
function isOwnKey(member: Member, subgraph: SubgraphId): boolean {
  return member.declared.get(subgraph)?.directives.includes('@external') === true
}

function implementing(interfaces: readonly string[]): string {
  return interfaces.length > 0 ? ` implements ${interfaces.join(' & ')}` : ''
}

function wrap(args: string): string {
  return args === '' ? '' : `(${args})`
}
