/**
 * Writes the function that completes the response of one plan, as `Completion` does it for what is usual.
 *
 * There is one function for each object shape. It is given the subgraph objects that are the object together,
 * follows the link tables to those that are entities, and returns a literal with the fields in the order of
 * the operation. Objects of one literal have one hidden class, which is what makes building and printing them
 * fast:
 *
 *     function shape2(o0) {
 *       const at = c3++; const i1 = l3_1 === null ? -1 : l3_1[at]; let o1 = i1 >= 0 ? e3_1[i1] : null; …
 *       let v1 = o0["upc"]; if (v1 == null) throw UNUSUAL; …
 *       return { "upc": v1, "price": v2 }
 *     }
 *
 * Occurrences are numbered in document order, which is the order in which the functions meet them. So a
 * counter for each position leads through its link tables.
 */
import { NO_RUNTIME_TYPE, ROOT_POSITION, type TypeId } from '../../ids/ids.ts'
import type { ObjectShape, Plan, Position, ShapeField, ShapeNode } from '../../plan/contract/plan.ts'
import type { DataField } from '../completion/frame.ts'
import { fieldsFor, objectIn, showsType } from '../joining/prepared-plan.ts'
import type { TypeFacts } from '../joining/type-facts.ts'
import { completionProgram, type GeneratedCompletion } from './completion-program.ts'
import {
  compiled,
  isObject,
  literalMember,
  MAX_CODE,
  memberOf,
  memberOfSome,
  NotGeneratedError,
  quoted,
} from './generated-code.ts'
import { LinkCode } from './link-code.ts'
import { ReadSlots, sourceOf } from './read-slots.ts'
import { LeafCode } from './leaf-code.ts'

/**
 * Generates the completion of a plan. `shape` is that of the root object, with all fields of the operation or
 * those of the initial result. Throws a `NotGeneratedError` if the plan needs something that only the
 * interpreter can do.
 */
export function generateCompletion(
  plan: Plan,
  facts: TypeFacts,
  shape: ObjectShape = plan.shape,
): GeneratedCompletion {
  return new CompletionCode(plan, facts).generated(shape)
}

class CompletionCode {
  readonly #plan: Plan
  readonly #facts: TypeFacts
  readonly #leaves: LeafCode
  readonly #links = new LinkCode()
  /** The number of the function that completes each shape. */
  readonly #numbers = new Map<ObjectShape, number>()
  readonly #functions: string[] = []
  readonly #slots: ReadSlots
  #size = 0
  #variables = 0

  constructor(plan: Plan, facts: TypeFacts) {
    this.#plan = plan
    this.#facts = facts
    this.#leaves = new LeafCode(facts)
    this.#slots = new ReadSlots(plan)
  }

