/** The parts that all worlds of a run share: the tokens of users, and the metrics of routers. */
import { recordMetrics } from '@switchyard/testkit'
import { USER_NAMES, USERS } from '../../concerns/authorization/users.ts'
import { issueTokens } from '../../support/issued-tokens.ts'
import { inSeconds } from '../../support/token-issuer.ts'
import type { ShareBy, Surroundings } from './check-world.ts'

/** Seconds for which tokens are valid. */
const LONGEST_RUN = 24 * 60 * 60

export async function openSurroundings(
  stack: AsyncDisposableStack,
  shareBy: ShareBy | null = null,
): Promise<Surroundings> {
  const { measured } = stack.use(recordMetrics())
  const tokens = stack.use(
    await issueTokens(
      Object.fromEntries(
        USER_NAMES.flatMap((user) =>
          USERS[user].claims === null ? [] : [[user, { ...USERS[user].claims, exp: inSeconds(LONGEST_RUN) }]],
        ),
      ),
    ),
  )
  const sums = new Map<string, number>()
  return {
    authentication: JSON.parse(tokens.settings),
    shareBy,
    headersOf: (user) => tokens.headersOf(user),
    sumOf: (metric) => {
      for (const { name, value } of measured.splice(0)) sums.set(name, (sums.get(name) ?? 0) + value)
      return sums.get(metric) ?? 0
    },
  }
}
