import { describe, expect, it } from 'vitest'
import { murmurHash3, stickyShare } from '../src/index.ts'

describe('MurmurHash3 x86 32', () => {
  // As mmh3 5.2 (Python) and murmurhash3js-revisited 3.0 say them.
  it.each([
    ['', 0],
    ['a', 1_009_084_850],
    ['ab', 2_613_040_991],
    ['abc', 3_017_643_002],
    ['abcd', 1_139_631_978],
    ['abcde', 3_902_511_862],
    ['test', 0xba6b_d213],
    ['Hello, world!', 0xc036_3e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4f_f723],
    ['default/shop/override:ann', 416_481_803],
    ['default/shop/override:ben', 3_899_635_081],
    ['ключ', 2_589_532_226],
    ['日本語', 2_779_017_879],
    ['😀', 3_199_479_546],
    ['x'.repeat(512), 3_602_645_912],
  ])('of %j', (text, hash) => {
    expect(murmurHash3(Buffer.from(text))).toBe(hash)
    expect(stickyShare(text)).toBe(hash / 2 ** 32)
  })
})

it('a million keys are spread within a tenth of a percent of each percentage', () => {
  const percentages = [0.01, 1, 5, 10, 25, 50, 75, 95, 99.99]
  const inside = percentages.map(() => 0)
  const keys = 1_000_000
  for (let key = 0; key < keys; key++) {
    const place = stickyShare(`default/shop/override:user-${key}`) * 100
    for (const [index, percent] of percentages.entries()) if (place < percent) inside[index]!++
  }
  const off = percentages.map((percent, index) => Math.abs((100 * inside[index]!) / keys - percent))
  expect(Math.max(...off)).toBeLessThanOrEqual(0.1)
})
