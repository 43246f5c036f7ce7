import { describe, expect, it } from 'vitest'
import { hiddenInJson, type JsonRules } from '../../../src/tracing/cleaning/json-members.ts'
import { Meter } from '../../../src/tracing/cleaning/meter.ts'
import { replaceSpans } from '../../../src/tracing/cleaning/spans.ts'
import { atOnce, done, inSlices } from './sliced.ts'

const STEPS = 5000

/** Of rules that hide members called `token`: what is learned. */
function rulesOf(isJson: boolean) {
  const learned: string[] = []
  const rules: JsonRules = {
    isHidden: ({ name }) => name === 'token',
    onHidden: (scalar) => atOnce(void learned.push(scalar)),
    shown: (text) => atOnce(text),
    isNumberShown: isJson ? () => true : null,
  }
  return { rules, learned }
}

function shown(text: string, isJson = false) {
  const meter = new Meter()
  const { rules, learned } = rulesOf(isJson)
  return { text: done(replaceSpans(text, done(hiddenInJson(text, rules, meter)), meter)), learned }
}

describe('an object with 60,000 small members', () => {
  const members = 60_000
  const text = JSON.stringify(
    Object.fromEntries(Array.from({ length: members }, (_, n) => [`t${n}`, `s${n}`])),
  )

  it('is looked through for names a few thousand members at a time', () => {
    const meter = new Meter()
    let [seen, most, learned] = [0, 0, 0]
    const rules: JsonRules = {
      isHidden: () => ++seen > 0,
      onHidden: () => atOnce(void learned++),
      shown: (name) => atOnce(name),
      isNumberShown: null,
    }
    inSlices(meter, hiddenInJson(text, rules, meter), STEPS, () => {
      most = Math.max(most, seen)
      seen = 0
    })
    expect(learned).toBe(members)
    expect(most).toBeLessThan(5000)
  })
})

describe('a string of megabytes', () => {
  it.each([
    ['plain', 'some words '.repeat(400_000)],
    ['of escapes', String.raw`\u0061\"\n`.repeat(300_000)],
    ['of quotes', String.raw`\"a\":`.repeat(600_000)],
  ])('is read in slices: %s', (_, written) => {
    const meter = new Meter()
    const { rules, learned } = rulesOf(true)
    const text = `{"token":"${written}","n":["${written}"]}`
    const { slices } = inSlices(meter, hiddenInJson(text, rules, meter), STEPS)
    expect(learned).toEqual([JSON.parse(`"${written}"`)])
    expect(slices).toBeGreaterThan(10)
  })
})

describe('a text that quotes JSON', () => {
  it.each([
    ['sent {"a":1,"token":"x y"} there', 'sent {"a":1,"token":"[redacted]"} there', ['x y']],
    ['5" wide, {"token":{"a":["x",12]},"b":1}', '5" wide, {"token":"[redacted]","b":1}', ['x', '12']],
    ['it said "{\\"token\\":\\"x\\"}" so', 'it said "{\\"token\\":\\"[redacted]\\"}" so', ['x']],
    ['{"token" : "x', '{"token" : "[redacted]"', ['x']],
    ['{"token":null,"a":"token"}', '{"token":null,"a":"token"}', []],
  ])('%s', (text, expected, secrets) => {
    expect(shown(text)).toEqual({ text: expected, learned: secrets })
  })
})
