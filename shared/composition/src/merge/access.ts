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
 * Requires what both ask for: each alternative of one together with each of the other. Alternatives that ask
 * more than another are left out.
 */
export function addAlternatives(a: Alternatives, b: Alternatives): Alternatives {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a
  const both = new Map<string, readonly string[]>()
  for (const one of a)
    for (const other of b) {
      const needed = [...new Set([...one, ...other])].sort()
      both.set(JSON.stringify(needed), needed)
    }
  const byLength = [...both.values()].sort((one, other) => one.length - other.length)
  const kept: ReadonlySet<string>[] = []
  for (const needed of byLength) if (!kept.some((less) => isWithin(less, needed))) kept.push(new Set(needed))
  return kept.map((needed) => [...needed]).sort(byLengthAndText)
}

function isWithin(less: ReadonlySet<string>, needed: readonly string[]): boolean {
  const all = new Set(needed)
  return [...less].every((one) => all.has(one))
}

function byLengthAndText(a: readonly string[], b: readonly string[]): number {
  return a.length - b.length || (a.join(',') < b.join(',') ? -1 : 1)
}

/** Joins what two definitions ask for. */
export function addAccess(a: MergedAccess, b: MergedAccess): MergedAccess {
  return {
    isAuthenticated: a.isAuthenticated || b.isAuthenticated,
    scopes: addAlternatives(a.scopes, b.scopes),
    policies: addAlternatives(a.policies, b.policies),
  }
}