  generated(shape: ObjectShape): GeneratedCompletion {
    if (this.#plan.introspection !== null) throw new NotGeneratedError('Introspection is answered elsewhere.')
    const root = this.#functionOf(shape)
    const { providers } = this.#slots.position(ROOT_POSITION)
    const slots = this.#slots.of(shape)
    const roots = providers.map((provider, slot) => {
      if (provider.kind !== 'root') throw new NotGeneratedError('The root is no root.')
      return slots.includes(slot) ? provider.fetch : null
    })
    const call = `${root}(${slots.map((slot) => `roots[${slot}]`).join(', ')})`
    const code = completionProgram(this.#functions, this.#links, call)
    return { size: code.length, roots, links: this.#links.links, run: compiled(code, this.#leaves.constants) }
  }

  #variable(): string {
    return `v${this.#variables++}`
  }

  #functionOf(shape: ObjectShape): string {
    const known = this.#numbers.get(shape)
    if (known !== undefined) return `shape${known}`
    const number = this.#numbers.size
    this.#numbers.set(shape, number)
    const body = this.#objectCode(shape)
    const given = this.#slots.given(shape).map((slot) => `o${slot}`)
    const code = `function shape${number}(${given.join(', ')}) {\n${body}\n}`
    this.#functions.push(code)
    return `shape${number}`
  }

  /** Counts code while it is written, so that too much of it is not written at all. */
  #counted(code: string): string {
    this.#size += code.length
    if (this.#size > MAX_CODE) throw new NotGeneratedError('The code is too long.')
    return code
  }

  #objectCode(shape: ObjectShape): string {
    const position = this.#slots.position(shape.position)
    const lines = this.#links.entities(position, this.#slots.of(shape))
    const { objectType, typename } = position
    if (shape.position === ROOT_POSITION) {
      lines.push(this.#literalCode(shape, fieldsFor(shape, this.#plan.rootType), [this.#plan.rootType]))
    } else if (objectType !== null) {
      if (!this.#facts.possible(shape.type).has(objectType))
        throw new NotGeneratedError('Clients do not know the type.')
      lines.push(this.#literalCode(shape, fieldsFor(shape, objectType), [objectType]))
    } else if (typename.length === 0) {
      // An interface object, whose runtime type nobody needs to know.
      if (showsType(shape)) throw new NotGeneratedError('The type is not known.')
      lines.push(this.#literalCode(shape, fieldsFor(shape, NO_RUNTIME_TYPE), []))
    } else lines.push(...this.#casesCode(shape, position))
    return lines.join('\n')
  }

  /** Objects whose type a subgraph names. */
  #casesCode(shape: ObjectShape, { typename }: Position): string[] {
    const lines = ['let type;']
    for (const { slot, key } of typename)
      lines.push(`if (typeof type !== "string") type = ${memberOfSome(`o${slot}`, key)};`)
    const byFields = new Map<readonly ShapeField[], TypeId[]>()
    for (const type of this.#facts.possible(shape.type)) {
      const fields = fieldsFor(shape, type)
      const types = byFields.get(fields)
      if (types === undefined) byFields.set(fields, [type])
      else types.push(type)
    }
    lines.push('switch (type) {')
    for (const [fields, types] of byFields) {
      for (const type of types) lines.push(this.#counted(`case ${quoted(this.#facts.nameOf(type))}:`))
      lines.push('{', this.#literalCode(shape, fields, types), '}')
    }
    lines.push('default: throw UNUSUAL;', '}')
    return lines
  }

  /**
   * Writes an object literal. `types` are the types that the object may have here; none means that no field
   * depends on the type.
   */
  #literalCode(shape: ObjectShape, fields: readonly ShapeField[], types: readonly TypeId[]): string {
    const lines: string[] = []
    const members: string[] = []
    let leaves = 0
    for (const field of fields) {
      if (field.kind === 'introspection') throw new NotGeneratedError('Introspection is answered elsewhere.')
      if (field.kind === 'typename' || isPlainLeaf(field.node)) leaves++
      if (field.kind === 'typename') {
        const [type, other] = types
        if (type === undefined) throw new NotGeneratedError('The type is not known.')
        members.push(
          literalMember(field.key, other === undefined ? quoted(this.#facts.nameOf(type)) : 'type'),
        )
      } else {
        const value = this.#variable()
        lines.push(this.#counted(this.#fieldCode(field, shape, types, value)))
        members.push(literalMember(field.key, value))
      }
    }
    return [
      `steps += ${fields.length}; weight += ${leaves};`,
      ...lines,
      `return { ${members.join(', ')} };`,
    ].join('\n')
  }

  #fieldCode(field: DataField, shape: ObjectShape, types: readonly TypeId[], value: string): string {
    const { slot, key } = sourceOf(field)
    const isThere = slot === 0 && shape.position !== ROOT_POSITION
    const read = isThere ? memberOf(`o${slot}`, key) : memberOfSome(`o${slot}`, key)
    const lines = [`let ${value} = ${read};`]
    const below = objectIn(field.node)
    const others: Companions = new Map()
    if (below !== null) {
      const { guard } = this.#slots.position(below.position)
      if (guard !== null && (types.length === 0 || !types.every((type) => guard.includes(type))))
        throw new NotGeneratedError('The position does not exist for all types.')
      const [[first, provider] = [-1, null], ...rest] = this.#slots.inline(below)
      if (first !== 0 || provider?.slot !== slot || provider.key !== key)
        throw new NotGeneratedError('The field has another source.')
      for (const [number, provider] of rest) {
        const other = this.#variable()
        others.set(number, other)
        lines.push(`const ${other} = ${memberOfSome(`o${provider.slot}`, provider.key)};`)
      }
    }
    lines.push(this.#valueCode(field.node, field.nonNull, value, others))
    return lines.join('\n')
  }

  /** Replaces what a subgraph sent, which is in the variable `value`, by what the client gets. */
  #valueCode(node: ShapeNode, nonNull: boolean, value: string, others: Companions): string {
    const whenNull = nonNull ? 'throw UNUSUAL;' : `${value} = null;`
    return `if (${value} == null) ${whenNull} else {\n${this.#presentCode(node, value, others)}\n}`
  }

  #presentCode(node: ShapeNode, value: string, others: Companions): string {
    switch (node.kind) {
      case 'leaf':
        return this.#leaves.codeOf(node, value)
      case 'list':
        return this.#listCode(node, value, others)
      case 'object': {
        const given = [...others.values()].map((other) => `${isObject(other)} ? ${other} : null`)
        const call = `${this.#functionOf(node)}(${[value, ...given].join(', ')})`
        return `if (!${isObject(value)}) throw UNUSUAL;\n${value} = ${call};`
      }
      case 'denied':
        throw new NotGeneratedError('A field that may not be seen is an error.')
      default:
        return node satisfies never
    }
  }

  #listCode(node: Extract<ShapeNode, { kind: 'list' }>, value: string, others: Companions): string {
    const list = this.#variable()
    const length = this.#variable()
    const index = this.#variable()
    const item = this.#variable()
    const items: Companions = new Map()
    const lines = [
      `if (!isArray(${value})) throw UNUSUAL;`,
      `const ${length} = ${value}.length, ${list} = [];`,
      `steps += ${length}; weight += ${length}; if (steps > most) throw UNUSUAL;`,
      ...[...others.values()].map((o) => `if (isArray(${o}) && ${o}.length !== ${length}) throw UNUSUAL;`),
      `for (let ${index} = 0; ${index} < ${length}; ${index}++) {`,
      `let ${item} = ${value}[${index}];`,
    ]
    for (const [slot, other] of others) {
      const inner = this.#variable()
      items.set(slot, inner)
      lines.push(`const ${inner} = isArray(${other}) ? ${other}[${index}] : null;`)
    }
    lines.push(
      this.#valueCode(node.item, node.nonNullItem, item, items),
      `${list}.push(${item});`,
      '}',
      `${value} = ${list};`,
    )
    return lines.join('\n')
  }
}

/** The variable that holds the object of each slot of a position, or the list with its objects. */
type Companions = Map<number, string>

/** Counted together with the other leaves of its object; custom scalars are weighed one by one. */
function isPlainLeaf(node: ShapeNode): boolean {
  return node.kind === 'leaf' && node.coerce !== 'custom'
}
