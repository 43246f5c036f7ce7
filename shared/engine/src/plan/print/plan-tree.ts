/**
 * The plan in the form people and tools read it: a tree of waves, with names instead of numbers.
 *
 * A wave (`Parallel`) holds the fetches that could start together at the earliest. The tree is for reading
 * only: when it runs, each fetch starts as soon as those named by its own `after` have answered.
 */
import { parse, print } from 'graphql'
import type { OperationKind } from '../../operation/operation-kind.ts'
import { type Graph, typeOf } from '../../graph/graph.ts'
import { pathOf } from './fetch-paths.ts'
import type { FetchId, GroupId, PositionId } from '../../ids/ids.ts'
import type { Fetch, Plan, RepresentationCase, RepresentationField } from '../contract/plan.ts'
import { type DeferredNode, deferredNodes } from './deferred-nodes.ts'
import { unreachableReason } from './unreachable-reasons.ts'
import { FETCH_COST, STAGE_COST } from '../search/solution.ts'
import { wavesOf } from './waves.ts'

/** A plan with names in place of numbers. */
export type PlanTree = {
  readonly kind: OperationKind
  readonly requests: number
  /** Longest chain of fetches of which each waits for the one before. */
  readonly depth: number
  readonly cost: number
  /** Response keys of `__schema` and `__type`, which no subgraph is asked for. */
  readonly introspection: readonly string[]
  /** The fragments with `@defer`, in document order; empty where nothing is deferred. */
  readonly deferred: readonly DeferredNode[]
  /** Null when nothing is fetched. */
  readonly root: PlanNode | null
  /** Not empty: nothing is fetched, and the request is answered with an error for each. */
  readonly unreachable: readonly UnreachableField[]
  /** Coordinates of fields that the request may not see: they are null in the response, with an error. */
  readonly denied: readonly string[]
}

/** Fetches one after the other, at the same time, or a single one. */
export type PlanNode =
  | { readonly kind: 'Sequence'; readonly nodes: readonly PlanNode[] }
  | { readonly kind: 'Parallel'; readonly nodes: readonly PlanNode[] }
  | FetchNode

/** A request to a subgraph. */
export type FetchNode = {
  readonly kind: 'Fetch'
  readonly id: FetchId
  readonly subgraph: string
  /** The `@defer` it is made for; 0 for what is delivered first. */
  readonly group: GroupId
  readonly operation: OperationKind
  /** Fetches whose answers it needs, or whose effects come first. */
  readonly after: readonly FetchId[]
  /** The wave in which the fetch is made, from 1. */
  readonly level: number
  readonly cost: number
  readonly reason: string
  /** A mutation field that starts when everything before it, with all that is fetched below, is complete. */
  readonly barrier: boolean
  /** Where below the root of the response the query root is entered again. */
  readonly reenters: readonly string[]
  readonly representations: readonly RepresentationNode[]
  /** Client variables in the document. */
  readonly variables: readonly string[]
  /** Pretty-printed; what is sent is the same without white space. */
  readonly document: string
}

/** The representations that find entities. */
export type RepresentationNode = {
  readonly variable: string
  /** Response keys from the root; fields in parentheses are not in the response. */
  readonly path: string
  /** Object types it is made for; empty where only one is possible. */
  readonly types: readonly string[]
  /**
   * As text: `{ __typename: "Product" id }`. Where the value has another name in the answer it is taken from:
   * `id: key`.
   */
  readonly fields: string
}

/** A field that no subgraph answers, and why. */
export type UnreachableField = {
  readonly path: string
  readonly coordinate: string
  readonly reason: string
}

/** The tree of a plan. The plan must have been made on this graph. */
export function planTree(graph: Graph, plan: Plan): PlanTree {
  const waves = wavesOf(plan).map((wave, level) =>
    wave.map((fetch) => fetchNode(graph, plan, fetch, level + 1)),
  )
  return {
    kind: plan.kind,
    requests: plan.fetches.length,
    depth: plan.depth,
    cost: plan.cost,
    introspection: plan.introspection?.responseKeys ?? [],
    deferred: deferredNodes(graph, plan, (at) => pathOf(plan, at)),
    root: join(
      'Sequence',
      waves.flatMap((wave) => join('Parallel', wave) ?? []),
    ),
    unreachable: plan.unreachable.map(({ path, coordinate }) => ({
      path: path.join('.'),
      coordinate,
      reason: unreachableReason(graph, coordinate),
    })),
    denied: plan.denied,
  }
}

function join(kind: 'Sequence' | 'Parallel', nodes: readonly PlanNode[]): PlanNode | null {
  const [first, second] = nodes
  return second === undefined ? (first ?? null) : { kind, nodes }
}

function fetchNode(graph: Graph, plan: Plan, fetch: Fetch, level: number): FetchNode {
  const { id, operation, after, reason, variables } = fetch
  return {
    kind: 'Fetch',
    id,
    subgraph: graph.compiled.subgraphs[fetch.subgraph]?.name ?? String(fetch.subgraph),
    group: fetch.group,
    operation,
    after,
    level,
    cost: FETCH_COST + STAGE_COST * (level - 1),
    reason,
    barrier: operation === 'mutation' && after.length > 0,
    reenters: fetch.parts.flatMap((part) =>
      part.kind === 'root' && part.at !== 0 ? [pathOf(plan, part.at)] : [],
    ),
    representations: fetch.parts.flatMap((part) =>
      part.kind === 'root'
        ? []
        : part.inputs.flatMap((input) =>
            input.cases.map((item) => ({
              variable: part.variable,
              path: pathOf(plan, input.at),
              types: typesOf(graph, plan, input.at, item),
              fields: `{ ${[`__typename: "${item.typename}"`, ...item.fields.map(fieldText)].join(' ')} }`,
            })),
          ),
    ),
    variables,
    document: print(parse(fetch.document)),
  }
}

function typesOf(graph: Graph, plan: Plan, at: PositionId, item: RepresentationCase): readonly string[] {
  const position = plan.positions[at]
  if (position === undefined || position.objectType !== null) return []
  const { possible } = typeOf(graph, position.type)
  // The declared type stands for objects whose type is not known when the request is made.
  if (item.types.includes(position.type) && possible.every((type) => item.types.includes(type))) return []
  return item.types.filter((type) => type !== position.type).map((type) => typeOf(graph, type).name)
}

function fieldText(field: RepresentationField): string {
  if (field.kind === 'leaf')
    return field.source.key === field.name ? field.name : `${field.name}: ${field.source.key}`
  const inner = field.cases.map((item) => {
    const fields = item.fields.map(fieldText).join(' ')
    return field.cases.length === 1 && !field.withTypename ? fields : `... on ${item.typename} { ${fields} }`
  })
  return `${field.name} { ${inner.join(' ')} }`
}
