/**
 * Merges the alternatives of `@requiresScopes` and `@policy`: who may see something must meet what every
 * subgraph asks for.
 */
import { Kind, type ValueNode } from 'graphql'
import type { Alternatives, MergedAccess } from './merged.ts'

/** Reads a list of lists; one value stands for a list of one. */
export function readAlternatives(value: ValueNode | undefined): Alternatives {
  return itemsOf(value).map((item) =>
    itemsOf(item).flatMap((one) => (one.kind === Kind.STRING ? [one.value] : [])),
  )
}

function itemsOf(value: ValueNode | undefined): readonly ValueNode[] {
  if (value === undefined) return []
  return value.kind === Kind.LIST ? value.values : [value]
}

/**
 * How many alternatives something may have. Each subgraph multiplies them, and routers look at all of them.
 */
export const MOST_ALTERNATIVES = 200

/** Pairs of alternatives that are looked at. Many of them are often the same. */
const MOST_PAIRS = 20 * MOST_ALTERNATIVES

/**
 * Requires what both ask for: each alternative of one together with each of the other. Alternatives that ask
 * more than another are left out. Null if there are too many.
 */
function addAlternatives(a: Alternatives, b: Alternatives): Alternatives | null {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  // Subgraphs that demand the same demand nothing more together.
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  if (a.length * b.length > MOST_PAIRS) return null
  const both = new Map<string, readonly string[]>()
  for (const one of a)
    for (const other of b) {
      const needed = [...new Set([...one, ...other])].sort()
      both.set(JSON.stringify(needed), needed)
    }
  const byLength = [...both.values()].sort((one, other) => one.length - other.length)
  const kept: ReadonlySet<string>[] = []
  for (const needed of byLength) {
    const all = new Set(needed)
    if (kept.some((less) => isWithin(less, all))) continue
    kept.push(all)
    if (kept.length > MOST_ALTERNATIVES) return null
  }
  return kept.map((needed) => [...needed]).sort(byLengthAndText)
}

function isWithin(less: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const one of less) if (!all.has(one)) return false
  return true
}

function byLengthAndText(a: readonly string[], b: readonly string[]): number {
  return a.length - b.length || (a.join(',') < b.join(',') ? -1 : 1)
}

/** The access of what anybody may see. */
export const FREE_ACCESS: MergedAccess = { isAuthenticated: false, scopes: [], policies: [], isCut: false }

/** Joins what two definitions ask for. */
export function addAccess(a: MergedAccess, b: MergedAccess): MergedAccess {
  const scopes = addAlternatives(a.scopes, b.scopes)
  const policies = addAlternatives(a.policies, b.policies)
  return {
    isAuthenticated: a.isAuthenticated || b.isAuthenticated,
    scopes: scopes ?? a.scopes,
    policies: policies ?? a.policies,
    isCut: a.isCut || b.isCut || scopes === null || policies === null,
  }
}
