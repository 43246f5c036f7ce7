/** Prints usage as tables, with what is known of it. */
import type { UnusedCoordinates, UsageCoverage, UsageGroup, UsageReport } from '@switchyard/contracts'
import type { TextTable } from '../output/table.ts'

type Column = { readonly name: string; readonly cell: (group: UsageGroup) => string }

/** Columns in their order. Those are shown that some line has. */
const COLUMNS: readonly (Column & { readonly isThere: (group: UsageGroup) => boolean })[] = [
  {
    name: 'operation',
    isThere: ({ operation }) => operation !== undefined,
    cell: ({ operation }) => (operation === undefined ? '(not told apart)' : operationLabel(operation)),
  },
  {
    name: 'coordinate',
    isThere: ({ coordinate }) => coordinate !== undefined,
    cell: ({ coordinate = '' }) => coordinate,
  },
  {
    name: 'client',
    isThere: ({ client }) => client !== undefined,
    cell: ({ client }) => clientLabel(client),
  },
  { name: 'flag', isThere: ({ flag }) => flag !== undefined, cell: ({ flag }) => flag ?? '(base)' },
  {
    name: 'hour',
    isThere: ({ hour }) => hour !== undefined,
    cell: ({ hour = 0 }) => new Date(hour).toISOString(),
  },
]
const COUNTS: readonly Column[] = [
  { name: 'requests', cell: ({ requests }) => String(requests) },
  { name: 'errors', cell: ({ errors }) => String(errors) },
  { name: 'p50 ms', cell: ({ latencyMs: { p50 } }) => milliseconds(p50) },
  { name: 'p99 ms', cell: ({ latencyMs: { p99 } }) => milliseconds(p99) },
  { name: 'last', cell: ({ lastSeen }) => (lastSeen === 0 ? '-' : new Date(lastSeen).toISOString()) },
]

export function usageTable({ groups, graph }: UsageReport): TextTable {
  const shown = [...COLUMNS.filter(({ isThere }) => groups.some(isThere)), ...COUNTS]
  return {
    columns: shown.map(({ name }) => name),
    rows: groups.map((group) => shown.map(({ cell }) => cell(group))),
    whenEmpty: `No router told of such a request of "${graph}" in this time.`,
  }
}

export function unusedTable({ unused, total }: UnusedCoordinates): TextTable {
  return {
    columns: ['coordinate'],
    rows: (unused ?? []).map((coordinate) => [coordinate]),
    whenEmpty: unused !== null && total === 0 ? 'Everything is used.' : 'Nobody knows what is unused.',
  }
}

/** The lines beside a report: what is not listed, and how much of the time is known. */
export function remarksOnUsage({
  graph,
  leftOut,
  restRequests,
  coverage,
  unknownCoordinates = [],
}: UsageReport): string {
  return [
    ...unknownCoordinates.map(
      (one) => `There is no "${one}" in the schema that is served of "${graph}": it is misspelt, or gone.`,
    ),
    ...(leftOut === 0 ? [] : [`${leftOut} more are not listed; --limit shows more.`]),
    ...(restRequests === 0
      ? []
      : [`${restRequests} requests were of operations that routers had no room to tell apart.`]),
    coverageLine(coverage),
  ].join('\n')
}

/** `known: 43200 of 43200 router minutes`. */
export function coverageLine({ reportedMinutes, aliveMinutes, reason }: UsageCoverage): string {
  const known = `known: ${reportedMinutes} of ${aliveMinutes} router minutes`
  return reason === null ? known : `${known}. Nothing may be called unused by it: ${reason}`
}

/** `ios 3.2`; what gave no name is a client without one. */
export function clientLabel(client: UsageGroup['client']): string {
  if (client === undefined || client.name === null) return '(no name)'
  return client.version === null ? client.name : `${client.name} ${client.version}`
}

function operationLabel({ name, hash }: NonNullable<UsageGroup['operation']>): string {
  return name ?? `anonymous:${hash.slice(0, 8)}`
}

function milliseconds(value: number | null): string {
  return value === null ? '-' : value.toPrecision(3)
}
