import { listProblems } from '@switchyard/service-kit'

/**
 * The settings are not usable. `problems` names each wrong one with its place, what was given and what was
 * expected.
 */
export class RouterConfigError extends Error {
  readonly code = 'ROUTER_CONFIG_INVALID'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(listProblems("The router's settings are not usable, so nothing was started.", problems))
    this.name = 'RouterConfigError'
    this.problems = problems
  }
}
