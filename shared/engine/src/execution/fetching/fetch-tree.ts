/** A plan as traces show it: the waves of its fetches, each with the response path that it adds to. */
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import { fieldOf, type Graph, typeOf } from '../../graph/graph.ts'
import type { FetchId, GroupId, PositionId, SubgraphId, TypeId } from '../../ids/ids.ts'
import type { Fetch, Plan, Position, RepresentationCase } from '../../plan/contract/plan.ts'
import { wavesOf } from '../../plan/print/waves.ts'
import { preparePlan } from '../joining/prepared-plan.ts'

/**
 * The kind of a fetch: `Single` for fields of the root, `Entity` for an object outside lists, `BatchEntity`
 * for objects of a list, `MultiEntity` for several such places in one request.
 */
export type FetchKind = 'Single' | 'Entity' | 'BatchEntity' | 'MultiEntity'

/** One fetch of the tree. */
export type FetchPlace = {
  readonly fetch: FetchId
  readonly kind: FetchKind
  /** Response keys, and `@` for each list: `products.@.lead`. Keys in parentheses are not in the response. */
  readonly path: string
  readonly subgraph: SubgraphId
  /**
   * Numbers of the fetches that it waits for, counted from 0 in the order of the tree. All come before this
   * one.
   */
  readonly dependsOn: readonly number[]
  /** The delivery group that it is made for. */
  readonly group: GroupId
}

/** Fetches that are made one after the other, or at the same time. */
export type FetchTree =
  | { readonly kind: 'Sequence' | 'Parallel'; readonly children: readonly FetchTree[] }
  | { readonly kind: 'Single'; readonly place: FetchPlace }

const known = new WeakMap<Plan, readonly FetchTree[]>()

/** The waves of a plan, which are made one after the other. Computed once per plan. */
export function fetchTree(graph: Graph, plan: Plan): readonly FetchTree[] {
  let tree = known.get(plan)
  if (tree === undefined) {
    tree = makeTree(graph, plan)
    known.set(plan, tree)
  }
  return tree
}

function makeTree(graph: Graph, plan: Plan): readonly FetchTree[] {
  const paths = new Paths(graph, plan)
  const waves = wavesOf(plan)
  const numbers = new Map(waves.flat().map(({ id }, number) => [id, number]))
  const placeOf = (fetch: Fetch): FetchTree => ({
    kind: 'Single',
    place: {
      fetch: fetch.id,
      ...whereabouts(fetch, paths),
      subgraph: fetch.subgraph,
      dependsOn: fetch.after.flatMap((id) => numbers.get(id) ?? []).sort((a, b) => a - b),
      group: fetch.group,
    },
  })
  return waves.map((wave) => {
    const places = wave.map(placeOf)
    const [first, second] = places
    return first !== undefined && second === undefined ? first : { kind: 'Parallel', children: places }
  })
}

function whereabouts({ parts }: Fetch, paths: Paths): Pick<FetchPlace, 'kind' | 'path'> {
  const entities = parts.filter(({ kind }) => kind === 'entities')
  const places = parts.flatMap((part) => (part.kind === 'root' ? part.at : part.inputs.map(({ at }) => at)))
  const written = new Set(places.map((at) => paths.to(at)))
  const path = [...written].join(', ')
  if (entities.length === 0) return { kind: 'Single', path }
  if (entities.length > 1 || written.size > 1) return { kind: 'MultiEntity', path }
  return { kind: path.split('.').includes('@') ? 'BatchEntity' : 'Entity', path }
}

/**
 * How traces write the way to each position, and how many lists are around the objects of those that no
 * client sees.
 */
class Paths {
  readonly #graph: Graph
  readonly #plan: Plan
  readonly #listDepths: readonly number[]
  /** The field names of positions that no client sees. Such a field may have another key in answers. */
  readonly #names = new Map<PositionId, string>()

  constructor(graph: Graph, plan: Plan) {
    this.#graph = graph
    this.#plan = plan
    const { listDepths, inputs } = preparePlan(plan)
    this.#listDepths = listDepths
    for (const { input } of inputs) this.#readNames(input.cases)
  }

  to(id: PositionId): string {
    const segments: string[] = []
    let at = this.#plan.positions[id]
    while (at !== undefined && at.parent >= 0) {
      const parent = this.#plan.positions[at.parent]
      segments.unshift(...this.#segmentsOf(at, parent))
      at = parent
    }
    return segments.join('.')
  }

  #segmentsOf(at: Position, parent: Position | undefined): readonly string[] {
    const { id, responseKey, providers } = at
    if (responseKey !== null) return [responseKey, ...lists(this.#listDepths[id] ?? 0)]
    const [first] = providers
    const name = this.#names.get(id) ?? (first?.kind === 'inline' ? first.key : '')
    return [`(${name})`, ...lists(parent === undefined ? 0 : this.#depthOf(parent.type, name))]
  }

  #readNames(cases: readonly RepresentationCase[]): void {
    for (const field of cases.flatMap(({ fields }) => fields)) {
      if (field.kind === 'leaf') continue
      this.#names.set(field.position, field.name)
      this.#readNames(field.cases)
    }
  }

  /**
   * How many lists the type of a field has. If the type does not declare the field, one of its possible types
   * does.
   */
  #depthOf(type: TypeId, name: string): number {
    for (const each of [type, ...typeOf(this.#graph, type).possible]) {
      const field = fieldOf(this.#graph, each, name)
      if (field !== undefined) return depthOf(field.type)
    }
    return 0
  }
}

function depthOf(type: TypeRef): number {
  return type.kind === 'list' ? 1 + depthOf(type.item) : 0
}

function lists(depth: number): readonly string[] {
  return Array.from({ length: depth }, () => '@')
}
