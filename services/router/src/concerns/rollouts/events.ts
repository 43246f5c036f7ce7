/** Says what of the rollouts of a graph was not understood. */
import type { RolloutProblem } from '@switchyard/rollouts'
import { logEvent, type Logger } from '@switchyard/service-kit'

/** Problems in one log line. */
const MAX_LISTED = 20

/** The log events of this file. */
export const LOGGED = {
  notUnderstood: logEvent('rollouts.not-understood', {
    level: 'warn',
    fields: ['problems', 'count'],
    says: 'Rollouts of the config have conditions that this router does not understand. These hold for nobody, and neither do their opposites.',
    advice:
      'Correct the condition that the message names, or upgrade the router if it is older than the registry',
  }),
}

/** Logs problems of rollouts. */
export class RolloutEvents {
  readonly #log: Logger

  constructor(logger: Logger) {
    this.#log = logger
  }

  notUnderstood(problems: readonly RolloutProblem[]): void {
    const [first] = problems
    if (first === undefined) return
    const more = problems.length === 1 ? '' : ` So it is with ${problems.length - 1} more.`
    LOGGED.notUnderstood.write(
      this.#log,
      {
        problems: problems.slice(0, MAX_LISTED).map(({ rollout, message }) => `${rollout}: ${message}`),
        count: problems.length,
      },
      `Rollout "${first.rollout}" selects fewer clients than it says: ${first.message}.${more}`,
    )
  }
}
