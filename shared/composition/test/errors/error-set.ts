/**
 * A small set of subgraphs with one mistake, and the places where the error has to point: in ‹…›.
 *
 * Plain data: read it like a table of what can be wrong. A subgraph that has nothing to do with it is added
 * to each.
 */
import { fed } from '../sets/composition-set.ts'

export type ErrorSet = {
  readonly code: string
  /** A sentence about the mistake. */
  readonly name: string
  readonly subgraphs: Readonly<Record<string, string>>
  /** Labels of the places in the order of the marks, '' for none. Left out: no place has one. */
  readonly labels?: readonly string[]
  /** Part of the message. */
  readonly says?: string
  /** More than one error of the code, with the places of all of them marked. */
  readonly errors?: number
  /** No unrelated subgraph is added. */
  readonly alone?: true
  /** The graph allows that nobody enforces who may see a field. */
  readonly allowUnenforcedAuthorization?: true
}

export const F = fed(
  '2.9',
  '@key @shareable @external @requires @provides @override @inaccessible @tag @interfaceObject @composeDirective @authenticated @requiresScopes @policy @cost @listSize',
)
