/**
 * Makes an operation small enough to read. It takes away one part after the other, and keeps every step after
 * which the operation still shows the same fault.
 */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  visit,
} from 'graphql'
import type { SampleOperation } from './sample-operation.ts'

export type ShrinkOptions = {
  /** More would not make it much easier to read. */
  readonly maxTrials: number
  /** Must not reject; an operation that is not valid any more does not show it. */
  readonly stillShows: (candidate: SampleOperation) => Promise<boolean>
}

export async function shrinkOperation<Operation extends SampleOperation>(
  start: Operation,
  { maxTrials, stillShows }: ShrinkOptions,
): Promise<Operation> {
  let smallest = start
  let trials = 0
  for (;;) {
    const before = smallest
    for (let position = 0; trials < maxTrials; ) {
      const query = withoutPart(smallest.query, position)
      if (query === null) break
      const candidate = query === NOTHING_LEFT ? null : { ...smallest, ...tidied({ ...smallest, query }) }
      trials++
      // A thing that went makes room for the next one at the same position.
      if (candidate !== null && (await stillShows(candidate))) smallest = candidate
      else position++
    }
    if (smallest === before || trials >= maxTrials) return smallest
  }
}

/** Removes fragments and variables that nothing uses any more, which would make the operation invalid. */
function tidied({ query, variables }: SampleOperation): Pick<SampleOperation, 'query' | 'variables'> {
  let document = parse(query, { noLocation: true })
  for (;;) {
    const used = new Set<string>()
    visit(document, { FragmentSpread: ({ name }) => void used.add(name.value) })
    const definitions = document.definitions.filter(
      (definition) => definition.kind !== Kind.FRAGMENT_DEFINITION || used.has(definition.name.value),
    )
    if (definitions.length === document.definitions.length) break
    document = { ...document, definitions }
  }
  const read = new Set<string>()
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void read.add(name.value),
  })
  document = visit(document, {
    VariableDefinition: (node) => (read.has(node.variable.name.value) ? undefined : null),
  })
  return {
    query: print(document),
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => read.has(name))),
  }
}

/** No operation is left without the thing. */
export const NOTHING_LEFT = Symbol('nothing left')

/**
 * The document without the thing at a position: a selection, a fragment around selections, a condition, an
 * alias, an argument, a variable or a fragment definition. Null after the last. What is left may be invalid.
 */
export function withoutPart(query: string, position: number): string | typeof NOTHING_LEFT | null {
  const document = parse(query, { noLocation: true })
  let ahead = position
  let isFound = false
  const here = () => ahead-- === 0 && (isFound = true)
  const changed = visit(document, {
    enter(node): ASTNode | ASTNode[] | null | undefined {
      if (isFound) return undefined
      if (node.kind === Kind.FRAGMENT_DEFINITION && here()) return null
      if (node.kind === Kind.VARIABLE_DEFINITION && here()) return null
      if (
        node.kind === Kind.FIELD ||
        node.kind === Kind.INLINE_FRAGMENT ||
        node.kind === Kind.FRAGMENT_SPREAD
      ) {
        if (here()) return null
      }
      if (node.kind === Kind.FIELD && node.alias !== undefined && here()) return withoutAlias(node)
      if (node.kind === Kind.DIRECTIVE && here()) return null
      if (node.kind === Kind.ARGUMENT && here()) return null
      if (node.kind === Kind.SELECTION_SET) {
        const opened = openOne(document, node.selections, here)
        if (opened !== null) return { ...node, selections: opened }
      }
      return undefined
    },
  })
  if (!isFound) return null
  try {
    const left = print(changed)
    parse(left)
    return left.includes('{}') ? NOTHING_LEFT : left
  } catch {
    return NOTHING_LEFT
  }
}

function withoutAlias(field: FieldNode): FieldNode {
  return { ...field, alias: undefined }
}

/** Replaces an inline fragment by its selections, or a fragment spread by an inline fragment. */
function openOne(
  document: DocumentNode,
  selections: readonly SelectionNode[],
  here: () => boolean,
): readonly SelectionNode[] | null {
  for (const [index, selection] of selections.entries()) {
    const around = (inner: readonly SelectionNode[]) => [
      ...selections.slice(0, index),
      ...inner,
      ...selections.slice(index + 1),
    ]
    if (selection.kind === Kind.INLINE_FRAGMENT && here()) return around(selection.selectionSet.selections)
    if (selection.kind !== Kind.FRAGMENT_SPREAD || !here()) continue
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    )
    if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) continue
    const { typeCondition, selectionSet } = fragment
    return around([{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet }])
  }
  return null
}
