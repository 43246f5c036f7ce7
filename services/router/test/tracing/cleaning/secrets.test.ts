import { describe, expect, it } from 'vitest'
import { Random } from '@switchyard/samples'
import { Meter } from '../../../src/tracing/cleaning/meter.ts'
import { Secrets } from '../../../src/tracing/cleaning/secrets.ts'
import { replaceSpans } from '../../../src/tracing/cleaning/spans.ts'
import { ENCODINGS, formsOf } from './secret-forms.ts'
import { done } from './sliced.ts'

function secretsOf(values: readonly string[], meter = new Meter()): Secrets {
  const secrets = new Secrets(meter)
  values.forEach((value) => secrets.add(value))
  return secrets
}

function searchOf(values: readonly string[]) {
  const meter = new Meter()
  const secrets = secretsOf(values, meter)
  // What is needed for a search is made for the first one.
  done(secrets.find(`${values[0]}`))
  return {
    meter,
    built: meter.spent,
    shown: (text: string) => done(replaceSpans(text, done(secrets.find(text)), meter)),
  }
}

/** What the promise says: found by trying each secret in each of its forms, one after the other. */
function naivelyHolds(text: string, secrets: readonly string[]): boolean {
  // Forms write a space as a plus sign, and then nobody can tell the two apart.
  const folded = (each: string) => each.toWellFormed().replaceAll('+', ' ')
  const readings = [text, percentDecoded(text)].map(folded)
  return secrets.some((secret) =>
    formsOf(secret).some((form) => readings.some((reading) => reading.includes(folded(form)))),
  )
}

function percentDecoded(text: string): string {
  const bytes = Buffer.from(text).toString('latin1')
  const decoded = bytes.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return Buffer.from(decoded, 'latin1').toString()
}

const RUNS = Number(process.env['RUNS'] ?? 3000)
const SEED = Number(process.env['SEED'] ?? 1)
/** Few letters, so that secrets are alike, begin as others end, and are in each other. */
const ALPHABETS = ['ab', 'a+ /%', 'aé"\\\n', '01aZ-_=', 'x😀ü&;']

function drawnText(random: Random, alphabet: string, min: number, max: number): string {
  const letters = Array.from(alphabet)
  return Array.from({ length: min + random.below(max - min) }, () => random.pick(letters)).join('')
}

/** Eight characters that are not blank, at least. */
function drawnSecret(random: Random, alphabet: string, max: number): string {
  for (;;) {
    const drawn = drawnText(random, alphabet, 8, max)
    if (Array.from(drawn.trim()).length >= 8) return drawn
  }
}

describe(`the glance at texts, in ${RUNS} random texts (SEED=${SEED})`, () => {
  const LETTERS = ['0123456789abcdef', 'aB3+ /', 'key-of_client.7~', 'ab "\\é%\n1', 'AZaz09+/-_=']

  it('never overlooks a secret in any form, and knows most texts without one', () => {
    let told = 0
    let without = 0
    let withSecret = 0
    for (let run = 0; run < RUNS; run++) {
      const random = new Random(SEED + run)
      const alphabet = random.pick(LETTERS)
      const secrets = Array.from({ length: 1 + random.below(4) }, () => drawnSecret(random, alphabet, 40))
      const known = secretsOf(secrets)
      const planted = Array.from({ length: random.below(2) }, () =>
        random.pick(ENCODINGS)(random.pick(secrets), drawnText(random, alphabet, 0, 4)),
      )
      const text = planted.concat(drawnText(random, alphabet, 0, 60)).join(random.pick(['', ' ', '\n', 'x']))
      const isAbsent = known.areAbsentFrom(text)
      if (naivelyHolds(text, secrets)) {
        withSecret++
        expect(isAbsent, `run ${run}: ${JSON.stringify({ secrets, text })}`).toBe(false)
      } else {
        without++
        if (isAbsent) told++
      }
    }
    expect(withSecret).toBeGreaterThan(RUNS / 5)
    expect(told).toBeGreaterThan(without / 2)
  })

  it('is not taken at many secrets, nor at those without a piece that each form leaves as it is', () => {
    const text = 'a text without any of them'
    const many = Array.from({ length: 17 }, (_, n) => `secret-number-${n}`)
    expect(secretsOf(many).areAbsentFrom(text)).toBe(false)
    expect(secretsOf(many.slice(1)).areAbsentFrom(text)).toBe(true)
    expect(secretsOf(['ab cd ef gh ij']).areAbsentFrom(text)).toBe(false)
    expect(secretsOf(['ünïcödé, ünd mëhr']).areAbsentFrom(text)).toBe(false)
  })

  it('is not taken at long texts', () => {
    const secrets = secretsOf(['0a1b2c3d4e5f6071'])
    expect(secrets.areAbsentFrom('.'.repeat(1 << 16))).toBe(true)
    expect(secrets.areAbsentFrom('.'.repeat((1 << 16) + 1))).toBe(false)
  })
})

