/** A supergraph while it is made up: types, who has them, who resolves which field; and its text. */
export type Join = {
  readonly sub: number
  readonly external?: true
  readonly requires?: string
  readonly provides?: string
}

export type Field = { readonly type: string; readonly joins: Map<number, Join> }

export type MadeType = {
  readonly name: string
  readonly kind: 'type' | 'interface' | 'union'
  /** Keys by subgraph; none for a value type. */
  readonly presence: Map<number, Key[]>
  readonly interfaceObjectIn: Set<number>
  readonly fields: Map<string, Field>
  readonly implemented: Map<string, Set<number>>
  readonly members: Map<string, Set<number>>
}

export type Key = { readonly text: string; readonly resolvable: boolean }

export function madeType(name: string, kind: MadeType['kind'] = 'type'): MadeType {
  return {
    name,
    kind,
    presence: new Map(),
    interfaceObjectIn: new Set(),
    fields: new Map(),
    implemented: new Map(),
    members: new Map(),
  }
}

/** Adds the field, or one more subgraph to it. What is resolved somewhere already stays as it is. */
export function joinField(type: MadeType, name: string, fieldType: string, join: Join): void {
  const field = type.fields.get(name) ?? { type: fieldType, joins: new Map<number, Join>() }
  type.fields.set(name, field)
  const known = field.joins.get(join.sub)
  if (known === undefined || (known.external === true && join.external !== true))
    field.joins.set(join.sub, join)
}

export function printSupergraph(
  subgraphs: number,
  types: readonly MadeType[],
  enums: readonly string[],
): string {
  const graphs = Array.from(
    { length: subgraphs },
    (_, sub) => `  ${enumValue(sub)} @join__graph(name: "s${sub}", url: "http://s${sub}.test/")`,
  )
  return [
    'schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.4", for: EXECUTION) { query: Query }',
    `enum join__Graph {\n${graphs.join('\n')}\n}`,
    ...enums,
    ...types.map(printType),
  ].join('\n\n')
}

function enumValue(sub: number): string {
  return `S${String(sub).padStart(3, '0')}`
}

function printType(type: MadeType): string {
  const directives: string[] = []
  for (const [sub, keys] of type.presence) {
    const more = type.interfaceObjectIn.has(sub) ? ', isInterfaceObject: true' : ''
    if (keys.length === 0) directives.push(`@join__type(graph: ${enumValue(sub)}${more})`)
    for (const { text, resolvable } of keys)
      directives.push(
        `@join__type(graph: ${enumValue(sub)}, key: "${text}"${resolvable ? '' : ', resolvable: false'}${more})`,
      )
  }
  for (const [name, subs] of type.implemented)
    for (const sub of subs)
      directives.push(`@join__implements(graph: ${enumValue(sub)}, interface: "${name}")`)
  for (const [name, subs] of type.members)
    for (const sub of subs) directives.push(`@join__unionMember(graph: ${enumValue(sub)}, member: "${name}")`)
  const above = type.implemented.size === 0 ? '' : ` implements ${[...type.implemented.keys()].join(' & ')}`
  const head = `${type.kind} ${type.name}${above} ${directives.join(' ')}`
  if (type.kind === 'union') return `${head} = ${[...type.members.keys()].join(' | ')}`
  const fields = [...type.fields].map(([name, { type: fieldType, joins }]) => {
    const args = /^one\d/.test(name) ? '(id: ID!)' : ''
    return `  ${name}${args}: ${fieldType} ${[...joins.values()].map(printJoin).join(' ')}`
  })
  return `${head} {\n${fields.join('\n')}\n}`
}

function printJoin({ sub, external, requires, provides }: Join): string {
  const rest = [
    ...(external === true ? ['external: true'] : []),
    ...(requires === undefined ? [] : [`requires: "${requires}"`]),
    ...(provides === undefined ? [] : [`provides: "${provides}"`]),
  ]
  return `@join__field(graph: ${[enumValue(sub), ...rest].join(', ')})`
}
