/** The entity representations of one call, as generated code collects them. */
import type { RepresentationCase } from '../../plan/contract/plan.ts'
import { NotGeneratedError, UNUSUAL } from './generated-code.ts'

/** A representation of which every field is a leaf. */
export type RepresentationForm = {
  /** The text before each field's value. */
  readonly before: readonly string[]
  /** Whether an object is not sent if the field is null or missing in it, for each field. */
  readonly isNeeded: readonly boolean[]
  /** Whether each field is an ID, in which a whole number beyond 53 bits has lost its digits. */
  readonly isId: readonly boolean[]
}

/**
 * Indices of representations by the value of a field, or further such maps by the value of the next field.
 */
type ByValue = Map<unknown, number | ByValue>

/** Most characters of the representations that generated code collects for one call. */
const MAX_CHARACTERS = 256 * 1024

/** Throws a `NotGeneratedError` where a field is no leaf. */
export function formOf({ typename, fields }: RepresentationCase): RepresentationForm {
  if (fields.length === 0) throw new NotGeneratedError('The representation has no fields.')
  const begin = `{"__typename":${JSON.stringify(typename)}`
  return {
    before: fields.map(({ name }, index) => `${index === 0 ? begin : ''},${JSON.stringify(name)}:`),
    isNeeded: fields.map(({ key, isNeeded }) => key || isNeeded === true),
    isId: fields.map((field) => field.kind === 'leaf' && field.isId === true),
  }
}

/** Collects the texts of representations, each of which is there once. */
export class RepresentationTexts {
  readonly texts: string[] = []
  characters = 0

  /**
   * Adds a representation that is not in `known` yet. Returns its index, or -1 if it is not sent because
   * something is missing that identifies the object. Throws `UNUSUAL` for values other than texts, booleans
   * and numbers that are what was sent.
   */
  add(known: ByValue, { before, isNeeded, isId }: RepresentationForm, values: readonly unknown[]): number {
    let text = ''
    for (let field = 0; field < values.length; field++) {
      const value = values[field]
      if (value === null || value === undefined) {
        if (isNeeded[field] === true) return -1
      } else if (!isPlain(value, isId[field] === true)) throw UNUSUAL
      text += `${before[field]}${JSON.stringify(value)}`
    }
    this.characters += text.length
    if (this.characters > MAX_CHARACTERS) throw UNUSUAL
    const index = this.texts.push(`${text}}`) - 1
    keep(known, values, index)
    return index
  }
}

function keep(known: ByValue, values: readonly unknown[], index: number): void {
  let inner = known
  const last = values.length - 1
  for (let field = 0; field < last; field++) {
    let next = inner.get(values[field])
    if (typeof next !== 'object') inner.set(values[field], (next = new Map()))
    inner = next
  }
  inner.set(values[last], index)
}

function isPlain(value: unknown, isId: boolean): boolean {
  if (typeof value !== 'number') return typeof value === 'string' || typeof value === 'boolean'
  return Number.isFinite(value) && !(isId && Number.isInteger(value) && !Number.isSafeInteger(value))
}
