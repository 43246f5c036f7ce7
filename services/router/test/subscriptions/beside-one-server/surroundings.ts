/** What all worlds of a run share: the tokens of users, and the count of subscriptions. */
import { recordMetrics } from '@switchyard/testkit'
import { SUBSCRIPTIONS } from '../../../src/subscriptions/metrics.ts'
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
  let served = 0
  return {
    authentication: JSON.parse(tokens.settings),
    headersOf: (user) => tokens.headersOf(user),
    served: () => {
      for (const { name, value } of measured.splice(0)) if (name === SUBSCRIPTIONS.name) served += value
      return served
    },
  }
}
