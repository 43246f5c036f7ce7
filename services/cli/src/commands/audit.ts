/** The command `audit`, which shows the log of the registry to people, or hands it to other programs. */
import type { AuditLog, AuditRecord } from '@switchyard/contracts'
import { printableJson, printableLine } from '@switchyard/service-kit/printable'
import { registryCommand } from '../command/make-command.ts'
import { defaulted, flag, optional, type OptionValues } from '../command/options.ts'
import { pointInTime } from '../command/points-in-time.ts'
import { namespaceName, positiveNumber, wholeNumber } from '../command/value-types.ts'
import { AUDIT_COLUMNS, auditRow } from '../output/audit-rows.ts'
import type { CommandResult } from '../output/command-result.ts'
import { printError } from '../output/print-error.ts'
import { tableResult } from '../output/shown-results.ts'
import { styleFor } from '../output/style.ts'
import {
  type AuditSource,
  beginningOf,
  followRecords,
  newestRecords,
  recordsAfter,
} from '../registry/audit-pages.ts'
import type { CliContext } from '../run/context.ts'
import { CliError, UsageError } from '../run/errors.ts'
import { EXIT, type ExitCode } from '../run/exit-codes.ts'

const OPTIONS = {
  namespace: optional(
    '-n, --namespace <namespace>',
    'only what was changed in this namespace',
    namespaceName,
  ),
  limit: defaulted('--limit <number>', 'how many at most', positiveNumber('--limit'), '20'),
  after: optional(
    '--after <sequence>',
    'only what came after this sequence, oldest first',
    wholeNumber('--after'),
  ),
  since: optional(
    '--since <time>',
    'only what came since then: a duration such as 90s, 15m, 2h, 3d or 1w, or a time in RFC 3339',
    pointInTime('--since'),
  ),
  follow: flag('--follow', 'go on, and print what comes, until interrupted; with --json a line for each'),
}

type AuditOptions = OptionValues<typeof OPTIONS>

export const command = registryCommand({
  name: 'audit',
  description: 'show who changed what, when and why, and which revisions came of it; newest first',
  namespaced: false,
  options: OPTIONS,
  notes: `Shown are the namespaces that the API key may read; changes of keys only with the scope admin. The last column names the graphs that were
affected and their revisions that reflect the change: "none" if there is none so far, since it did not compose, changed nothing
that routers see, or is on the way.
--follow begins with the newest of --limit, or with all of --after or --since. With --json each line is one record, errors go to
stderr, and the sequence of the last line is the --after of the next start.`,
  examples: [
    'audit',
    'audit --namespace default --since 2h',
    'audit --after 0 --limit 1000 --json',
    'audit --follow --after 0 --json',
  ],
  run: async ({ registry, options, json, context }) => {
    const { after, since, follow, namespace } = options
    if (after !== undefined && since !== undefined)
      throw new UsageError('--after and --since contradict each other: both say where to begin.')
    const source = { registry, namespace }
    return follow ? followLog(source, options, json, context) : listLog(source, options, context)
  },
})

async function listLog(
  source: AuditSource,
  { after, since, limit }: AuditOptions,
  context: CliContext,
): Promise<CommandResult> {
  const found =
    after === undefined
      ? await newestRecords(source, { since, limit })
      : await recordsAfter(source, { after, limit })
  const { records, last, more } = found
  const table = {
    columns: AUDIT_COLUMNS,
    rows: records.map(auditRow),
    whenEmpty: 'No changes that this API key may see.',
  }
  return { ...tableResult({ records, last, more }, table, context), remarks: remarkOn(found, after) }
}

function remarkOn({ records, last, more }: AuditLog, after: number | undefined): string {
  if (!more) return ''
  return after === undefined
    ? `These are the newest ${records.length}; --limit shows more.`
    : `There are more; --after ${last} shows them.`
}

async function followLog(
  source: AuditSource,
  options: AuditOptions,
  json: boolean,
  context: CliContext,
): Promise<ExitCode> {
  const { stdout, stderr, signal, env } = context
  const print = (record: AuditRecord): void => {
    if (json) stdout.writeData(`${printableJson(JSON.stringify(record))}\n`)
    else
      stdout.write(
        `${auditRow(record)
          .map(printableLine)
          .join(stdout.isTTY ? '  ' : '\t')}\n`,
      )
  }
  try {
    for await (const record of recordsToFollow(source, options, signal)) {
      print(record)
      await stdout.drained?.()
      if (stdout.isClosed === true) break
    }
    return EXIT.done
  } catch (error) {
    if (signal.aborted) return EXIT.done
    // What is printed may be appended to a file, in which each line is a record.
    if (!json || !(error instanceof CliError)) throw error
    stderr.write(`${printError(error, styleFor(stderr, env))}\n`)
    return error.exitCode
  }
}

async function* recordsToFollow(
  source: AuditSource,
  { after, since, limit }: AuditOptions,
  signal: AbortSignal,
): AsyncGenerator<AuditRecord> {
  if (after !== undefined) {
    yield* followRecords(source, { after, signal })
  } else if (since === undefined) {
    const { records, end } = await newestRecords(source, { since, limit })
    yield* records.toReversed()
    yield* followRecords(source, { after: end, signal })
  } else {
    const begins = await beginningOf(source, since)
    // What comes from now on is shown even if the clock of its registry is late.
    for await (const record of followRecords(source, { after: begins.after, signal }))
      if (record.sequence > begins.end || Date.parse(record.time) >= since) yield record
  }
}
