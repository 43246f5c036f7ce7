/** The command `usage`, which shows what routers counted of the requests of a graph. */
import { UnusedCoordinates, USAGE_GROUPS, UsageReport } from '@switchyard/contracts'
import { registryCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import { defaulted, flag, optional } from '../command/options.ts'
import { pointInTime } from '../command/points-in-time.ts'
import { anyText, graphName, positiveNumber, type ValueType } from '../command/value-types.ts'
import { tableResult } from '../output/shown-results.ts'
import { apiPath } from '../registry/registry-client.ts'
import { UsageError } from '../run/errors.ts'
import { coverageLine, remarksOnUsage, unusedTable, usageTable } from '../usage/print-usage.ts'

type By = 'operation' | 'client' | 'flag' | 'field' | 'hour'
const BY: readonly By[] = ['operation', 'client', 'flag', 'field', 'hour']

const grouping: ValueType<By> = {
  parse: (word) => {
    const by = BY.find((one) => one === word)
    if (by !== undefined) return by
    throw new UsageError(`--by takes one of ${BY.join(', ')}, not "${word}".`)
  },
  completion: BY,
}

export const command = registryCommand({
  name: 'usage',
  ...NOUNS.usage,
  argument: { name: 'graph', type: graphName },
  options: {
    by: optional(
      '--by <what>',
      `one line for each of these: ${BY.join(', ')} (default: operation)`,
      grouping,
    ),
    field: optional('--field <Type.field>', 'who asks for this field, argument, type or enum value', anyText),
    unused: flag('--unused', 'what nobody asked for, if that can be known'),
    since: defaulted(
      '--since <time>',
      'only what came since then: a duration such as 2h, 7d or 4w, or a time in RFC 3339',
      pointInTime('--since'),
      '7d',
    ),
    limit: defaulted('--limit <number>', 'how many lines at most', positiveNumber('--limit'), '50'),
  },
  notes: `Routers count each minute; a field of an interface counts for all types that implement it. How much of the time is known goes to stderr.
--unused lists nothing unless routers told 99 % of the minutes in which they were alive.`,
  examples: [
    'usage shop',
    'usage shop --by client --since 24h',
    'usage shop --field Product.price --json',
    'usage shop --unused --since 30d',
  ],
  run: async ({ namespace, registry, argument, context, options }) => {
    const { by, field, unused, since, limit } = options
    if ([by, field, unused ? true : undefined].filter((one) => one !== undefined).length > 1)
      throw new UsageError('--by, --field and --unused contradict each other.')
    const path = apiPath('usage', namespace, argument)
    if (unused) {
      const found = await registry.get(`${path}/unused?from=${since}`, UnusedCoordinates)
      const listed = found.unused?.length ?? 0
      const more = listed < found.total ? `The first ${listed} of ${found.total}.\n` : ''
      const remarks = found.reason ?? `${more}${coverageLine(found.coverage)}`
      return { ...tableResult(found, unusedTable(found), context), remarks }
    }
    const query = new URLSearchParams({ from: String(since), limit: String(limit) })
    const groups = field === undefined ? [by === 'field' ? 'coordinate' : (by ?? 'operation')] : ASKERS
    for (const group of USAGE_GROUPS.filter((one) => groups.some((other) => other === one)))
      query.append('group', group)
    if (field !== undefined) query.append('coordinate', field)
    const report = await registry.get(`${path}?${query}`, UsageReport)
    return { ...tableResult(report, usageTable(report), context), remarks: remarksOnUsage(report) }
  },
})

/** Who asks for a field. */
const ASKERS = ['operation', 'client', 'flag'] as const
