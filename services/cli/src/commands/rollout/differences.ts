import { type DifferenceRow, RolloutDifferences } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { optional } from '../../command/options.ts'
import { pointInTime } from '../../command/points-in-time.ts'
import { anyText, rolloutName } from '../../command/value-types.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { printComparisons } from '../../rollouts/print-differences.ts'

export const command = registryCommand({
  name: 'differences',
  argument: { name: 'name', type: rolloutName },
  description: 'show how the answers of a flag differ from those of base, for a rollout of mode shadow',
  options: {
    operation: optional('--operation <name>', 'only those of this operation', anyText),
    since: optional(
      '--since <time>',
      'only those that were seen since then: a duration such as 15m, 2h or 1d, or a time in RFC 3339',
      pointInTime('--since'),
    ),
  },
  notes: `A path names members of the answer, with * for any place of a list. What was compared, and what could not be, goes to stderr.
Routers tell their counts every 2 s, and begin anew when they start. The API key needs the scope trace of the namespace.`,
  examples: [
    'rollout differences new-pricing',
    'rollout differences new-pricing --operation Products --since 1h --json',
  ],
  run: async ({ namespace, registry, argument, options: { operation, since = 0 }, context }) => {
    const path = apiPath('rollouts', namespace, argument, 'differences')
    const all = await registry.get(path, RolloutDifferences)
    const isShown = (item: { readonly operation: string }) =>
      operation === undefined || item.operation === operation
    const differences = all.differences.filter((row) => isShown(row) && row.last >= since)
    const shown = {
      ...all,
      differences,
      operations: all.operations.filter(isShown),
      noise: all.noise.filter(isShown),
    }
    const table = {
      columns: ['operation', 'path', 'cause', 'code', 'answers', 'base', 'flag', 'last'],
      rows: differences.map(cellsOf),
      whenEmpty: `No differences are known of rollout "${argument}".`,
    }
    return { ...tableResult(shown, table, context), remarks: printComparisons(shown).join('\n') }
  },
})

function cellsOf({
  operation,
  path,
  cause,
  code,
  count,
  base,
  flag,
  last,
}: DifferenceRow): readonly string[] {
  const at = new Date(last).toISOString()
  return [
    operation,
    path === '' ? '(the whole answer)' : path,
    cause,
    code ?? '-',
    String(count),
    base.value ?? base.type,
    flag.value ?? flag.type,
    at,
  ]
}
