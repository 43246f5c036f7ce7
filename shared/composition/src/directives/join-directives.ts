/** Reading and writing the join directives of a composed supergraph. */
import { Kind, parse } from 'graphql'
import type { ConstDirectiveNode, DocumentNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'

/** Any node that directives can be applied to. */
export type Directed = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

/** Values of `join__Graph` by the name of the subgraph. */
export function readGraphValues(supergraph: DocumentNode): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const node of supergraph.definitions) {
    if (node.kind !== Kind.ENUM_TYPE_DEFINITION || node.name.value !== 'join__Graph') continue
    for (const value of node.values ?? []) {
      for (const join of joins(value, 'join__graph')) values.set(textOf(join, 'name') ?? '', value.name.value)
    }
  }
  return values
}

/** The applications of one join directive to a node, such as all its `@join__field`. */
export function joins(node: Directed, name: `join__${string}`): readonly ConstDirectiveNode[] {
  return (node.directives ?? []).filter((directive) => directive.name.value === name)
}

/** The text of a string or an enum value. */
export function textOf(node: ConstDirectiveNode, name: string): string | null {
  const value = argument(node, name)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null
}

/** The arguments of a `@join__field`. */
export type JoinField = {
  /** A value of `join__Graph`. */
  readonly graph: string
  readonly type?: string | undefined
  readonly external?: boolean | undefined
  readonly requires?: string | undefined
  readonly provides?: string | undefined
  readonly override?: string | undefined
  readonly overrideLabel?: string | undefined
}

/**
 * Returns `join` with the given facts instead of its own about the same things, or a new directive if there
 * is no `join`.
 */
export function joinField(facts: JoinField, join?: ConstDirectiveNode): ConstDirectiveNode {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined && value !== false)
  const written = given.map(
    ([name, value]) => `${name}: ${name === 'graph' ? facts.graph : JSON.stringify(value)}`,
  )
  const fresh = parseDirective(`@join__field(${written.join(', ')})`)
  if (join === undefined) return fresh
  const named = new Set(given.map(([name]) => name))
  const kept = (join.arguments ?? []).filter(({ name }) => !named.has(name.value))
  return { ...join, arguments: [...(fresh.arguments ?? []), ...kept] }
}

function parseDirective(sdl: string): ConstDirectiveNode {
  const [definition] = parse(`scalar S ${sdl}`, { noLocation: true }).definitions
  const parsed = definition?.kind === Kind.SCALAR_TYPE_DEFINITION ? definition.directives?.[0] : undefined
  if (parsed === undefined) throw new Error(`"${sdl}" holds no directive`)
  return parsed
}
