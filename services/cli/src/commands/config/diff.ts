/** `config diff`: its options; the work is in `diff/`. */
import { parseRevisionWord } from '../../diff/revision-sides.ts'
import { UsageError } from '../../run/errors.ts'
import { registryCommand } from '../../command/make-command.ts'
import { flag, optional } from '../../command/options.ts'
import { featureFlagName, filePath, graphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'diff',
  argument: { name: 'graph', type: graphName },
  words: { name: 'from to', description: 'two revisions: numbers, latest, or live (what routers serve)' },
  description: 'show what two revisions of a graph serve differently: client schema, and plans of operations',
  options: {
    flag: optional('--flag <name>', 'what this feature flag serves, on both sides', featureFlagName),
    fromFlag: optional('--from-flag <name>', 'this feature flag on the first side only', featureFlagName),
    toFlag: optional('--to-flag <name>', 'this feature flag on the second side only', featureFlagName),
    operations: optional(
      '--operations <path>',
      'a file or folder of operations whose plans are compared, instead of the published documents',
      filePath,
    ),
    defer: flag('--defer', 'plan as a router does that has "engine.enable_defer" on'),
    exitCode: flag('--exit-code', 'exit 1 when there are differences'),
  },
  notes: `Plans are made here, with the planner of routers, as for a request that may see everything. An operation whose variables decide
about @skip and @include is planned with all of them true, and with all of them false.`,
  examples: [
    'config diff shop 3 latest',
    'config diff shop live latest --operations operations --exit-code',
    'config diff shop latest latest --to-flag new-pricing --json',
  ],
  run: async (call) => {
    const { operations, defer, exitCode, ...options } = call.options
    const [from, to, ...rest] = call.words.map(parseRevisionWord)
    if (from === undefined || to === undefined || rest.length > 0)
      throw new UsageError(
        `config diff compares two revisions: config diff ${call.argument} <from> <to>; ${call.words.length} were given.`,
      )
    if (options.flag !== undefined && (options.fromFlag ?? options.toFlag) !== undefined)
      throw new UsageError('--flag is for both sides; it contradicts --from-flag and --to-flag.')
    const { diffRevisions } = await import('../../diff/diff-revisions.ts')
    return diffRevisions(call, {
      graph: call.argument,
      from: { word: from, featureFlag: options.flag ?? options.fromFlag },
      to: { word: to, featureFlag: options.flag ?? options.toFlag },
      operations,
      defer,
      exitCode,
    })
  },
})
