/** The parts that all worlds of a run share: the tokens of users, and the metrics of routers. */
import { recordMetrics } from '@switchyard/testkit'
import { USER_NAMES, USERS } from '../../concerns/authorization/users.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import type { Surroundings } from './check-world.ts'

export async function openSurroundings(stack: AsyncDisposableStack): Promise<Surroundings> {
  const { measured } = stack.use(recordMetrics())
  const tokens = stack.use(
    await issueTokens(
      Object.fromEntries(
        USER_NAMES.flatMap((user) =>
          USERS[user].claims === null ? [] : [[user, { ...USERS[user].claims }]],
        ),
      ),
    ),
  )
  const sums = new Map<string, number>()
  return {
    authentication: JSON.parse(tokens.settings),
    headersOf: (user) => tokens.headersOf(user),
    sumOf: (metric) => {
      for (const { name, value } of measured.splice(0)) sums.set(name, (sums.get(name) ?? 0) + value)
      return sums.get(metric) ?? 0
    },
  }
}
