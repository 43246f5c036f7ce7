/** Gives the parts of a finished draft the numbers that they have in the plan. */
import { fetchId, type FetchId, positionId, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { TypeRef } from '../../graph/compiled/compiled-graph.ts'
import { type Graph, typeOf } from '../../graph/graph.ts'
import { namedType } from '../../graph/compiled/named-type.ts'
import { byTypeName } from '../../graph/type-order.ts'
import type { DraftFetch } from './batch-calls.ts'
import { callFor, type DraftCall, type DraftPosition, type DraftProvider, liveProvider } from './draft.ts'

/** The numbers that the parts of a draft have in its plan. */
export type DraftNumbers = {
  /** All positions, in the order of their ids. */
  readonly positions: readonly DraftPosition[]
  readonly positionIds: ReadonlyMap<DraftPosition, PositionId>
  /** The providers that are left after merging, in order. */
  readonly providers: ReadonlyMap<DraftPosition, readonly DraftProvider[]>
  /** The index of each of these among the providers of its position. */
  readonly slots: ReadonlyMap<DraftProvider, number>
  /** The fetch that a call is a part of, and the index of the part. */
  readonly fetchOf: ReadonlyMap<DraftCall, { readonly fetch: FetchId; readonly part: number }>
  /** The provider whose objects a call gives. */
  readonly providerOf: (call: DraftCall) => DraftProvider
  readonly isObject: (type: TypeId) => boolean
  readonly isId: (type: TypeRef) => boolean
  /** Types in the order of their names. */
  readonly inOrder: (types: Iterable<TypeId>) => readonly TypeId[]
}

/** Numbers positions from the root down, providers within their position, and requests in their order. */
export function numberDraft(
  graph: Graph,
  root: DraftPosition,
  fetches: readonly DraftFetch[],
  providerOf: (call: DraftCall) => DraftProvider,
): DraftNumbers {
  const positions: DraftPosition[] = []
  const collect = (position: DraftPosition): void => {
    positions.push(position)
    for (const child of position.children) collect(child)
  }
  collect(root)
  const fetchOf = new Map<DraftCall, { fetch: FetchId; part: number }>()
  for (const [fetch, { parts }] of fetches.entries())
    for (const [part, calls] of parts.entries())
      for (const call of calls) fetchOf.set(call, { fetch: fetchId(fetch), part })
  const providers = new Map(
    positions.map((position) => [
      position,
      position.providers.filter((provider) => provider.mergedInto === null),
    ]),
  )
  return {
    positions,
    positionIds: new Map(positions.map((position, id) => [position, positionId(id)])),
    providers,
    slots: new Map(
      [...providers.values()].flatMap((list) => list.map((provider, index) => [provider, index] as const)),
    ),
    fetchOf,
    providerOf,
    isObject: (type) => typeOf(graph, type).kind === 'object',
    isId: (type) => typeOf(graph, namedType(type)).name === 'ID',
    inOrder: (types) => [...types].sort(byTypeName(graph)),
  }
}

/** The id of a position. Throws a RangeError if the position is not part of the draft. */
export function positionIdOf(numbers: DraftNumbers, position: DraftPosition): PositionId {
  return numberOf(numbers.positionIds, position, 'A position')
}

/**
 * The index of a provider among those of its position. Throws a RangeError if the provider is not part of the
 * draft.
 */
export function slotOf(numbers: DraftNumbers, provider: DraftProvider): number {
  return numberOf(numbers.slots, liveProvider(provider), 'A provider')
}

/** The fetch that gives the objects of a provider. */
export function fetchIdOf(numbers: DraftNumbers, provider: DraftProvider): FetchId {
  return numberOf(numbers.fetchOf, callFor(provider), 'A call').fetch
}

/**
 * The number of a part. Throws a RangeError if it has none: that is a mistake of the planner, and no plan is
 * better than one that points nowhere.
 */
export function numberOf<Part, Numbered>(
  numbers: ReadonlyMap<Part, Numbered>,
  part: Part,
  what: string,
): Numbered {
  const found = numbers.get(part)
  if (found === undefined) throw new RangeError(`${what} of the plan has lost its number.`)
  return found
}

/** Ids in ascending order. */
export function ascending<Id extends number>(ids: Iterable<Id>): readonly Id[] {
  return [...ids].sort((a, b) => a - b)
}
