import { RolloutFigures } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { rolloutName } from '../../command/value-types.ts'
import { detailsResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { figuresDetails } from '../../rollouts/print-figures.ts'

export const command = registryCommand({
  name: 'figures',
  argument: { name: 'name', type: rolloutName },
  description:
    'show what routers count of the step that the ramp of a rollout is at, and what its guards say',
  notes: `Routers with a fleet key count while a ramp with guards or an emergency stop runs, and tell their totals every 2 s.
After an abort or a pause the totals stay until the step begins again, or the registry is started again.`,
  examples: ['rollout figures new-pricing', 'rollout figures new-pricing --json'],
  run: async ({ namespace, registry, argument, context }) => {
    const figures = await registry.get(apiPath('rollouts', namespace, argument, 'figures'), RolloutFigures)
    return detailsResult({ result: figures }, figuresDetails(figures, Date.now()), context)
  },
})
