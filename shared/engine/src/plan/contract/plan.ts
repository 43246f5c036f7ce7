/**
 * The plan: plain data, produced by the planner, read by the printer and the executor. Transferable between
 * threads.
 *
 * The executor never writes into a subgraph response. A *position* names a place of the response tree where
 * objects live; its *providers* say which subgraph objects together are "the object" there. Entity results
 * are joined by link tables (occurrence of the position -> index in `_entities`), so one parsed response may
 * serve many requests.
 *
 * Vocabulary
 *
 * - occurrence: one object at a position while the plan runs. The occurrences of a position are numbered in
 *   document order: for each occurrence of the parent, in order, each non-null object in the value of
 *   provider 0, with lists flattened. So the occurrences below one parent stand next to each other.
 * - slot: the index of a provider among the providers of its position.
 */

import type { FetchId, GroupId, PositionId, SubgraphId, TypeId } from '../../ids/ids.ts'
import type { OperationKind } from '../../operation/operation-kind.ts'
import type { DeliveryGroupOutline, IntrospectionPart } from '../../operation/normalise/normalised.ts'

/**
 * The rule for requests that can be saved by making another one later, and the response with it: `load` saves
 * them where that is cheaper by the cost function, `latency` only where the response is no later.
 */
export type PlanPreference = 'latency' | 'load'

/** Everything an execution needs to know besides the graph and the variables. */
export type Plan = {
  readonly kind: OperationKind
  /** The root object type for this kind. */
  readonly rootType: TypeId
  readonly fetches: readonly Fetch[]
  /** positions[0] is the root. A parent always precedes its children. */
  readonly positions: readonly Position[]
  /** The shape of the response that the client sees, at position 0. */
  readonly shape: ObjectShape
  /**
   * groups[0] is what is delivered first; groups[n] is the n-th active `@defer` in document order (after
   * fragment spreads are inlined), so its id on the wire is `String(n)`.
   */
  readonly groups: readonly DeliveryGroup[]
  /**
   * The operation has an active `@defer`, so the answer is a stream, even if no group has anything to
   * deliver.
   */
  readonly deferred: boolean
  /** Root fields `__schema` and `__type`, answered from the API schema; null when none is selected. */
  readonly introspection: IntrospectionPart | null
  /** Non-empty: no fetch is made, the answer is `data: null` with one error per entry (PLAN_UNREACHABLE). */
  readonly unreachable: readonly Unreachable[]
  /** Coordinates of the fields that the request may not see, each once. */
  readonly denied: readonly string[]
  /**
   * The price that the planner keeps low: mainly 1000 for each request, and 100 more for each request that
   * must be answered before it, one after the other.
   */
  readonly cost: number
  /** Longest chain of dependent fetches. */
  readonly depth: number
}

/**
 * A field that no subgraph answers where the operation asks for it: its response path and schema coordinate.
 */
export type Unreachable = { readonly path: readonly string[]; readonly coordinate: string }

/**
 * The objects that a fragment is on. `types` are the runtime types that it applies to, or null for every
 * type.
 */
export type Anchor = { readonly at: PositionId; readonly types: readonly TypeId[] | null }

/**
 * Fields that are delivered together: group 0 is the initial result, every other group holds the fields of
 * one deferred fragment.
 */
export type DeliveryGroup = DeliveryGroupOutline & {
  /**
   * The objects the fragment sits on: at one place of the response. That is several positions where object
   * types further up are answered differently. None for group 0.
   */
  readonly anchors: readonly Anchor[]
}

/** A place of the response tree where objects live. */
export type Position = {
  readonly id: PositionId
  /** -1 for the root. */
  readonly parent: PositionId
  /**
   * Key under which the client sees this field in the parent's object; null for keys and requires inputs
   * only.
   */
  readonly responseKey: string | null
  /** Runtime types of the parent occurrence for which this position exists; null = every one. */
  readonly guard: readonly TypeId[] | null
  /** Declared type (supergraph): object, interface or union. */
  readonly type: TypeId
  /** The object type when it is known at plan time, else null and `typename` says where to read it. */
  readonly objectType: TypeId | null
  /**
   * Tried in order until one gives a string. Empty when `objectType` is set, and at positions behind an
   * `@interfaceObject` whose runtime type nobody needs. An occurrence whose runtime type is not (yet) known
   * counts as being of the declared `type` itself when a case is chosen: cases that need no runtime type list
   * that id, too.
   */
  readonly typename: readonly Source[]
  /** Slot 0 decides which occurrences exist. Never empty. */
  readonly providers: readonly Provider[]
}

/** A subgraph object that is a part of the objects at a position. */
export type Provider =
  /**
   * `data` of a root fetch: at position 0, and at positions that re-enter the query root (same object
   * everywhere).
   */
  | { readonly kind: 'root'; readonly fetch: FetchId }
  /** Value of `key` in the object of `slot` of the parent position. */
  | { readonly kind: 'inline'; readonly slot: number; readonly key: string }
  /** An entity of `fetches[fetch].parts[part]`, found through the link table of this position. */
  | { readonly kind: 'entity'; readonly fetch: FetchId; readonly part: number }

/**
 * Where a value is read: provider `slot` of the position in question, property `key` (the alias in the
 * document).
 */
export type Source = { readonly slot: number; readonly key: string }

