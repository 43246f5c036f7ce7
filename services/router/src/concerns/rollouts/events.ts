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
    says: 'Rollouts of the config are not understood by this router. They select nobody, and for requests that may be of their audience the list of rollouts ends there: a later rollout could take them from the one that they belong to. Behind one that cannot be read at all, or is of an unknown mode, no rollout selects anybody.',
    advice:
      'Upgrade the router if it is older than the registry, or correct the condition that the message names. Until then, order the rollout behind those that shall go on',
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
      `Rollout "${first.rollout}" selects nobody, and requests that may be of its audience get base: ${first.message}.${more}`,
    )
  }
}
