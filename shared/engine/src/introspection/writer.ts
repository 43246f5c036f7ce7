/**
 * Writes the answer to an introspection as JSON. The schema may be large and the answer many times as large,
 * so it is written in slices, counted, and given up when it exceeds its budget.
 */
import type { WorkBudget } from '../work/budget.ts'
import type { SlicedWork } from '../work/slices.ts'
import { isList, type List } from './lazy-list.ts'
import type { IntrospectionFields, IntrospectionField } from './shape.ts'

/** Characters that take about a microsecond to write. */
export const CHARACTERS_PER_STEP = 16

/** A list, or an object with lists in it, of which a part is written. */
type Open =
  | {
      readonly kind: 'list'
      readonly items: List
      readonly fields: IntrospectionFields
      next: number
    }
  | {
      readonly kind: 'object'
      readonly source: unknown
      readonly fields: IntrospectionFields
      next: number
    }

export class IntrospectionWriter implements SlicedWork {
  readonly #texts = new Map<string, string>()
  readonly #roots: readonly IntrospectionField[]
  readonly #budget: WorkBudget
  readonly #quoted = new Map<string, string>()
  /** Objects without lists: the same few types stand in very many places. */
  readonly #flat = new Map<IntrospectionFields, Map<unknown, string>>()
  readonly #open: Open[] = []
  /**
   * The text written of the root field `#roots[#root]`: whole slices here, and in `#pieces` the one being
   * written.
   */
  readonly #slices: string[] = []
  #pieces: string[] = []
  #root = -1

  constructor(roots: readonly IntrospectionField[], budget: WorkBudget) {
    this.#roots = roots
    this.#budget = budget
  }

  /** The finished texts by response key. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts
  }

  proceed(steps: number): boolean {
    const end = this.#budget.spent + steps
    while (this.#budget.spent < end) {
      const open = this.#open.at(-1)
      if (open === undefined) {
        if (!this.#nextRoot()) return true
      } else if (open.kind === 'list') this.#item(open)
      else this.#member(open)
    }
    this.#endSlice()
    return false
  }

  /** Begins the next root field. Returns false if there is none. */
  #nextRoot(): boolean {
    const done = this.#roots[this.#root]
    if (done !== undefined) {
      this.#endSlice()
      this.#texts.set(done.key, this.#slices.join(''))
      this.#slices.length = 0
    }
    const root = this.#roots[++this.#root]
    if (root === undefined) return false
    this.#value(root, root.read(undefined), '')
    return true
  }

  #endSlice(): void {
    this.#slices.push(this.#pieces.join(''))
    this.#pieces = []
  }

  #item(open: Extract<Open, { kind: 'list' }>): void {
    const { items, fields, next } = open
    if (next === items.length) return this.#close(']')
    open.next++
    this.#object(items.at(next), fields, next > 0 ? ',' : '')
  }

  #member(open: Extract<Open, { kind: 'object' }>): void {
    const { source, fields, next } = open
    const field = fields.all[next]
    if (field === undefined) return this.#close('}')
    open.next++
    this.#value(field, field.read(source), next > 0 ? `,${field.prefix}` : field.prefix)
  }

  #close(bracket: string): void {
    this.#write(bracket)
    this.#open.pop()
  }

  #value({ fields }: IntrospectionField, value: unknown, before: string): void {
    if (fields === null || value === null) this.#write(before + this.#leaf(value))
    else if (isList(value)) {
      this.#write(`${before}[`)
      this.#open.push({ kind: 'list', items: value, fields, next: 0 })
    } else this.#object(value, fields, before)
  }

  #object(source: unknown, fields: IntrospectionFields, before: string): void {
    if (fields.isFlat) return this.#write(before + this.#flatObject(source, fields))
    this.#write(`${before}{`)
    this.#open.push({ kind: 'object', source, fields, next: 0 })
  }

  #flatObject(source: unknown, fields: IntrospectionFields): string {
    let known = this.#flat.get(fields)
    if (known === undefined) this.#flat.set(fields, (known = new Map()))
    let text = known.get(source)
    if (text === undefined) {
      text = '{'
      for (const field of fields.all) {
        const value = field.read(source)
        const written =
          field.fields === null || value === null ? this.#leaf(value) : this.#flatObject(value, field.fields)
        text += text.length === 1 ? field.prefix + written : `,${field.prefix}${written}`
      }
      text += '}'
      known.set(source, text)
      this.#budget.step(text.length / CHARACTERS_PER_STEP)
    }
    return text
  }

  #write(text: string): void {
    this.#budget.step(text.length / CHARACTERS_PER_STEP)
    this.#pieces.push(text)
  }

  #leaf(value: unknown): string {
    if (typeof value !== 'string') return JSON.stringify(value)
    let quoted = this.#quoted.get(value)
    if (quoted === undefined) this.#quoted.set(value, (quoted = JSON.stringify(value)))
    return quoted
  }
}