/** A request to one subgraph. */
export type Fetch = {
  readonly id: FetchId
  readonly subgraph: SubgraphId
  /** The group it is made for. */
  readonly group: GroupId
  /** A plan for a subscription has one fetch of that kind, which opens the source of its events. */
  readonly operation: OperationKind
  /** Fetches whose answers must be there before this one is rendered (data and, for mutations, order). */
  readonly after: readonly FetchId[]
  readonly parts: readonly FetchPart[]
  /** Minified, constant for all requests of this plan. */
  readonly document: string
  readonly operationName: string | null
  /**
   * Set when a custom scalar is selected, for the client or as input of a later fetch: numbers of the answer
   * that a double cannot hold are then to be read as `ExactNumber`. Elsewhere nobody could tell the
   * difference.
   */
  readonly exactNumbers: boolean
  /**
   * Client variables used by the document, by their names in the client's operation (same name in the
   * document).
   */
  readonly variables: readonly string[]
  /**
   * Why this fetch exists, for the printed plan, e.g. `key "upc"` or `requires "price weight" of
   * Product.shippingEstimate`.
   */
  readonly reason: string
}

/** A part of a fetch: fields of a root type, or fields of entities. */
export type FetchPart =
  | { readonly kind: 'root'; readonly at: PositionId; readonly slot: number }
  | {
      readonly kind: 'entities'
      /** Response key of the `_entities` field in this document. */
      readonly alias: string
      /** Name of the variable holding the representations, without `$`. */
      readonly variable: string
      /** Representations are de-duplicated across all inputs. */
      readonly inputs: readonly RepresentationInput[]
    }

/** The objects of one position that entities are fetched for. */
export type RepresentationInput = {
  readonly at: PositionId
  /** The slot of `at` that this part provides. */
  readonly slot: number
  /** First case whose `types` holds the runtime type wins; none: the occurrence is not sent (link -1). */
  readonly cases: readonly RepresentationCase[]
}

/** The representation that is sent for objects of these runtime types. */
export type RepresentationCase = {
  readonly types: readonly TypeId[]
  /** Sent as `__typename` (the interface's name for an interface object). */
  readonly typename: string
  readonly fields: readonly RepresentationField[]
}

/** A field of a representation, and where its value is read. */
export type RepresentationField =
  | {
      readonly kind: 'leaf'
      /** Field name in the representation. */
      readonly name: string
      readonly source: Source
      /**
       * Set for IDs: a whole number beyond 53 bits has lost its digits there and could be that of another
       * object.
       */
      readonly isId?: true
      /**
       * True for a part of the key: a null or missing value means that the occurrence is not sent. False for
       * a requires input.
       */
      readonly key: boolean
      /**
       * Set for a requires input that is non-null, and without which nothing that is asked for can be
       * answered: where it is missing, something has failed, and the occurrence is not sent. Without it null
       * is legal, and is sent as null.
       */
      readonly isNeeded?: true
    }
  | {
      readonly kind: 'object'
      readonly name: string
      /**
       * Child position of the one the enclosing fields are read from; lists follow the value of its provider
       * 0.
       */
      readonly position: PositionId
      readonly key: boolean
      readonly isNeeded?: true
      /**
       * As above, by runtime type. `typename` is sent only where `withTypename` is set (abstract positions).
       */
      readonly cases: readonly RepresentationCase[]
      readonly withTypename: boolean
    }

/** An object of the response. */
export type ObjectShape = {
  readonly kind: 'object'
  readonly position: PositionId
  /** Type as the API schema declares it. */
  readonly type: TypeId
  /** Exactly one case holds each possible runtime type; within a case fields are in response order. */
  readonly cases: readonly ShapeCase[]
}

/** The fields of an object that has one of these runtime types. */
export type ShapeCase = {
  /** null = every runtime type. */
  readonly types: readonly TypeId[] | null
  readonly fields: readonly ShapeField[]
}

/**
 * `group` owns the field: the one part of the answer that delivers it. `fallbackGroups` are the other live
 * groups that select it, ascending, absent when there are none: where the owner fails, the next of them
 * delivers the field in its place.
 */
export type ShapeField =
  | {
      readonly kind: 'typename'
      readonly key: string
      readonly group: GroupId
      readonly fallbackGroups?: readonly GroupId[]
    }
  | {
      readonly kind: 'introspection'
      /** Root only: taken from the result of the introspection part. */
      readonly key: string
      readonly group: GroupId
      readonly fallbackGroups?: readonly GroupId[]
    }
  | {
      readonly kind: 'field'
      readonly key: string
      /** Schema coordinate for messages. */
      readonly parentType: TypeId
      readonly name: string
      /** As canonical text with parentheses; set only where what the field costs depends on them. */
      readonly args?: string
      readonly nonNull: boolean
      /**
       * Where the raw value is. For a composite field this equals slot and key of provider 0 of its position
       * when that one is inline; null for a re-entered query root, whose object always exists.
       */
      readonly source: Source | null
      /** Index of the fetch that gives `source`; errors without a usable path of that fetch belong here. */
      readonly fetch: FetchId
      readonly node: ShapeNode
      readonly group: GroupId
      readonly fallbackGroups?: readonly GroupId[]
      /** Set in the shape of one group: another group selects the object of the field, but not the field. */
      readonly isMissingInSome?: true
    }

/** A value of the response. */
export type ShapeNode =
  | ObjectShape
  | { readonly kind: 'list'; readonly item: ShapeNode; readonly nonNullItem: boolean }
  | { readonly kind: 'leaf'; readonly type: TypeId; readonly coerce: LeafCoercion }
  /** Nothing is read: the request may not see the field, which is null with an error. */
  | { readonly kind: 'denied' }

/** How a leaf value is completed: by a rule of the specification, as an enum, or unchanged. */
export type LeafCoercion = 'String' | 'Int' | 'Float' | 'Boolean' | 'ID' | 'enum' | 'custom'
