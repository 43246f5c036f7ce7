import { RolloutView } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import type { Detail } from '../../output/details.ts'
import { detailsResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import {
  printAudience,
  printFlagState,
  printKey,
  printPercent,
  printRouters,
  printState,
} from '../../rollouts/print-rollout.ts'
import { rampDetails } from '../../rollouts/print-ramp.ts'
import { shadowLines } from '../../rollouts/shadow-options.ts'

export const command = registryCommand({
  name: 'get',
  argument: { name: 'name', type: rolloutName },
  description: 'show a rollout: whom it selects, the state of its flag, and the routers that have it',
  examples: ['rollout get new-pricing', 'rollout get new-pricing --json'],
  run: async ({ namespace, registry, argument, context }) => {
    const found = await registry.get(apiPath('rollouts', namespace, argument), RolloutView)
    const { routers, ...result } = found
    return detailsResult({ result, routers }, detailsOf(found, Date.now()), context)
  },
})

function detailsOf(rollout: RolloutView, now: number): readonly Detail[] {
  return [
    ['name', rollout.name],
    ['namespace', rollout.namespace],
    ['federated graph', rollout.graph],
    ['feature flag', rollout.flag],
    ['flag state', printFlagState(rollout)],
    ['percent', printPercent(rollout, now)],
    ['audience', printAudience(rollout)],
    ['key', printKey(rollout)],
    ['salt', rollout.salt],
    ['mode', rollout.mode],
    ...(rollout.mode === 'shadow' ? [['compared', shadowLines(rollout)] as const] : []),
    ['place', String(rollout.place + 1)],
    ['expires', rollout.expires ?? 'never'],
    ...rampDetails(rollout, now),
    ['state', printState(rollout)],
    ['routers', printRouters(rollout)],
  ]
}
