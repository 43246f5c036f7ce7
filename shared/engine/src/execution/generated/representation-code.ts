/**
 * Writes the function that collects the representations of one `_entities` field, as `RepresentationsWork`
 * does it for what is usual: objects of which each field of the representation is a leaf.
 *
 * Each input has a function for each position on the way from the root to its objects. The function is given
 * the subgraph objects that are the object together, follows link tables to those that are entities, and
 * visits what is below:
 *
 *     function visit0_2(o0) { const v = o0["product"]; if (isArray(v)) list0_3(v, 0); else … visit0_3(v); }
 *     function visit0_3(o0) { link.push(find0(o0["upc"])); }
 *
 * `find0` looks for a representation with these values, and adds it if there is none yet.
 */
import { NO_POSITION, type PositionId, type TypeId } from '../../ids/ids.ts'
import type { Plan, Position, RepresentationCase, RepresentationInput } from '../../plan/contract/plan.ts'
import { MAX_LIST_NESTING } from '../../json/object-lists.ts'
import type { EntitiesPart } from '../joining/prepared-plan.ts'
import type { TypeFacts } from '../joining/type-facts.ts'
import { compiled, isObject, memberOfSome, NotGeneratedError, quoted } from './generated-code.ts'
import { LinkCode } from './link-code.ts'
import type { PlanFunction } from './plan-function.ts'
import { formOf, type RepresentationForm, type RepresentationTexts } from './representation-texts.ts'

/**
 * A function that was generated for a part of a fetch. Returns by input, for each occurrence of its position,
 * the index of its representation or -1.
 */
export type GeneratedRepresentations = PlanFunction<RepresentationTexts, readonly Int32Array[]>

/** Throws a `NotGeneratedError` where the part needs what only the interpreter can do. */
export function generateRepresentations(
  plan: Plan,
  part: EntitiesPart,
  facts: TypeFacts,
): GeneratedRepresentations {
  const forms = new Forms()
  const inputs = part.inputs.map((input, index) => new InputCode(plan, facts, forms, input, index))
  const [root] = plan.positions
  const roots = (root?.providers ?? []).map((provider) => {
    if (provider.kind !== 'root') throw new NotGeneratedError('The root is no root.')
    return provider.fetch
  })
  const code = program(inputs, forms)
  const links = inputs.flatMap((input) => input.links.links)
  return { size: code.length, roots, links, run: compiled(code, forms.all) }
}

function program(inputs: readonly InputCode[], forms: Forms): string {
  const maps = forms.all.map((_, index) => `m${index}`)
  const shared = [
    'steps = 0',
    'most = 0',
    'texts = null',
    'link = null',
    ...maps.map((map) => `${map} = null`),
  ]
  const lines = [
    `let ${[...shared, ...inputs.flatMap(({ links }) => links.variables)].join(', ')};`,
    ...forms.functions,
    ...inputs.flatMap(({ functions }) => functions),
    'return function run(roots, entities, tables, maxSteps, given) {',
    'steps = 0; most = maxSteps; texts = given;',
    ...maps.map((map) => `${map} = new Map();`),
    'const all = [];',
    'try {',
  ]
  let first = 0
  for (const { links, call } of inputs) {
    lines.push(
      ...links.begin(first),
      'link = [];',
      `${call};`,
      ...links.check(),
      'all.push(new Int32Array(link));',
    )
    first += links.links.length
  }
  const ends = inputs.flatMap(({ links }) => links.end())
  const empty = ['texts', 'link', ...maps].map((name) => `${name} = null;`)
  lines.push('return all;', `} finally { ${[...empty, ...ends].join(' ')} }`, '}')
  return lines.join('\n')
}

/** The forms of representations that a part sends, each with the function that finds one by its values. */
class Forms {
  readonly all: RepresentationForm[] = []
  readonly functions: string[] = []
  readonly #texts: string[] = []

  /** The name of the function. Equal texts have one form, so that each of them is sent once. */
  finderOf(representation: RepresentationCase): string {
    const form = formOf(representation)
    const text = JSON.stringify(form)
    const known = this.#texts.indexOf(text)
    if (known >= 0) return `find${known}`
    if (this.all.some(({ before }) => JSON.stringify(before) === JSON.stringify(form.before)))
      throw new NotGeneratedError('Equal representations need different fields.')
    const number = this.all.push(form) - 1
    this.#texts.push(text)
    this.functions.push(finderCode(number, form.before.length))
    return `find${number}`
  }
}

function finderCode(number: number, fields: number): string {
  const keys = Array.from({ length: fields }, (_, field) => `k${field}`).join(', ')
  const lines = [`function find${number}(${keys}) {`, `const a0 = m${number}.get(k0);`]
  for (let field = 1; field < fields; field++)
    lines.push(`if (a${field - 1} !== undefined) { const a${field} = a${field - 1}.get(k${field});`)
  lines.push(`if (a${fields - 1} !== undefined) return a${fields - 1};`)
  lines.push('}'.repeat(fields - 1), `return texts.add(m${number}, constants[${number}], [${keys}]);`, '}')
  return lines.join('\n')
}

/** The code that visits the objects of one input. */
class InputCode {
  readonly links: LinkCode
  readonly functions: string[] = []
  /** Begins the walk. */
  readonly call: string
  readonly #plan: Plan
  readonly #facts: TypeFacts
  readonly #forms: Forms
  readonly #input: RepresentationInput
  readonly #number: number

  constructor(plan: Plan, facts: TypeFacts, forms: Forms, input: RepresentationInput, number: number) {
    this.#plan = plan
    this.#facts = facts
    this.#forms = forms
    this.#input = input
    this.#number = number
    this.links = new LinkCode(`${number}`)
    const given = this.#visitCode(input.at, this.#slotsOf(input), this.#collectCode())
    this.call = `visit${number}_0(${given.map((slot) => `roots[${slot}]`).join(', ')})`
  }

