/** The command `check-plans`: what a flag does to the plans of operations; the work is in `diff/`. */
import { registryCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import { flag, optional, required } from '../command/options.ts'
import { featureFlagName, filePath, graphName } from '../command/value-types.ts'

export const command = registryCommand({
  name: 'check-plans',
  ...NOUNS['check-plans'],
  options: {
    graph: required('--graph <name>', 'the federated graph', graphName),
    flag: required('--flag <name>', 'the feature flag', featureFlagName),
    operations: optional(
      '--operations <path>',
      'a file or folder of operations, instead of the published documents',
      filePath,
    ),
    defer: flag('--defer', 'plan as a router does that has "engine.enable_defer" on'),
  },
  notes: `Plans are made here, with the planner of routers, of the newest revision, and no subgraph is called.
Exit code 1: base answers some operation that the flag does not answer.`,
  examples: [
    'check-plans --graph shop --flag new-pricing',
    'check-plans --graph shop --flag new-pricing --operations operations --json',
  ],
  run: async (call) => {
    const { checkPlans } = await import('../diff/check-plans.ts')
    return checkPlans(call, call.options)
  },
})
