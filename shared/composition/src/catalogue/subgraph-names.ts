/** Texts about the subgraphs that a finding names by their positions. */
import { quotedList, type NameOf } from './entry.ts'

/** Something that subgraphs say differently, with the positions of those that say so. */
export type Told = { readonly text: string; readonly at: readonly number[] }

/** `subgraph "a"`, or `subgraphs "a" and "b"` */
export function subgraphsAt(at: readonly number[], nameOf: NameOf): string {
  return `subgraph${at.length === 1 ? '' : 's'} ${quotedList(at.map(nameOf))}`
}

/** `"Int" in subgraph "a", and "String" in subgraphs "b" and "c"` */
export function toldBySubgraphs(
  told: readonly Told[],
  nameOf: NameOf,
  quote: (text: string) => string = (text) => `"${text}"`,
): string {
  const parts = told.map(({ text, at }) => `${quote(text)} in ${subgraphsAt(at, nameOf)}`)
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1) ?? ''}`
}
