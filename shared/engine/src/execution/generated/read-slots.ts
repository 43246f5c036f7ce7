/**
 * Which subgraph objects generated code needs to complete the objects of a shape. Objects are given by slots
 * of their position, see `plan.ts`.
 */
import type { PositionId } from '../../ids/ids.ts'
import type { ObjectShape, Plan, Position, Provider, Source } from '../../plan/contract/plan.ts'
import type { DataField } from '../completion/frame.ts'
import { objectIn } from '../joining/prepared-plan.ts'
import { NotGeneratedError } from './generated-code.ts'

type InlineProvider = Extract<Provider, { readonly kind: 'inline' }>

/** The slots that are read, for all shapes of a plan. */
export class ReadSlots {
  readonly #plan: Plan
  readonly #known = new Map<ObjectShape, readonly number[]>()

  constructor(plan: Plan) {
    this.#plan = plan
  }

  position(id: PositionId): Position {
    const position = this.#plan.positions[id]
    if (position === undefined) throw new NotGeneratedError('There is no such position.')
    return position
  }

  /** All slots that are read of the objects of a shape, ascending; slot 0 is always among them. */
  of(shape: ObjectShape): readonly number[] {
    const known = this.#known.get(shape)
    if (known !== undefined) return known
    const slots = new Set([0])
    for (const { slot } of this.position(shape.position).typename) slots.add(slot)
    for (const field of shape.cases.flatMap(({ fields }) => fields)) {
      if (field.kind !== 'field') continue
      slots.add(sourceOf(field).slot)
      const below = objectIn(field.node)
      if (below !== null) for (const [, { slot }] of this.inline(below)) slots.add(slot)
    }
    const sorted = [...slots].sort((a, b) => a - b)
    this.#known.set(shape, sorted)
    return sorted
  }

  /** Those that are known to whoever has the object around: all but entities, which link tables lead to. */
  given(shape: ObjectShape): readonly number[] {
    const { providers } = this.position(shape.position)
    return this.of(shape).filter((slot) => providers[slot]?.kind !== 'entity')
  }

  /** The same with the place of their objects in the object around. */
  inline(shape: ObjectShape): readonly (readonly [slot: number, provider: InlineProvider])[] {
    const { providers } = this.position(shape.position)
    return this.given(shape).map((slot) => {
      const provider = providers[slot]
      if (provider?.kind !== 'inline') throw new NotGeneratedError('The object is no part of another one.')
      return [slot, provider] as const
    })
  }
}

/** Where the value of a field is read. */
export function sourceOf({ source }: DataField): Source {
  if (source === null) throw new NotGeneratedError('The field returns the query root again.')
  return source
}
