import { describe, expect, expectTypeOf, it } from 'vitest'
import { typeOf } from '../src/graph/graph.ts'
import {
  type FetchId,
  fetchId,
  type GroupId,
  type LabelId,
  type PositionId,
  type SubgraphId,
  subgraphId,
  type TypeId,
  typeId,
} from '../src/ids/ids.ts'

type Ids = {
  fetch: FetchId
  group: GroupId
  label: LabelId
  position: PositionId
  subgraph: SubgraphId
  type: TypeId
}
/** Pairs of different kinds of ids of which one can be passed for the other: there must be none. */
type Confusable = {
  [One in keyof Ids]: {
    [Other in Exclude<keyof Ids, One>]: Ids[One] extends Ids[Other] ? [One, Other] : never
  }[Exclude<keyof Ids, One>]
}[keyof Ids]

describe('ids', () => {
  it('are numbers at run time, so that plans stay plain data', () => {
    expect([fetchId(3), subgraphId(0), typeId(-1)]).toEqual([3, 0, -1])
  })

  it('of different kinds cannot be swapped, nor be made from a number by accident', () => {
    expectTypeOf<Confusable>().toEqualTypeOf<never>()
    expectTypeOf<number>().not.toExtend<TypeId>()
    expectTypeOf<SubgraphId>().not.toExtend<Parameters<typeof typeOf>[1]>()
    expectTypeOf<TypeId>().toExtend<Parameters<typeof typeOf>[1]>()
  })

  it('still serve as indices', () => {
    expectTypeOf<TypeId>().toExtend<number>()
    expect(['Query', 'User'][typeId(1)]).toBe('User')
  })
})
