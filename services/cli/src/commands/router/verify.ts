/** `router verify`: a second opinion on a graph, from a gateway that is not ours. */
import { localCommand } from '../../command/make-command.ts'
import type { CommandResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { Interrupted, LocalRefusal, UsageError } from '../../run/errors.ts'
import { defaulted, flag, optional, type OptionValues } from '../../command/options.ts'
import { startProgress } from '../../output/progress.ts'
import { styleFor } from '../../output/style.ts'
import { activeLabels } from '../../files/active-labels.ts'
import { readSupergraphText, SUPERGRAPH_OPTIONS } from '../../files/supergraph-source.ts'
import { OVERRIDE_LABELS } from '../../command/shared-options.ts'
import { folderPath, positiveNumber, type ValueType } from '../../command/value-types.ts'
import type { LiveSubgraphs } from '../../verify/live-subgraphs.ts'

const DEFAULT_COUNT = '200'

const seed: ValueType<number> = {
  parse: (word) => {
    if (/^(?:0|[1-9]\d{0,14})$/.test(word)) return Number(word)
    throw new UsageError(`--seed takes a number from 0 on, not "${word}".`)
  },
}

const OPTIONS = {
  ...SUPERGRAPH_OPTIONS,
  operations: optional(
    '--operations <dir>',
    'your operations: *.graphql files, with variables in *.variables.json beside them (default: generated ones)',
    folderPath,
  ),
  operationCount: defaulted(
    '--operation-count <n>',
    'how many operations to generate',
    positiveNumber('--operation-count'),
    DEFAULT_COUNT,
  ),
  seed: defaulted('--seed <n>', 'other operations and other values', seed, '0'),
  ...OVERRIDE_LABELS,
  live: flag('--live', 'ask the real subgraphs, queries only; a difference must persist in three runs'),
  strict: flag(
    '--strict',
    'let known limits of stitching, and what only the engine answers, count as differences',
  ),
}
type VerifyCommandOptions = OptionValues<typeof OPTIONS>

export const command = localCommand({
  name: 'verify',
  description:
    'a second opinion: run operations through the engine and through a stitched gateway, and compare the answers',
  options: OPTIONS,
  examples: [
    'router verify --execution-config config.json',
    'router verify --execution-config config.json --flag new-pricing --operations operations',
    'router verify --supergraph supergraph.graphql --operation-count 1000 --seed 7',
    'router verify --execution-config config.json --live',
  ],
  notes: `
Without --live nothing is asked over the network: subgraphs made from the supergraph answer, with values made from the
question. Exit code 1: some operation is answered differently, and no listed limit of stitching explains it.`,
  run: ({ options, context }) => verify(options, context),
})

async function verify(options: VerifyCommandOptions, context: CliContext): Promise<CommandResult> {
  const supergraph = await readSupergraphText(options, context)
  // Loaded only here: the stitching library and graphql-js are more than all other commands need together.
  const [engine, gateways, operations, { verifyOperations }, report, { openLiveSubgraphs }] =
    await Promise.all([
      import('@switchyard/engine'),
      import('../../verify/gateways.ts'),
      import('../../verify/choose-operations.ts'),
      import('../../verify/verify-operations.ts'),
      import('../../verify/report.ts'),
      import('../../verify/live-subgraphs.ts'),
    ])
  const progress = startProgress(context)
  try {
    const graph = gateways.openVerifiedGraph(supergraph.sdl)
    const labels = activeLabels(options.label ?? [], graph.labels, supergraph)
    const settings = { supergraphSdl: supergraph.sdl, labels, seed: options.seed }
    const chosen = await operations.chooseOperations(graph, options, context.cwd)
    await using opened = new AsyncDisposableStack()
    const live: LiveSubgraphs | null = options.live
      ? opened.use(openLiveSubgraphs(graph.compiled.subgraphs, context.signal))
      : null
    progress.show('stitching the subgraphs …')
    const { judge } = opened.use(
      live === null
        ? await gateways.openSampleJudge(graph, settings)
        : await gateways.openRealJudge(graph, settings, live.ask),
    )
    const found = await verifyOperations({
      operations: chosen.operations,
      judge,
      shrinkTrials: options.live ? 20 : 200,
      signal: context.signal,
      onProgress: (count, total) => progress.show(`verifying operation ${count + 1} of ${total} …`),
    })
    return report.verifyResult({
      graph,
      found,
      invalid: chosen.invalid,
      origin: chosen.origin,
      file: supergraph.file,
      flag: options.flag ?? null,
      isLive: options.live,
      unreachable: live?.unreachable() ?? [],
      isStrict: options.strict,
      style: styleFor(context.stdout, context.env),
    })
  } catch (error) {
    if (context.signal.aborted) throw new Interrupted('Interrupted before all operations were verified.')
    if (error instanceof engine.SupergraphError) {
      const problem = `${supergraph.file} cannot be loaded: ${error.message}`
      throw new LocalRefusal('EXECUTION_CONFIG_INVALID', problem)
    }
    throw error
  } finally {
    progress.stop()
  }
}
