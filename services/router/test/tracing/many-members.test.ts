/**
 * Data with very many small members: what is done in one slice goes by their number, not only by their
 * characters.
 */
import { Meter, type Sliced } from '../../src/tracing/cleaning/meter.ts'
import { describe, expect, it } from 'vitest'
import { JsonValues } from '../../src/tracing/cleaning/json-values.ts'

const STEPS = 5000
const MEMBERS = 60_000
const value = Object.fromEntries(Array.from({ length: MEMBERS }, (_, n) => [`t${n}`, `s${n}`]))

/** Its result, and how many slices it took. */
function inSlices<Result>(meter: Meter, work: Sliced<Result>) {
  for (let slices = 1; ; slices++) {
    meter.beginSlice(STEPS)
    const next = work.next()
    if (next.done === true) return { result: next.value, slices }
  }
}

describe('an object with 60,000 small members', () => {
  it('is written in slices, as JSON writes it', () => {
    const meter = new Meter()
    const { result, slices } = inSlices(meter, new JsonValues(meter).textOf(value))
    expect(result).toBe(JSON.stringify(value))
    expect(slices).toBeGreaterThan(10)
  })

  it.each([0, 1, 1023, 1024, 1025, 2048])('(a list of %i large texts is, too)', (count) => {
    const meter = new Meter()
    const list = Array.from({ length: count }, () => 'x'.repeat(17))
    list.push('y'.repeat(20_000))
    expect(inSlices(meter, new JsonValues(meter).textOf(list)).result).toBe(JSON.stringify(list))
  })
})