describe(`the search for secrets, in ${RUNS} random texts (SEED=${SEED})`, () => {
  it('leaves no form of a secret, and a text without any as it is', () => {
    let found = 0
    let untouched = 0
    for (let run = 0; run < RUNS; run++) {
      const random = new Random(SEED + run)
      const alphabet = random.pick(ALPHABETS)
      const secrets = Array.from({ length: 1 + random.below(6) }, () => drawnSecret(random, alphabet, 14))
      const planted = Array.from({ length: random.below(4) }, () =>
        random.pick(ENCODINGS)(random.pick(secrets), drawnText(random, alphabet, 0, 4)),
      )
      const text = planted.concat(drawnText(random, alphabet, 0, 30)).join(random.pick(['', ' ', '|', 'x']))
      const shown = searchOf(secrets).shown(text)
      const what = `run ${run}: ${JSON.stringify({ secrets, text, shown })}`
      if (naivelyHolds(text, secrets)) found++
      else {
        untouched++
        expect(shown, what).toBe(text)
      }
      expect(naivelyHolds(shown, secrets), what).toBe(false)
      for (const secret of secrets)
        for (const form of formsOf(secret)) expect(shown.includes(form), `${what} ${form}`).toBe(false)
    }
    expect(found).toBeGreaterThan(RUNS / 4)
    expect(untouched).toBeGreaterThan(RUNS / 20)
  })
})

describe('a secret that is part of another one', () => {
  it('is found where the longer one begins and breaks off', () => {
    const { shown } = searchOf(['abcdefghijkl', 'bcdefghi', 'cdefghijk'])
    expect(shown('xabcdefghi-abcdefghijk-abcdefghijkl')).toBe('xa[redacted]-a[redacted]-[redacted]')
  })
})

describe('the work to find secrets', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => `secret-${n}-of-many`)

  it('is linear in the secrets and the text: 6,000 of them in 2.8 MB', () => {
    const secrets = numbered(6_000)
    const bytes = secrets.join('').length
    const text = 'a text of no secrets, with words and 12345, secret-9999 '.repeat(50_000)
    const { meter, built, shown } = searchOf(secrets)
    expect(built).toBeLessThan(bytes * 120)
    expect(shown(text)).toBe(text)
    expect(meter.spent - built).toBeLessThan(text.length * 3)
    expect(meter.spent - built).toBeGreaterThan(text.length)
  })

  it('does not depend on how many secrets there are', () => {
    const text = 'secret-1-of-man secret-2-of-man '.repeat(10_000)
    const work = [10, 6_000].map((count) => {
      const { meter, built, shown } = searchOf(numbered(count))
      shown(text)
      return meter.spent - built
    })
    expect((work[1] ?? 0) / (work[0] ?? 1)).toBeLessThan(1.5)
  })

  it.each([
    ['repetitions of one letter', (n: number) => 'a'.repeat(n), 'a'.repeat(700_000)],
    ['texts that all but end', (n: number) => `${'a'.repeat(n)}b`, 'a'.repeat(700_000)],
    ['halves that take turns', (n: number) => 'ab'.repeat(n), 'ab'.repeat(350_000)],
    ['percent codes', (n: number) => '%'.repeat(n), '%25'.repeat(250_000)],
    ['backslashes', (n: number) => '\\'.repeat(n), '\\'.repeat(700_000)],
    ['line breaks', (n: number) => 'a'.repeat(n), 'a\n'.repeat(350_000)],
  ])('is linear for secrets and texts that are %s', (_, secretOf, text) => {
    const secrets = Array.from({ length: 300 }, (__, n) => secretOf(8 + n))
    const { meter, built, shown } = searchOf(secrets)
    expect(built).toBeLessThan(secrets.join('').length * 120)
    shown(text)
    expect(meter.spent - built).toBeLessThan(text.length * 20)
  })

  it('is done in slices', () => {
    const meter = new Meter()
    let slices = 0
    const inSlices = <Result>(work: Generator<undefined, Result>): Result => {
      for (;;) {
        const before = meter.spent
        meter.beginSlice(100)
        const next = work.next()
        slices++
        // The last chunk of a slice may go beyond it.
        expect(meter.spent - before).toBeLessThan(100 * 64 + 4 * 4096)
        if (next.done === true) return next.value
      }
    }
    const secrets = secretsOf(numbered(400), meter)
    inSlices(secrets.find('%41\\u0041 abcdefghijklmnop '.repeat(4000)))
    expect(slices).toBeGreaterThan(50)
  })
})
