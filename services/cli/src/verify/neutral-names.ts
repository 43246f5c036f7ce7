/** The same question with response names that mean nothing to anybody. */
import { type FieldNode, Kind, parse, print, visit } from 'graphql'

/**
 * Names that every JavaScript object has, or that make it look like a promise: a stitched gateway may never
 * return from them.
 */
const TREACHEROUS = new Set([...Object.getOwnPropertyNames(Object.prototype), 'then', 'prototype', 'toJSON'])

/** Aliases become `plainName1`, `plainName2` …, equal ones the same. */
export function withNeutralNames(query: string): string {
  const names = new Map<string, string>()
  const document = visit(parse(query, { noLocation: true }), {
    Field(node): FieldNode | undefined {
      const { alias } = node
      if (alias === undefined || alias.value === node.name.value) return undefined
      const neutral = names.get(alias.value) ?? `plainName${names.size + 1}`
      names.set(alias.value, neutral)
      return { ...node, alias: { kind: Kind.NAME, value: neutral } }
    },
  })
  return print(document)
}

export function hasAliases(query: string): boolean {
  let found = false
  visit(parse(query, { noLocation: true }), { Field: ({ alias }) => void (found ||= alias !== undefined) })
  return found
}

export function hasTreacherousNames(query: string): boolean {
  let found = false
  visit(parse(query, { noLocation: true }), {
    Field: ({ alias }) => void (found ||= alias !== undefined && TREACHEROUS.has(alias.value)),
  })
  return found
}
