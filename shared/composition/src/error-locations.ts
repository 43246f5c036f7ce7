/**
 * Finds the places in the subgraphs' SDL where an error of the library is, and the subgraphs that it is
 * about.
 *
 * The rules of `locations/` read the library's message. An error that none of them knows has the places of
 * its nodes, or else those of the most exact coordinates in its text, in the subgraphs that it names.
 */
import { Kind } from 'graphql'
import type { ASTNode } from 'graphql'
import type { SdlLocation } from './contract/composition-result.ts'
import { findNodes } from './documents/definitions.ts'
import { DIRECTIVE_RULES } from './locations/directive-rules.ts'
import { INACCESSIBLE_RULES } from './locations/inaccessible-rules.ts'
import { MERGE_RULES } from './locations/merge-rules.ts'
import { at, type Located, tidy } from './locations/place.ts'
import type { Rule } from './locations/rule.ts'
import { SUBGRAPH_RULES } from './locations/subgraph-rules.ts'
import { withWrittenRootNames } from './repairs/root-names.ts'

/** An error as the composition library gave it. */
export type LibraryError = {
  readonly code: string
  /** The message with the names that the library was given. */
  readonly message: string
  readonly nodes: readonly ASTNode[]
  /** The subgraph whose own validation failed, null for errors of the merge. */
  readonly owner: string | null
}

/** The same error with the subgraphs and the places that it is about. */
export type LocatedError = {
  readonly message: string
  readonly subgraphs: readonly string[]
  readonly locations: readonly SdlLocation[]
}

/** Finds the subgraphs and the places that an error is about. Both may be empty. */
export function locateError(error: LibraryError, subgraphs: readonly Located[]): LocatedError {
  const own = subgraphs.filter(({ name }) => name === error.owner)
  const [known, message] = applyRules(error, own, subgraphs)
  const exact = known.length > 0 ? known : placesOfNodes(error.nodes, own.length > 0 ? own : subgraphs)
  const named = own.length > 0 ? own : subgraphs.filter(({ name }) => error.message.includes(`"${name}"`))
  const locations = tidy(
    exact.length > 0 ? exact : locateCoordinates(error.message, named.length > 0 ? named : subgraphs),
  )
  const involved =
    known.length > 0
      ? [...locations, ...own.map(({ name }) => ({ subgraph: name }))]
      : [...locations, ...named.map(({ name }) => ({ subgraph: name }))]
  const [owner] = own
  const told = owner === undefined ? message : withWrittenRootNames(message, owner.written)
  return {
    message: told,
    locations,
    subgraphs: [...new Set(involved.map(({ subgraph }) => subgraph))].sort(),
  }
}

const RULES_BETWEEN_SUBGRAPHS = [...MERGE_RULES, ...INACCESSIBLE_RULES, ...DIRECTIVE_RULES]

function applyRules(
  { code, message, owner }: LibraryError,
  own: readonly Located[],
  subgraphs: readonly Located[],
): readonly [readonly SdlLocation[], string] {
  const attempts: readonly (readonly [readonly Rule[], string, readonly Located[]])[] =
    own.length > 0
      ? [[SUBGRAPH_RULES, message.replace(`[${owner ?? ''}] `, ''), own]]
      : [[RULES_BETWEEN_SUBGRAPHS, message, subgraphs]]
  for (const [rules, text, scope] of attempts) {
    for (const rule of rules) {
      if (rule.code !== code) continue
      const match = rule.pattern.exec(text)
      if (match === null) continue
      const found = match.slice(1)
      return [rule.places(scope, ...found), rule.message?.(scope, ...found) ?? message]
    }
  }
  return [[], message]
}

/** A node without an own name is shown whole, a definition by its name. */
function placesOfNodes(nodes: readonly ASTNode[], subgraphs: readonly Located[]): readonly SdlLocation[] {
  return nodes.flatMap((node) => {
    const source = node.loc?.source.name
    const owner = subgraphs.find(({ written }) => written.loc?.source.name === source)
    if (owner === undefined) return []
    const isDefinition = node.kind.endsWith('Definition') || node.kind.endsWith('Extension')
    const shown = isDefinition && 'name' in node && node.name?.kind === Kind.NAME ? node.name : node
    return at(owner, shown)
  })
}

/** The most exact coordinates of the message that exist: arguments before fields before types. */
function locateCoordinates(message: string, subgraphs: readonly Located[]): readonly SdlLocation[] {
  const members = [
    ...message.matchAll(/\b([_A-Za-z]\w*)\.([_A-Za-z]\w*)(?:\(([_A-Za-z]\w*):?[^)]*\))?/g),
  ].map(([, type = '', member, argument]) => ({ type, member, argument }))
  const types = [...message.matchAll(/"(@?[_A-Za-z]\w*)"|\b[Tt]ype ([_A-Za-z]\w*)/g)].map(
    ([, quoted, plain]) => ({ type: quoted ?? plain ?? '' }),
  )
  const byPrecision = [
    members.filter(({ argument }) => argument !== undefined),
    members.map(({ type, member }) => ({ type, member })),
    members.map(({ type }) => ({ type })),
    types,
  ]
  for (const candidates of byPrecision) {
    const found = subgraphs.flatMap((one) =>
      candidates.flatMap((coordinate) =>
        findNodes(one.subgraph.document, coordinate)
          .slice(0, 1)
          .flatMap(({ name }) => at(one, name)),
      ),
    )
    if (found.length > 0) return found
  }
  return []
}
