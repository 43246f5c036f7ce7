/** The library's SATISFIABILITY_ERROR as data: an operation, and from which subgraphs it cannot go on. */
import { Kind, parse } from 'graphql'
import type { OperationDefinitionNode, SelectionSetNode } from 'graphql'

/** A field that is selected, or a type condition, on the way to what cannot be reached. */
export type ReadStep =
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'type'; readonly type: string }

/** An operation that no plan can answer, and why each subgraph cannot go on. */
export type ReadMessage = {
  readonly operation: string
  readonly root: 'Query' | 'Mutation' | 'Subscription'
  readonly steps: readonly ReadStep[]
  /** Reasons by the subgraph that the path has come to, in the order of the message. */
  readonly reasons: ReadonlyMap<string, readonly string[]>
}

const MESSAGE =
  /^The following supergraph API query:\n([^]*)\ncannot be satisfied by the subgraphs because:\n([^]*)$/

/** Reads a message. Null if it is not of the form that the library writes. */
export function readMessage(message: string): ReadMessage | null {
  const [, query, because] = MESSAGE.exec(message) ?? []
  if (query === undefined || because === undefined) return null
  // The library writes "..." for whatever may be selected of the last field.
  const operation = query.replace(/^( *)\.\.\.$/m, '$1__typename')
  const node = parseOperation(operation)
  if (node === null) return null
  return {
    operation,
    root: ({ query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const)[node.operation],
    steps: stepsOf(node.selectionSet),
    reasons: readReasons(because),
  }
}

function parseOperation(text: string): OperationDefinitionNode | null {
  try {
    const [node] = parse(text, { noLocation: true }).definitions
    return node?.kind === Kind.OPERATION_DEFINITION ? node : null
  } catch {
    return null
  }
}

function stepsOf(set: SelectionSetNode | undefined): readonly ReadStep[] {
  const [node] = set?.selections ?? []
  if (node?.kind === Kind.FIELD && node.name.value !== '__typename')
    return [{ kind: 'field', field: node.name.value }, ...stepsOf(node.selectionSet)]
  if (node?.kind === Kind.INLINE_FRAGMENT && node.typeCondition !== undefined)
    return [{ kind: 'type', type: node.typeCondition.name.value }, ...stepsOf(node.selectionSet)]
  return []
}

function readReasons(text: string): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>()
  let current: string[] = []
  for (const line of text.split('\n')) {
    const [, subgraph, reason] = /^- from subgraph "(.*?)":(?: (.*))?$/.exec(line) ?? []
    if (subgraph === undefined) {
      current.push(line.replace(/^ {2}- /, ''))
      continue
    }
    current = reason === undefined ? [] : [reason]
    reasons.set(subgraph, current)
  }
  return reasons
}
