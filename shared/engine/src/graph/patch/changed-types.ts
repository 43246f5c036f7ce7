/** Which definitions of two texts of a supergraph differ. */
import type { TypeDefinitionNode } from 'graphql'
import { SPECIFIED_SCALARS } from '../specified-scalars.ts'
import type { DefinitionTexts } from './definition-texts.ts'

/** A type whose definition has changed, or that came in. */
export type ChangedType = {
  readonly name: string
  /** Its definition, as it is written. */
  readonly piece: string
  /** Null for a type that came in. */
  readonly before: TypeDefinitionNode | null
  readonly now: TypeDefinitionNode
}

/** A type that went. */
export type RemovedType = { readonly name: string; readonly before: TypeDefinitionNode }

export type Changes = { readonly changed: readonly ChangedType[]; readonly removed: readonly RemovedType[] }

/** Types with these names are roots or scalars of the specification without being defined as such. */
const SPECIAL: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription', ...SPECIFIED_SCALARS])

/**
 * The types that differ in two texts. Null if something else differs, or if more than `most` types do. Throws
 * graphql-js's syntax error, and TooMuchChangedError.
 */
export function changesOf(from: DefinitionTexts, to: DefinitionTexts, most: number): Changes | null {
  if (from.isAmbiguous || to.isAmbiguous || !isEqual(from.header, to.header)) return null
  const texts = differing(from, to, most)
  if (texts === null) return null
  const changed: ChangedType[] = []
  for (const [name, piece] of texts.changed) {
    const now = to.get(name)
    const before = from.get(name) ?? null
    if (now === undefined || (from.byName.has(name) && before?.kind !== now.kind)) return null
    changed.push({ name, piece, before, now })
  }
  const removed: RemovedType[] = []
  for (const name of texts.removed) {
    const before = from.get(name)
    if (before === undefined) return null
    removed.push({ name, before })
  }
  const comers = changed.flatMap(({ name, before }) => (before === null ? [name] : []))
  const cameOrWent = new Set([...comers, ...removed.map(({ name }) => name)])
  if ([...cameOrWent].some((name) => SPECIAL.has(name)) || isMentioned(cameOrWent, to, texts.changed))
    return null
  return { changed, removed }
}

type Differing = {
  /** Texts by the names of types that have changed or came in. */
  readonly changed: ReadonlyMap<string, string>
  readonly removed: readonly string[]
}

function differing(from: DefinitionTexts, to: DefinitionTexts, most: number): Differing | null {
  const changed = new Map<string, string>()
  for (const [name, text] of to.byName) {
    if (from.byName.get(name) === text) continue
    if (changed.size === most) return null
    changed.set(name, text)
  }
  const removed: string[] = []
  for (const name of from.byName.keys()) {
    if (to.byName.has(name)) continue
    if (changed.size + removed.length === most) return null
    removed.push(name)
  }
  return { changed, removed }
}

/** Characters of the names of types that came or went. A pattern of many more is refused. */
const MOST_NAMES = 10_000
/** A string may write any name by escapes. */
const ESCAPE = '\\u'

/**
 * Whether a definition that did not change, or the header, names a type that came or went. What it says would
 * mean something else than before.
 */
function isMentioned(
  names: ReadonlySet<string>,
  to: DefinitionTexts,
  changed: Differing['changed'],
): boolean {
  if (names.size === 0) return false
  const alternatives = [...names].join('|')
  if (alternatives.length > MOST_NAMES) return true
  const mention = new RegExp(`\\b(?:${alternatives})\\b`)
  const mayName = (text: string) => mention.test(text) || text.includes(ESCAPE)
  if (to.header.some(mayName)) return true
  for (const [name, text] of to.byName) if (!changed.has(name) && mayName(text)) return true
  return false
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
}
