import { NO_RUNTIME_TYPE, type PositionId } from '../../ids/ids.ts'
import type {
  RepresentationCase,
  RepresentationField,
  RepresentationInput,
} from '../../plan/contract/plan.ts'
import type { WorkBudget } from '../../work/budget.ts'
import type { SlicedWork } from '../../work/slices.ts'
import { DeepSearch } from '../../json/deep-search.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { type Occurrences, UNKNOWN_TYPE } from '../joining/occurrences.ts'
import type { EntitiesPart } from '../joining/prepared-plan.ts'

/** The entity representations that one `_entities` field is sent. */
export type Representations = {
  /** The JSON text of the list of all representations, each of which is there once. */
  readonly list: string
  readonly count: number
  /**
   * The index of each occurrence's representation in the list, or -1, for each input. The occurrences are
   * those of the position of the input.
   */
  readonly links: readonly Int32Array[]
}

/** Whether a fetch is needed for an object. */
export type ObjectFilter = (position: PositionId, occurrence: number) => boolean

/** Most characters of the representations of one part: a request body is printed in one go. */
const MAX_CHARACTERS = 16 * 1024 * 1024
/** Most objects in one representation, which is rendered in one go. */
const MAX_NESTED = 20_000

/** Most values in one value of a custom scalar, where sixteen characters count as one. */
const MAX_VALUES = 500_000

/** Thrown when the representations of a part exceed what one request may hold. */
export class TooLargeToSend extends Error {}

/**
 * Renders what identifies the entities of one `_entities` field: for each occurrence of the input positions a
 * JSON text, equal ones only once. An occurrence that lacks a key, or what every field of the call requires,
 * is not sent, nor is one that is not wanted; without `isWanted` all are. Throws a `TooLargeToSend`.
 */
export class RepresentationsWork implements SlicedWork {
  readonly #part: EntitiesPart
  readonly #occurrences: Occurrences
  readonly #isWanted: ObjectFilter | null
  readonly #budget: WorkBudget | null
  readonly #texts: string[] = []
  readonly #byScalar = new Map<string, Map<unknown, number>>()
  /**
   * Made when it is first needed: texts of single leaves are told apart by their values, which is much
   * cheaper.
   */
  #byText: Map<string, number> | null = null
  readonly #links: Int32Array[] = []
  #characters = 0
  /** The link table of the input that is being rendered. */
  #link: Int32Array | null = null
  #occurrence = 0
  #chosen: RepresentationCase | undefined
  #scalar: ScalarKey | null = null

  constructor(
    part: EntitiesPart,
    occurrences: Occurrences,
    isWanted: ObjectFilter | null,
    budget: WorkBudget | null = null,
  ) {
    this.#part = part
    this.#occurrences = occurrences
    this.#isWanted = isWanted
    this.#budget = budget
  }

