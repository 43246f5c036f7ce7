import { FeatureFlagDetail, RolloutView } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { RefusedByRegistry } from '../../run/errors.ts'
import type { Detail } from '../../output/details.ts'
import { detailsResult } from '../../output/shown-results.ts'
import { requestLines } from '../../usage/flag-requests.ts'
import { apiPath, type RegistryClient } from '../../registry/registry-client.ts'
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
  description:
    'show a rollout: whom it selects, the state of its flag, the routers that have it, and who got the flag lately',
  examples: ['rollout get new-pricing', 'rollout get new-pricing --json'],
  run: async ({ namespace, registry, argument, context }) => {
    const found = await registry.get(apiPath('rollouts', namespace, argument), RolloutView)
    const { routers, ...result } = found
    const asked = await askedFor(found, registry)
    const details = [...detailsOf(found, Date.now()), ...requestLines(asked)]
    return detailsResult({ result: { ...result, ...asked }, routers }, details, context)
  },
})

/** Reads who got the flag of a rollout from its graph in the last 24 hours, by the rollout or by its name. */
async function askedFor(
  { namespace, graph, flag }: RolloutView,
  registry: Pick<RegistryClient, 'get'>,
): Promise<Pick<FeatureFlagDetail, 'lastDay'>> {
  try {
    const { lastDay } = await registry.get(apiPath('feature-flags', namespace, flag), FeatureFlagDetail)
    return lastDay === undefined ? {} : { lastDay: lastDay.filter((one) => one.graph === graph) }
  } catch (error) {
    // The flag was deleted meanwhile.
    if (error instanceof RefusedByRegistry && error.code === 'NOT_FOUND') return {}
    throw error
  }
}

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
