/** `feature-flag diff`: its options; the work is in `check/`. */
import { registryCommand } from '../../command/make-command.ts'
import { flag, optional } from '../../command/options.ts'
import { featureFlagName, graphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'diff',
  annotated: true,
  argument: { name: 'name', type: featureFlagName },
  description: 'show how the client schema with a flag differs from the base, also before it is enabled',
  options: {
    graph: optional('--graph <name>', 'only in this federated graph', graphName),
    exitCode: flag('--exit-code', 'exit 1 when there are differences'),
  },
  notes: `What routers serve is compared where the flag is served; elsewhere base and flag are composed here from the published
schemas. Exits 1 when that fails.`,
  examples: ['feature-flag diff new-pricing', 'ff diff new-pricing --graph shop --json'],
  run: async (call) => {
    const { diffFeatureFlag } = await import('../../check/diff-flag.ts')
    return diffFeatureFlag(call, { name: call.argument, ...call.options })
  },
})
