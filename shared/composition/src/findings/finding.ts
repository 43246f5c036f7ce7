/** Findings: what is wrong with subgraphs, as values. Their sentences are made in the catalogue. */
import type { ASTNode, SelectionSetNode } from 'graphql'
import type { Code, Facts } from '../catalogue/index.ts'
import type { Label } from '../catalogue/labels.ts'

/** A place in one subgraph. */
export type Place = {
  /** A node of the document as it was parsed, without locations. */
  readonly node: ASTNode
  /** A node of the selection that `node`, an application of a directive, writes as a string. */
  readonly within?: { readonly selection: SelectionSetNode; readonly node: ASTNode } | undefined
  readonly label?: Label | undefined
}

/**
 * A finding about one subgraph. It holds neither the name nor the position of its subgraph, so that subgraphs
 * with the same schema share it.
 */
export type SubgraphFinding<C extends Code = Code> = {
  [K in C]: {
    readonly code: K
    readonly facts: Facts[K]
    readonly at: readonly Place[]
    /** As in a `Finding`. */
    readonly isNew?: true
  }
}[C]

/** A place, with the position of its subgraph among the inputs. */
export type GraphPlace = Place & { readonly subgraph: number }

/** A finding about a graph. */
export type Finding<C extends Code = Code> = {
  [K in C]: {
    readonly code: K
    readonly facts: Facts[K]
    readonly at: readonly GraphPlace[]
    /** The position of the subgraph that the finding is about alone; null if it is about several. */
    readonly owner: number | null
    /** True for a mistake that the version before took: it is a hint for one minor version. */
    readonly isNew: boolean
  }
}[C]

/** Makes a finding. The types see to it that the facts are those of the code. */
export function finding<C extends Code>(code: C, facts: Facts[C], at: readonly Place[]): SubgraphFinding {
  // A compiler cannot see that one member of a union is meant by each `C`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { code, facts, at } as SubgraphFinding
}

/** The finding, as one about the subgraph at this position. */
export function inSubgraph(found: SubgraphFinding, position: number): Finding {
  const at = found.at.map((place): GraphPlace => ({ ...place, subgraph: position }))
  return { ...found, at, owner: position, isNew: found.isNew === true }
}

/** Makes a finding about several subgraphs. */
export function graphFinding<C extends Code>(code: C, facts: Facts[C], at: readonly GraphPlace[]): Finding {
  // A compiler cannot see that one member of a union is meant by each `C`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { code, facts, at, owner: null, isNew: false } as Finding
}

/** Marks a mistake that the version before took. */
export function newFinding<Found extends Finding | SubgraphFinding>(found: Found): Found {
  return { ...found, isNew: true }
}
