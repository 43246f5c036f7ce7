/** The requests of a scenario, with what has to come back. */
import { isRecord } from '@switchyard/values'
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../answer.ts'
import type { LoadRequest } from '../load-options.ts'
import { expectedData } from './cinema.ts'
import { flagName } from './gateways/switchyard.ts'
import type { Scenario } from './scenarios.ts'

/** Users of one scenario: more than are ever in flight at a time, so that no two of those are equal. */
const USERS_PER_CONNECTION = 2

/** Asked in turn. Answers are compared with what one server that has everything would answer. */
export async function questionsOf(scenario: Scenario): Promise<readonly LoadRequest[]> {
  const { query, distinct, connections, setUp, needs } = scenario
  const data = await expectedData(query)
  const count = distinct ? Math.max(connections * USERS_PER_CONNECTION, setUp.flags) : 1
  return Array.from({ length: count }, (_, index) => ({
    name: scenario.id,
    query,
    headers: {
      ...(distinct ? { authorization: `Bearer user-${index}` } : {}),
      ...(setUp.flags > 0 ? { 'x-feature-flag': flagName(index % setUp.flags) } : {}),
      ...(needs === 'traced' ? { 'x-vendor-trace': 'true' } : {}),
    },
    deferred: needs === 'deferred',
    // No two traces are equal, so each is read.
    ...(needs === 'traced' ? { judge: (answer) => tracedComplaint(answer, data) } : { expected: [data] }),
  }))
}

function tracedComplaint({ data, extensions }: Answer, expected: unknown): string | null {
  if (!isDeepStrictEqual(data, expected)) return 'Other data than expected.'
  return isRecord(extensions) && isRecord(extensions['trace']) ? null : 'The answer has no trace.'
}
