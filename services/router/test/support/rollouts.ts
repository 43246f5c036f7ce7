/** Rollouts as tests write them, and users whose buckets are known. */
import type { ManifestRollout } from '@switchyard/contracts'
import { bucketOf } from '@switchyard/rollouts'
import { type TestRouter, until } from './router.ts'

const SALT = 'salt'

/** A rollout of the flag `next`, by the header X-User, for half of the users. */
export function rollout(change: Partial<ManifestRollout> = {}): ManifestRollout {
  return {
    name: 'catalogue',
    flag: 'next',
    mode: 'serve',
    where: [],
    percent: 50,
    key: ['header:X-User'],
    salt: SALT,
    ...change,
  }
}

/** Names of users inside of a percentage, and of users outside. */
export function usersOf(
  percent: number,
  count: number,
  salt = SALT,
): { readonly inside: readonly string[]; readonly outside: readonly string[] } {
  const inside: string[] = []
  const outside: string[] = []
  for (let number = 0; inside.length < count || outside.length < count; number++) {
    const side = bucketOf(salt, `user-${number}`) < percent * 100 ? inside : outside
    if (side.length < count) side.push(`user-${number}`)
  }
  return { inside, outside }
}

/** Waits until a router serves a revision. */
export async function untilServed({ logs }: TestRouter, revision: number): Promise<void> {
  const isSwap = (line: TestRouter['logs'][number]) =>
    line.event === 'config.swapped' &&
    JSON.stringify(line['version']) === `{"epoch":1,"revision":${revision}}`
  await until(() => logs.some(isSwap), `revision ${revision} is served`)
}
