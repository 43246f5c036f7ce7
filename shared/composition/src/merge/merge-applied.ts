/** Merges what directives say about one definition in several subgraphs. */
import { Kind, print, type ConstDirectiveNode, type ValueNode } from 'graphql'
import { argument } from '../federation/federation-link.ts'
import type { Applied } from '../model/model.ts'
import { addAccess, FREE_ACCESS, readAlternatives } from './access.ts'
import { cacheHintOf, strictest } from './cache-hints.ts'
import type { MergedAccess, MergedApplied, MergedListSize } from './merged.ts'

/** A definition without any directive. */
export const NOTHING_APPLIED: MergedApplied = {
  tags: [],
  isInaccessible: false,
  access: FREE_ACCESS,
  cost: null,
  listSize: null,
  deprecated: null,
  specifiedBy: null,
  isOneOf: false,
  cache: null,
  composed: [],
}

/** Merges the directives of the declarations of one definition, which come in the order of the subgraphs. */
export function mergeApplied(declarations: readonly (readonly Applied[])[]): MergedApplied {
  if (declarations.every((applied) => applied.length === 0)) return NOTHING_APPLIED
  let merged = NOTHING_APPLIED
  // These may be applied as often as an author likes, so that each is added without a copy of the others.
  const tags = new Set<string>()
  const composed = new Set<string>()
  for (const applied of declarations)
    for (const { name, isComposed, node } of applied) {
      if (isComposed) composed.add(print(node))
      else if (name === 'tag') addTag(tags, node)
      else merged = MERGES.get(name)?.(merged, node) ?? merged
    }
  return { ...merged, tags: [...tags], composed: [...composed] }
}

/** Adds what is said of the same definition elsewhere. */
export function addApplied(one: MergedApplied, more: MergedApplied): MergedApplied {
  return {
    tags: [...new Set([...one.tags, ...more.tags])],
    isInaccessible: one.isInaccessible || more.isInaccessible,
    access: addAccess(one.access, more.access),
    cost: largest(one.cost, more.cost),
    listSize: one.listSize ?? more.listSize,
    deprecated: one.deprecated ?? more.deprecated,
    specifiedBy: one.specifiedBy ?? more.specifiedBy,
    isOneOf: one.isOneOf || more.isOneOf,
    cache: strictest(one.cache, more.cache),
    composed: [...new Set([...one.composed, ...more.composed])],
  }
}

function addTag(tags: Set<string>, node: ConstDirectiveNode): void {
  const name = argument(node, 'name')
  if (name?.kind === Kind.STRING) tags.add(name.value)
}

type Merge = (merged: MergedApplied, node: ConstDirectiveNode) => MergedApplied

const MERGES: ReadonlyMap<string, Merge> = new Map(
  Object.entries<Merge>({
    inaccessible: (merged) => ({ ...merged, isInaccessible: true }),
    authenticated: (merged) => withAccess(merged, { isAuthenticated: true }),
    requiresScopes: (merged, node) =>
      withAccess(merged, {
        scopes: readAlternatives(argument(node, 'scopes')),
      }),
    policy: (merged, node) =>
      withAccess(merged, {
        policies: readAlternatives(argument(node, 'policies')),
      }),
    cost: (merged, node) => {
      const weight = numberOf(argument(node, 'weight'))
      return weight === null ? merged : { ...merged, cost: Math.max(weight, merged.cost ?? weight) }
    },
    listSize: (merged, node) => ({ ...merged, listSize: withListSize(merged.listSize, node) }),
    deprecated: (merged, node) => {
      const reason = argument(node, 'reason')
      const text = reason?.kind === Kind.STRING ? reason.value : ''
      return { ...merged, deprecated: merged.deprecated ?? text }
    },
    specifiedBy: (merged, node) => {
      const url = argument(node, 'url')
      return url?.kind === Kind.STRING ? { ...merged, specifiedBy: merged.specifiedBy ?? url.value } : merged
    },
    oneOf: (merged) => ({ ...merged, isOneOf: true }),
    cacheControl: (merged, node) => ({ ...merged, cache: strictest(merged.cache, cacheHintOf(node)) }),
  }),
)

function withAccess(merged: MergedApplied, access: Partial<MergedAccess>): MergedApplied {
  return { ...merged, access: addAccess(merged.access, { ...FREE_ACCESS, ...access }) }
}

function withListSize(known: MergedListSize | null, node: ConstDirectiveNode): MergedListSize {
  const assumedSize = numberOf(argument(node, 'assumedSize'))
  const isOne = argument(node, 'requireOneSlicingArgument')
  return {
    assumedSize: largest(known?.assumedSize ?? null, assumedSize),
    requireOneSlicingArgument:
      (known?.requireOneSlicingArgument ?? true) && (isOne?.kind !== Kind.BOOLEAN || isOne.value),
    slicingArguments: union(known?.slicingArguments ?? null, textsOf(argument(node, 'slicingArguments'))),
    sizedFields: union(known?.sizedFields ?? null, textsOf(argument(node, 'sizedFields'))),
  }
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

function union(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  return a === null || b === null ? (a ?? b) : [...new Set([...a, ...b])]
}

function numberOf(value: ValueNode | undefined): number | null {
  return value?.kind === Kind.INT ? Number(value.value) : null
}

function textsOf(value: ValueNode | undefined): readonly string[] | null {
  if (value?.kind !== Kind.LIST) return null
  return value.values.flatMap((one) => (one.kind === Kind.STRING ? [one.value] : []))
}