  get representations(): Representations {
    return { list: `[${this.#texts.join(',')}]`, count: this.#texts.length, links: this.#links }
  }

  proceed(steps: number): boolean {
    let left = Math.min(steps, 2 ** 30)
    for (;;) {
      const input = this.#part.inputs[this.#links.length]
      if (input === undefined) return true
      this.#link ??= this.#begin(input)
      const begun = this.#occurrence
      const end = Math.min(this.#link.length, begun + left)
      const characters = this.#characters
      const fixed = this.#occurrences.position(input.at).objectType !== null
      const full = characters + left * CHARACTERS_PER_STEP
      while (this.#occurrence < end && this.#characters < full) {
        if (fixed && this.#occurrence > 0 && this.#scalar !== null)
          this.#keys(input.at, this.#scalar, this.#link, end, full)
        else {
          const occurrence = this.#occurrence++
          this.#link[occurrence] = this.#indexOf(input, occurrence, fixed)
        }
      }
      if (this.#characters > MAX_CHARACTERS) throw new TooLargeToSend()
      const taken =
        this.#occurrence - begun + Math.ceil((this.#characters - characters) / CHARACTERS_PER_STEP)
      this.#budget?.step(taken)
      left -= taken
      if (this.#occurrence < this.#link.length) return false
      this.#links.push(this.#link)
      this.#link = null
      if (left <= 0 && this.#links.length < this.#part.inputs.length) return false
    }
  }

  #begin({ at }: RepresentationInput): Int32Array {
    this.#occurrence = 0
    this.#chosen = undefined
    this.#scalar = null
    return new Int32Array(this.#occurrences.count(at)).fill(-1)
  }

  /** Renders an occurrence. Returns the index of its representation, or -1 if it is not sent. */
  #indexOf({ at, cases }: RepresentationInput, occurrence: number, fixed: boolean): number {
    const occurrences = this.#occurrences
    if (!fixed || occurrence === 0) {
      const previous = this.#chosen
      this.#chosen = caseFor(cases, at, occurrence, occurrences)
      if (this.#chosen !== previous)
        this.#scalar = this.#chosen === undefined ? null : scalarKey(this.#chosen, this.#byScalar)
    }
    const chosen = this.#chosen
    if (chosen === undefined || this.#isWanted?.(at, occurrence) === false) return -1
    if (this.#scalar === null) return this.#whole(chosen, at, occurrence)
    const value = occurrences.value(at, this.#scalar.slot, occurrence, this.#scalar.key)
    return typeof value === 'object' && value !== null
      ? this.#whole(chosen, at, occurrence)
      : this.#key(this.#scalar, value)
  }

  /** Renders occurrences of one type that a single leaf identifies, by far the most common ones. */
  #keys(at: PositionId, scalar: ScalarKey, link: Int32Array, end: number, full: number): void {
    const occurrences = this.#occurrences
    const isWanted = this.#isWanted
    const chosen = this.#chosen
    const { slot, key, known } = scalar
    let occurrence = this.#occurrence
    for (; occurrence < end && this.#characters < full; occurrence++) {
      if (isWanted?.(at, occurrence) === false) continue
      const value = occurrences.value(at, slot, occurrence, key)
      const index = known.get(value)
      if (index !== undefined) link[occurrence] = index
      else if (typeof value === 'object' && value !== null && chosen !== undefined)
        link[occurrence] = this.#whole(chosen, at, occurrence)
      else link[occurrence] = this.#key(scalar, value)
    }
    this.#occurrence = occurrence
  }

  #key({ isId, known, prefix }: ScalarKey, value: unknown): number {
    if (value === null || value === undefined || (isId && hasLostDigits(value))) return -1
    let index = known.get(value)
    if (index === undefined) {
      index = this.#add(`${prefix}${textOf(value)}}`)
      known.set(value, index)
    }
    return index
  }

  #whole(chosen: RepresentationCase, at: PositionId, occurrence: number): number {
    const members = renderFields(chosen.fields, at, occurrence, this.#occurrences, { left: MAX_NESTED })
    if (members === null) return -1
    const text = `{"__typename":${JSON.stringify(chosen.typename)}${members}}`
    this.#byText ??= new Map(this.#texts.map((known, index) => [known, index]))
    return this.#add(text)
  }

  #add(text: string): number {
    const known = this.#byText?.get(text)
    if (known !== undefined) return known
    this.#characters += text.length
    const index = this.#texts.push(text) - 1
    this.#byText?.set(text, index)
    return index
  }
}

const CHARACTERS_PER_STEP = 64

/** How many more objects and lists a representation may hold. */
type Nested = { left: number }

/** One leaf as the whole key: by far the most common representation. */
type ScalarKey = {
  readonly slot: number
  readonly key: string
  readonly isId: boolean
  /** The JSON text of the representation up to the value of the leaf. */
  readonly prefix: string
  /**
   * Indices by value, so that no text is made for an entity that is known already. A Map tells 1 from "1", as
   * it must. Shared by all cases that give the same text for the same value.
   */
  readonly known: Map<unknown, number>
}

function scalarKey(
  { typename, fields }: RepresentationCase,
  byScalar: Map<string, Map<unknown, number>>,
): ScalarKey | null {
  const [field, second] = fields
  if (field?.kind !== 'leaf' || !field.key || second !== undefined) return null
  const prefix = `{"__typename":${JSON.stringify(typename)},${JSON.stringify(field.name)}:`
  let known = byScalar.get(prefix)
  if (known === undefined) byScalar.set(prefix, (known = new Map()))
  return { slot: field.source.slot, key: field.source.key, isId: field.isId === true, prefix, known }
}

function caseFor(
  cases: RepresentationInput['cases'],
  position: PositionId,
  occurrence: number,
  occurrences: Occurrences,
): RepresentationCase | undefined {
  const type = occurrences.type(position, occurrence)
  if (type === UNKNOWN_TYPE) return undefined
  // As long as nobody has told the runtime type of an interface object, it counts as being of the declared
  // type.
  const matched = type === NO_RUNTIME_TYPE ? occurrences.position(position).type : type
  return cases.find(({ types }) => types.includes(matched))
}

/**
 * `,"name":value` for each field; null if a key is missing, so that the object cannot be identified, or an
 * input without which there is nothing to ask.
 */
function renderFields(
  fields: readonly RepresentationField[],
  position: PositionId,
  occurrence: number,
  occurrences: Occurrences,
  nested: Nested,
): string | null {
  let text = ''
  for (const field of fields) {
    const value =
      field.kind === 'leaf'
        ? renderLeaf(field, position, occurrence, occurrences)
        : renderObject(field, position, occurrence, occurrences, nested)
    if (value === null) return null
    text += `,${member(field.name, value)}`
  }
  return text
}

const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`

function renderLeaf(
  field: Extract<RepresentationField, { kind: 'leaf' }>,
  position: PositionId,
  occurrence: number,
  occurrences: Occurrences,
): string | null {
  const value = occurrences.value(position, field.source.slot, occurrence, field.source.key)
  if (value === null || value === undefined || (field.isId === true && hasLostDigits(value)))
    return field.key || field.isNeeded === true ? null : 'null'
  return textOf(value)
}

/** The JSON text of the value of a leaf, which may be anything for a custom scalar. */
function textOf(value: unknown): string {
  if (typeof value === 'object') {
    const search = new DeepSearch(value, Number.POSITIVE_INFINITY)
    if (!search.proceed(MAX_VALUES)) throw new TooLargeToSend()
  } else if (typeof value === 'string' && value.length > MAX_CHARACTERS) throw new TooLargeToSend()
  return JSON.stringify(value)
}

/**
 * Whether an id was read as a number that it is not. It would find another object, so the object is not sent.
 */
function hasLostDigits(id: unknown): boolean {
  if (Array.isArray(id)) return id.some(hasLostDigits)
  return typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)
}

function renderObject(
  field: Extract<RepresentationField, { kind: 'object' }>,
  position: PositionId,
  occurrence: number,
  occurrences: Occurrences,
  nested: Nested,
): string | null {
  const child = occurrences.position(field.position)
  const [provider] = child.providers
  const value =
    provider?.kind === 'inline' ? occurrences.value(position, provider.slot, occurrence, provider.key) : null
  if (value === null || value === undefined) return field.key || field.isNeeded === true ? null : 'null'
  let next = occurrences.start(field.position, occurrence)
  const end = occurrences.start(field.position, occurrence + 1)

  const render = (item: unknown): string | null => {
    if (--nested.left < 0) throw new TooLargeToSend()
    if (Array.isArray(item)) {
      const items: string[] = []
      for (const inner of item) {
        const text = render(inner)
        if (text === null) return null
        items.push(text)
      }
      return `[${items.join(',')}]`
    }
    if (!isJsonObject(item) || next >= end) return 'null'
    return renderNested(field, next++, occurrences, nested)
  }
  return render(value)
}

function renderNested(
  field: Extract<RepresentationField, { kind: 'object' }>,
  occurrence: number,
  occurrences: Occurrences,
  nested: Nested,
): string | null {
  const chosen = caseFor(field.cases, field.position, occurrence, occurrences)
  if (chosen === undefined) {
    // Not one of the types that were asked for: its name alone tells the resolver that something else is
    // there.
    const name = occurrences.typeName(field.position, occurrence)
    if (field.key) return null
    return field.withTypename && name !== null ? `{"__typename":${JSON.stringify(name)}}` : '{}'
  }
  const members = renderFields(chosen.fields, field.position, occurrence, occurrences, nested)
  if (members === null) return null
  return field.withTypename
    ? `{"__typename":${JSON.stringify(chosen.typename)}${members}}`
    : `{${members.slice(1)}}`
}
