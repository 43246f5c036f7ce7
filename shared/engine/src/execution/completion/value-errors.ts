/**
 * Explains what is wrong with values that subgraphs sent. The messages are those of graphql-js wherever it
 * has one.
 */
import { describe } from '../../json/json-object.ts'
import { type FetchId, NO_RUNTIME_TYPE, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { ObjectShape } from '../../plan/contract/plan.ts'
import type { ResponseError } from '../contract/response.ts'
import { type Lack, UNKNOWN_TYPE } from '../joining/occurrences.ts'
import type { CompletionSources } from './completion-sources.ts'
import type { DataField } from './frame.ts'

/** The code that other routers have for it, too. */
const UNAUTHORIZED_FIELD_OR_TYPE = 'UNAUTHORIZED_FIELD_OR_TYPE'

/** Receives the errors that completion finds, and knows those that subgraphs reported themselves. */
export type CompletionErrors = {
  add(error: ResponseError): void
  /**
   * Whether an error that was reported before accounts for the missing value at `path`, so that one cause is
   * reported once. `objectMissing` means that the fetch did not give the object that has the field.
   */
  explains(fetch: FetchId, path: readonly (string | number)[], objectMissing: boolean): boolean
  /** Hears of each path at which a fetch gave nothing, whether or not null is allowed there. */
  noteNull?(fetch: FetchId, path: readonly (string | number)[], lack: Lack): void
}

/**
 * Each method is about the value whose response path are the first `depth` segments of `path`. `type` is the
 * runtime type of the object that has the field.
 */
export class ValueErrors {
  readonly #sources: CompletionSources
  readonly #errors: CompletionErrors
  /** Response path of the value being completed; segments beyond `depth` are left from values before. */
  readonly #path: readonly (string | number)[]

  constructor(sources: CompletionSources, errors: CompletionErrors, path: readonly (string | number)[]) {
    this.#sources = sources
    this.#errors = errors
    this.#path = path
  }

  /** Notes, without reporting it, that the slot of a field has no object here. */
  noteMissingObject(
    field: DataField,
    position: PositionId,
    slot: number,
    occurrence: number,
    depth: number,
  ): void {
    if (this.#errors.noteNull === undefined) return
    const lack = this.#sources.occurrences.lack(position, slot, occurrence)
    this.#errors.noteNull(field.fetch, this.#path.slice(0, depth), lack)
  }

  /** Notes, without reporting it, that a field or item is null. */
  noteNull(field: DataField, depth: number): void {
    this.#errors.noteNull?.(field.fetch, this.#path.slice(0, depth), 'value')
  }

  /**
   * Reports a value that is null and must not be. `objectMissing` means that the fetch did not give the
   * object that has the field.
   */
  isNull(field: DataField, type: TypeId, depth: number, objectMissing: boolean): void {
    const path = this.#path.slice(0, depth)
    if (this.#errors.explains(field.fetch, path, objectMissing)) return
    this.#report(
      field.fetch,
      depth,
      `Cannot return null for non-nullable field ${this.#coordinate(field, type)}.`,
    )
  }

  /** The request may not see the field, so nobody was asked for it. */
  isDenied(field: DataField, type: TypeId, depth: number): void {
    this.#errors.add({
      message: `Not authorized to see ${this.#coordinate(field, type)}.`,
      path: this.#path.slice(0, depth),
      extensions: { code: UNAUTHORIZED_FIELD_OR_TYPE },
    })
  }

  isNoLeaf(field: DataField, depth: number, message: string): void {
    this.#report(field.fetch, depth, message)
  }

  isNoList(field: DataField, type: TypeId, depth: number): void {
    this.#report(
      field.fetch,
      depth,
      `Expected Iterable, but did not find one for field "${this.#coordinate(field, type)}".`,
    )
  }

  isNoObject(field: DataField, type: TypeId, depth: number, shape: ObjectShape, value: unknown): void {
    const expected = `Expected an object of type "${this.#sources.facts.nameOf(shape.type)}"`
    this.#report(
      field.fetch,
      depth,
      `${expected} for field "${this.#coordinate(field, type)}", found ${describe(value)}.`,
    )
  }

  /** The plan has no position for the object, since it was made for other runtime types. */
  isNotPlanned(field: DataField, type: TypeId, depth: number): void {
    this.#report(
      field.fetch,
      depth,
      `Field "${this.#coordinate(field, type)}" was not planned for this object.`,
    )
  }

  /** The object has the runtime type `runtime`, or none, and the field allows others only. */
  hasWrongType(
    field: DataField,
    type: TypeId,
    depth: number,
    { position, type: declared }: ObjectShape,
    occurrence: number,
    runtime: TypeId,
  ): void {
    const { facts, occurrences } = this.#sources
    const coordinate = this.#coordinate(field, type)
    if (runtime === NO_RUNTIME_TYPE)
      return this.#hasNoType(field, depth, declared, coordinate, position, occurrence)
    // Neither a hidden type nor one of another subgraph is named to the client.
    const isVisible = runtime !== UNKNOWN_TYPE && facts.possible(runtime).has(runtime)
    const name = isVisible ? ` "${occurrences.typeName(position, occurrence) ?? ''}"` : ''
    this.#report(
      this.#namingFetch(field, position, occurrence),
      depth,
      `Runtime Object type${name} is not a possible type for "${facts.nameOf(declared)}" of field "${coordinate}".`,
    )
  }

  #hasNoType(
    field: DataField,
    depth: number,
    declared: TypeId,
    coordinate: string,
    position: PositionId,
    occurrence: number,
  ): void {
    const { facts, occurrences } = this.#sources
    const { providers, typename } = occurrences.position(position)
    const path = this.#path.slice(0, depth)
    let isExplained = false
    let { fetch } = field
    for (const { slot } of typename) {
      const provider = providers[slot]
      if (provider?.kind !== 'entity') continue
      fetch = provider.fetch
      this.#errors.noteNull?.(provider.fetch, path, occurrences.lack(position, slot, occurrence))
      isExplained ||= this.#errors.explains(provider.fetch, path, true)
    }
    if (isExplained) return
    this.#report(
      fetch,
      depth,
      `Abstract type "${facts.nameOf(declared)}" must resolve to an Object type at runtime for field "${coordinate}", but the subgraph named none.`,
    )
  }

  /** The fetch that named the runtime type of an object. */
  #namingFetch(field: DataField, position: PositionId, occurrence: number): FetchId {
    const { occurrences } = this.#sources
    const { providers, typename } = occurrences.position(position)
    for (const { slot, key } of typename) {
      if (typeof occurrences.value(position, slot, occurrence, key) !== 'string') continue
      const provider = providers[slot]
      return provider?.kind === 'entity' ? provider.fetch : field.fetch
    }
    return field.fetch
  }

  /**
   * Names a field as graphql-js does: with the runtime type of the object, not the interface through which it
   * was selected.
   */
  #coordinate(field: DataField, type: TypeId): string {
    return `${this.#sources.facts.nameOf(type >= 0 ? type : field.parentType)}.${field.name}`
  }

  /**
   * Reports an error. `id` is the fetch that sent a value which does not fit the schema, or that failed and
   * so did not send it.
   */
  #report(id: FetchId, depth: number, message: string): void {
    const { facts, occurrences, plan } = this.#sources
    const code = occurrences.failureCode(id) ?? 'SUBGRAPH_INVALID_VALUE'
    const fetch = plan.fetches[id]
    const extensions =
      fetch === undefined ? { code } : { code, serviceName: facts.subgraphName(fetch.subgraph) }
    this.#errors.add({ message, path: this.#path.slice(0, depth), extensions })
  }
}
