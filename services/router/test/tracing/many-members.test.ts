/** Data with very many small members: what is done in one slice goes by their number, not only by their characters. */
import { describe, expect, it } from 'vitest'
import { JsonValues } from '../../src/tracing/json-values.ts'
import { hiddenInJson } from '../../src/tracing/redaction/json-members.ts'
import { Meter, type Sliced } from '../../src/tracing/sliced.ts'

const STEPS = 5000
const MEMBERS = 60_000
const value = Object.fromEntries(Array.from({ length: MEMBERS }, (_, n) => [`t${n}`, `s${n}`]))

/** Its result, and how many slices it took. */
function inSlices<Result>(meter: Meter, work: Sliced<Result>, onSlice = () => {}) {
  for (let slices = 1; ; slices++) {
    meter.beginSlice(STEPS)
    const next = work.next()
    onSlice()
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

  it('is looked through for names a few thousand members at a time', () => {
    const meter = new Meter()
    let seen = 0
    let most = 0
    const isHidden = () => {
      seen++
      return true
    }
    const { result } = inSlices(meter, hiddenInJson(JSON.stringify(value), isHidden, null, meter), () => {
      most = Math.max(most, seen)
      seen = 0
    })
    expect(result.scalars).toHaveLength(MEMBERS)
    expect(most).toBeLessThan(5000)
  })
})