  #position(id: PositionId): Position {
    const position = this.#plan.positions[id]
    if (position === undefined) throw new NotGeneratedError('There is no such position.')
    return position
  }

  /** The slots of the objects that representations are made of. */
  #slotsOf({ at, cases }: RepresentationInput): readonly number[] {
    const slots = new Set([0])
    const { objectType, typename } = this.#position(at)
    if (objectType === null) for (const { slot } of typename) slots.add(slot)
    for (const field of cases.flatMap(({ fields }) => fields)) {
      if (field.kind !== 'leaf') throw new NotGeneratedError('The representation has an object in it.')
      slots.add(field.source.slot)
    }
    return ascending(slots)
  }

  /**
   * Writes the functions that lead from the root to the objects of a position, of which `slots` are read by
   * `body`. Returns the slots of the root that are read.
   */
  #visitCode(id: PositionId, slots: readonly number[], body: string): readonly number[] {
    const position = this.#position(id)
    const { parent, providers } = position
    const given = slots.filter((slot) => providers[slot]?.kind !== 'entity')
    const head = `function visit${this.#number}_${id}(${given.map((slot) => `o${slot}`).join(', ')}) {`
    this.functions.push([head, ...this.links.entities(position, slots), body, '}'].join('\n'))
    if (parent === NO_POSITION) return given
    const others = given.filter((slot) => slot !== 0)
    if (others.length === given.length) throw new NotGeneratedError('The object is no part of another one.')
    this.#checkGuard(position)
    this.functions.push(this.#listCode(id, others))
    const inline = given.map((slot) => {
      const provider = providers[slot]
      if (provider?.kind !== 'inline') throw new NotGeneratedError('The object is no part of another one.')
      return { slot, read: memberOfSome(`o${provider.slot}`, provider.key), from: provider.slot }
    })
    const enter = this.#enterCode(id, others)
    const read = inline.map(({ slot, read }) => `const v${slot} = ${read};`)
    return this.#visitCode(
      parent,
      ascending(new Set([0, ...inline.map(({ from }) => from)])),
      [...read, enter].join('\n'),
    )
  }

  #checkGuard({ guard, parent }: Position): void {
    const { objectType } = this.#position(parent)
    if (guard !== null && (objectType === null || !guard.includes(objectType)))
      throw new NotGeneratedError('The position does not exist for all types.')
  }

  /** Visits the objects in the variable `v0`, and in step with them those in the variables of other slots. */
  #enterCode(id: PositionId, others: readonly number[]): string {
    const name = `${this.#number}_${id}`
    const lists = others.map((slot) => `, v${slot}`).join('')
    const objects = others.map((slot) => `, ${isObject(`v${slot}`)} ? v${slot} : null`).join('')
    const visit = `if (${isObject('v0')}) visit${name}(v0${objects});`
    return `if (isArray(v0)) list${name}(0, v0${lists}); else ${visit}`
  }

  /** The function that goes through a list, which may hold lists. */
  #listCode(id: PositionId, others: readonly number[]): string {
    const lists = others.map((slot) => `l${slot}`)
    return [
      `function list${this.#number}_${id}(depth, l0${lists.map((list) => `, ${list}`).join('')}) {`,
      `const length = l0.length; steps += length;`,
      `if (steps > most || depth === ${MAX_LIST_NESTING}) throw UNUSUAL;`,
      ...lists.map((list) => `if (isArray(${list}) && ${list}.length !== length) throw UNUSUAL;`),
      'for (let i = 0; i < length; i++) {',
      'const v0 = l0[i];',
      ...others.map((slot) => `const v${slot} = isArray(l${slot}) ? l${slot}[i] : null;`),
      this.#enterCode(id, others).replace('(0, v0', '(depth + 1, v0'),
      '}',
      '}',
    ].join('\n')
  }

  /** Finds or adds the representation of an object, whose type may decide on what is sent. */
  #collectCode(): string {
    const { at, cases } = this.#input
    const { objectType, typename, type: declared } = this.#position(at)
    const caseFor = (type: TypeId) => cases.find(({ types }) => types.includes(type))
    if (objectType !== null) return this.#caseCode(caseFor(objectType))
    // As long as nobody has told the type of an object, it counts as being of the declared type.
    const otherwise = this.#caseCode(caseFor(declared))
    if (typename.length === 0) return otherwise
    const lines = ['let type;']
    for (const { slot, key } of typename)
      lines.push(`if (typeof type !== "string") type = ${memberOfSome(`o${slot}`, key)};`)
    lines.push(`if (typeof type !== "string") { ${otherwise} return; }`, 'switch (type) {')
    for (const type of new Set(cases.flatMap(({ types }) => types)))
      lines.push(`case ${quoted(this.#facts.nameOf(type))}: { ${this.#caseCode(caseFor(type))} return; }`)
    return [...lines, 'default: link.push(-1);', '}'].join('\n')
  }

  #caseCode(representation: RepresentationCase | undefined): string {
    if (representation === undefined) return 'link.push(-1);'
    const values = representation.fields.map((field) => {
      if (field.kind !== 'leaf') throw new NotGeneratedError('The representation has an object in it.')
      // What is missing is sent as null where it may be missing.
      return `${memberOfSome(`o${field.source.slot}`, field.source.key)} ?? null`
    })
    return `link.push(${this.#forms.finderOf(representation)}(${values.join(', ')}));`
  }
}

function ascending(slots: ReadonlySet<number>): readonly number[] {
  return [...slots].sort((a, b) => a - b)
}
