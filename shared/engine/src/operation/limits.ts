import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import { fragmentsOf } from './fragments.ts'
import { RequestError } from './operation-error.ts'

/** What one operation may cost before anything is planned. */
export type OperationLimits = {
  /** Lexical tokens of the document. */
  readonly tokens: number
  /** Fields nested in one another. */
  readonly depth: number
  /** Aliased fields, fragments counted at every spread. */
  readonly aliases: number
  readonly rootFields: number
  /** Fields after every fragment is spread where it is used; stops fragments that double each other. */
  readonly fields: number
  /** Different variables in `@skip`, `@include` and, where it has a meaning, `@defer`: each doubles the number of possible plans. */
  readonly conditionVariables: number
}

export const DEFAULT_OPERATION_LIMITS: OperationLimits = {
  tokens: 20_000,
  depth: 64,
  aliases: 1_000,
  rootFields: 500,
  fields: 20_000,
  conditionVariables: 16,
}

/**
 * Pairs of fields that share a response key in one selection, as it is written. Validation compares each pair, with all
 * that is below it: this is 200 times the same field in one place. Pairs of leaves are compared in no time and count less.
 */
const MAX_SAME_KEY_PAIRS = 20_000
const WEIGHT_OF_LEAVES = 1 / 8

export const SAME_FIELDS_TOO_OFTEN =
  'The operation selects the same fields too often to be checked for conflicts.'

/** Throws when the operation exceeds a limit. Runs before validation, so it takes nothing for granted. */
export function checkLimits(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  limits: OperationLimits,
): void {
  const size = measure(document, operation.selectionSet, limits)
  refuseAbove('fields', size.fields, limits.fields)
  refuseAbove('aliases', size.aliases, limits.aliases)
  refuseAbove('root fields', size.rootFields, limits.rootFields)
}

export function checkConditionVariables(names: Iterable<string>, limits: OperationLimits): void {
  refuseAbove('variables in @skip, @include and @defer', [...names].length, limits.conditionVariables)
}

function refuseAbove(what: string, count: number, limit: number): void {
  if (count <= limit) return
  throw exceeded(`The operation has more than the ${limit} ${what} allowed.`)
}

export function exceeded(message: string): RequestError {
  return new RequestError('operation', 'OPERATION_LIMIT_EXCEEDED', [message])
}

type Size = { fields: number; aliases: number; rootFields: number; depth: number }

/** Sizes of fragments are remembered, so the time is linear in the document even where the expansion is exponential. */
function measure(document: DocumentNode, root: SelectionSetNode, limits: OperationLimits): Size {
  const fragments = fragmentsOf(document)
  const measured = new Map<string, Size>()
  const open = new Set<string>()

  let sameKeyPairs = 0
  const countKey = (keys: Map<string, number>, key: string, weight: number): void => {
    const before = keys.get(key) ?? 0
    keys.set(key, before + 1)
    sameKeyPairs += before * weight
    if (sameKeyPairs > MAX_SAME_KEY_PAIRS) throw exceeded(SAME_FIELDS_TOO_OFTEN)
  }

  const sizeOf = (
    selectionSet: SelectionSetNode,
    level: number,
    keys: Map<string, number> = new Map(),
  ): Size => {
    if (level > limits.depth) throw tooDeep(limits.depth)
    const size: Size = { fields: 0, aliases: 0, rootFields: 0, depth: 0 }
    const add = (part: Size) => {
      size.fields += part.fields
      size.aliases += part.aliases
      size.rootFields += part.rootFields
      size.depth = Math.max(size.depth, part.depth)
    }
    for (const selection of selectionSet.selections) {
      switch (selection.kind) {
        case Kind.FIELD: {
          const key = (selection.alias ?? selection.name).value
          countKey(keys, key, selection.selectionSet === undefined ? WEIGHT_OF_LEAVES : 1)
          const inner =
            selection.selectionSet === undefined ? null : sizeOf(selection.selectionSet, level + 1)
          add({
            fields: 1 + (inner?.fields ?? 0),
            aliases: (selection.alias === undefined ? 0 : 1) + (inner?.aliases ?? 0),
            rootFields: 1,
            depth: 1 + (inner?.depth ?? 0),
          })
          break
        }
        case Kind.INLINE_FRAGMENT:
          add(sizeOf(selection.selectionSet, level, keys))
          break
        case Kind.FRAGMENT_SPREAD: {
          const name = selection.name.value
          // A cycle or an unknown fragment is for validation to explain.
          const fragment = fragments.get(name)
          if (fragment === undefined || open.has(name)) break
          let part = measured.get(name)
          if (part === undefined) {
            open.add(name)
            part = sizeOf(fragment.selectionSet, level)
            open.delete(name)
            measured.set(name, part)
          }
          add(part)
          break
        }
      }
    }
    if (level + size.depth - 1 > limits.depth) throw tooDeep(limits.depth)
    return size
  }
  return sizeOf(root, 1)
}

function tooDeep(limit: number): RequestError {
  return exceeded(`The operation nests fields deeper than the ${limit} levels allowed.`)
}
