import type {
  PositionId,
  RepresentationCase,
  RepresentationField,
  RepresentationInput,
} from '../plan/plan.ts'
import { isJsonObject } from './json-object.ts'
import { NO_TYPE, type Occurrences, UNKNOWN_TYPE } from './occurrences.ts'
import type { EntitiesPart } from './prepared-plan.ts'

export type Representations = {
  /** The JSON text of a list in which each is different from the others. */
  readonly list: string
  readonly count: number
  /** By input: for each occurrence of its position the index of its representation, or -1. */
  readonly links: readonly Int32Array[]
}

/** Whether something is asked for an object. */
export type ObjectFilter = (position: PositionId, occurrence: number) => boolean

/**
 * Renders what identifies the entities of one `_entities` field: for each occurrence of the input positions a JSON
 * text, equal ones only once. An occurrence that lacks a key, or what every
 * field of the call requires, is not sent, nor is one that is not wanted; without `isWanted`
 * all are.
 */
export function renderRepresentations(
  part: EntitiesPart,
  occurrences: Occurrences,
  isWanted: ObjectFilter | null,
): Representations {
  const texts: string[] = []
  const byScalar = new Map<string, Map<unknown, number>>()
  /** Made when it is first needed: texts of single leaves are told apart by their values, which is much cheaper. */
  let byText: Map<string, number> | null = null
  const add = (text: string): number => {
    const index = byText?.get(text) ?? texts.push(text) - 1
    byText?.set(text, index)
    return index
  }
  const indexOf = (text: string): number => {
    byText ??= new Map(texts.map((known, index) => [known, index]))
    return add(text)
  }

  const links = part.inputs.map((input) => {
    const count = occurrences.count(input.at)
    const link = new Int32Array(count).fill(-1)
    const fixed = occurrences.position(input.at).objectType !== null
    let chosen: RepresentationCase | undefined
    let scalar: ScalarKey | null = null
    for (let occurrence = 0; occurrence < count; occurrence++) {
      if (!fixed || occurrence === 0) {
        const previous = chosen
        chosen = caseFor(input.cases, input.at, occurrence, occurrences)
        if (chosen !== previous) scalar = chosen === undefined ? null : scalarKey(chosen, byScalar)
      }
      if (chosen === undefined || isWanted?.(input.at, occurrence) === false) continue
      if (scalar !== null) {
        const value = occurrences.value(input.at, scalar.slot, occurrence, scalar.key)
        if (value === null || value === undefined || (scalar.isId && hasLostDigits(value))) continue
        if (typeof value !== 'object') {
          let index = scalar.known.get(value)
          if (index === undefined) {
            index = add(`${scalar.prefix}${JSON.stringify(value)}}`)
            scalar.known.set(value, index)
          }
          link[occurrence] = index
          continue
        }
      }
      const members = renderFields(chosen.fields, input.at, occurrence, occurrences)
      if (members === null) continue
      link[occurrence] = indexOf(`{"__typename":${JSON.stringify(chosen.typename)}${members}}`)
    }
    return link
  })
  return { list: `[${texts.join(',')}]`, count: texts.length, links }
}

/** One leaf as the whole key: by far the most common representation. */
type ScalarKey = {
  readonly slot: number
  readonly key: string
  readonly isId: boolean
  /** The JSON text up to the value. */
  readonly prefix: string
  /**
   * Indices by value, so that no text is made for an entity that is known already. A Map tells 1 from "1", as it must.
   * Shared by all cases that give the same text for the same value.
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
  // Before the type of an interface object is discovered, all that is known is what the position declares.
  const matched = type === NO_TYPE ? occurrences.position(position).type : type
  return cases.find(({ types }) => types.includes(matched))
}

/**
 * `,"name":value` for each field; null if a key is missing, so that the object cannot be identified, or an input without which
 * there is nothing to ask.
 */
function renderFields(
  fields: readonly RepresentationField[],
  position: PositionId,
  occurrence: number,
  occurrences: Occurrences,
): string | null {
  let text = ''
  for (const field of fields) {
    const value =
      field.kind === 'leaf'
        ? renderLeaf(field, position, occurrence, occurrences)
        : renderObject(field, position, occurrence, occurrences)
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
  return JSON.stringify(value)
}

/** A wrong id would bring the data of another object; without one there is none. */
function hasLostDigits(id: unknown): boolean {
  if (Array.isArray(id)) return id.some(hasLostDigits)
  return typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)
}

function renderObject(
  field: Extract<RepresentationField, { kind: 'object' }>,
  position: PositionId,
  occurrence: number,
  occurrences: Occurrences,
): string | null {
  const child = occurrences.position(field.position)
  const [provider] = child.providers
  const value =
    provider?.kind === 'inline' ? occurrences.value(position, provider.slot, occurrence, provider.key) : null
  if (value === null || value === undefined) return field.key || field.isNeeded === true ? null : 'null'
  let next = occurrences.start(field.position, occurrence)
  const end = occurrences.start(field.position, occurrence + 1)

  const render = (item: unknown): string | null => {
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
    return renderNested(field, next++, occurrences)
  }
  return render(value)
}

function renderNested(
  field: Extract<RepresentationField, { kind: 'object' }>,
  occurrence: number,
  occurrences: Occurrences,
): string | null {
  const chosen = caseFor(field.cases, field.position, occurrence, occurrences)
  if (chosen === undefined) {
    // Not one of the types that were asked for: its name alone tells the resolver that something else is there.
    const name = occurrences.typeName(field.position, occurrence)
    if (field.key) return null
    return field.withTypename && name !== null ? `{"__typename":${JSON.stringify(name)}}` : '{}'
  }
  const members = renderFields(chosen.fields, field.position, occurrence, occurrences)
  if (members === null) return null
  return field.withTypename
    ? `{"__typename":${JSON.stringify(chosen.typename)}${members}}`
    : `{${members.slice(1)}}`
}
