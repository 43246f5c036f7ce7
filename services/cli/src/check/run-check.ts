/** The options that `subgraph check` and `feature-subgraph check` share, and the check itself. */
import type { RegistryCall } from '../command/command.ts'
import type { CommandResult } from '../output/command-result.ts'
import { UsageError } from '../run/errors.ts'
import { readSchema } from '../files/files.ts'
import { flag, optional, type OptionSpecs } from '../command/options.ts'
import { pointInTime } from '../command/points-in-time.ts'
import { filePath } from '../command/value-types.ts'

/** The text that the help of both commands shows after their options. */
export const CHECK_NOTES = `Composes every federated graph and feature flag that the change would affect, and compares each client schema with the
one that is served now. Nothing is written. Exits 1 when a composition fails or a change is breaking. The documents that are
published for these graphs are tried, too: one that nothing would answer any more is breaking, and of one that only some
compositions would stop answering there is a warning. With --usage, what the registry knows of requests decides whether a removal is
breaking, and says who would break.`

/** Options of both commands. */
export const CHECK_OPTIONS = {
  schema: optional('--schema <file>', 'the SDL to check; - reads standard input', filePath),
  delete: flag('--delete', 'check what deleting it would do'),
  allowBreaking: flag('--allow-breaking', 'exit 0 also when changes are breaking'),
  strict: flag(
    '--strict',
    'exit 1 also when only some compositions would stop answering a published document, and for mistakes that are hints until the next minor version',
  ),
  usage: optional(
    '--usage <time>',
    'a removal of what nobody used since then is not breaking, if that is known: a duration such as 30d, or a time in RFC 3339',
    pointInTime('--usage'),
  ),
} satisfies OptionSpecs

type NewSubgraph = {
  readonly featureSubgraph: boolean
  readonly labels: readonly string[] | undefined
  readonly routingUrl: string | undefined
  readonly base: string | undefined
}

/** Refuses options that contradict each other, reads the schema, and tries the change out. */
export async function runCheck(
  call: RegistryCall<string, typeof CHECK_OPTIONS>,
  { featureSubgraph, ...given }: NewSubgraph,
): Promise<CommandResult> {
  const { argument: name, options, context } = call
  const { schema: file, allowBreaking, strict, usage: usedSince } = options
  if (options.delete === (file !== undefined)) {
    throw new UsageError('Either --schema <file> or --delete says what is to be checked.')
  }
  if (file === undefined && Object.values(given).some((value) => value !== undefined)) {
    throw new UsageError(
      '--label, --routing-url and --subgraph are for what does not exist yet; --delete is not.',
    )
  }
  if (allowBreaking && strict) {
    throw new UsageError('--allow-breaking and --strict contradict each other.')
  }
  const proposal =
    file === undefined
      ? ({ kind: 'delete' } as const)
      : ({ kind: 'publish', ...(await readSchema(file, context)), ...given } as const)
  const { checkSubgraph } = await import('./check-subgraph.ts')
  return checkSubgraph(call, { name, proposal, featureSubgraph, allowBreaking, strict, usedSince })
}
