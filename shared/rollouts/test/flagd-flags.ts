/** Flags of flagd that split users as rollouts do, and the keys to compare both with. */
import { bucketOf } from '../src/index.ts'

export const SALT = 'new-catalogue-5f1c0a9e7b3d2846'
/** Percentages by the name of their flag. */
export const PERCENTAGES: ReadonlyMap<string, number> = new Map(
  [0, 0.01, 0.5, 5, 12.34, 50, 99.99, 100].map((percent) => [`at-${percent}`, percent]),
)

/** Returns the definitions of a flag for each percentage, as flagd reads them from a file. */
export function flagDefinitions(): string {
  const flags = [...PERCENTAGES].map(([name, percent]) => {
    const inside = Math.round(percent * 100)
    const key = { cat: [`${SALT}:`, { var: 'targetingKey' }] }
    const targeting = { fractional: [key, ['on', inside], ['off', 10_000 - inside]] }
    return [name, { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off', targeting }]
  })
  return JSON.stringify({ flags: Object.fromEntries(flags) })
}

/** Returns the flags of the percentages that have a key inside. */
export function flagsInside(key: string): readonly string[] {
  const bucket = bucketOf(SALT, key)
  return [...PERCENTAGES].filter(([, percent]) => bucket < Math.round(percent * 100)).map(([name]) => name)
}

/** Returns so many keys of different forms: counted names, ids and addresses. */
export function keysLike(count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => {
    switch (number % 3) {
      case 0:
        return `user-${number}`
      case 1:
        return `${(number * 2_654_435_761) >>> 0}@shop.example`
      default:
        return String(number).padStart(number % 17, '0')
    }
  })
}
