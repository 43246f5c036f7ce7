/**
 * The supergraph a command works on: out of an execution config, for its base or one of its flags, or a file
 * of its own.
 */
import { type Artifact, didYouMean, ExecutionConfigFile } from '@switchyard/contracts'
import type { CliContext } from '../run/context.ts'
import { LocalRefusal, UsageError } from '../run/errors.ts'
import { readTextFile } from './files.ts'
import { optional, type OptionValues } from '../command/options.ts'
import { parseJson } from '../registry/transport.ts'
import { anyText, filePath } from '../command/value-types.ts'

/** The values of these options. */
export type SupergraphOptions = OptionValues<typeof SUPERGRAPH_OPTIONS>

/** Options of commands that work on a supergraph. */
export const SUPERGRAPH_OPTIONS = {
  executionConfig: optional('--execution-config <config.json>', 'what "router compose" wrote', filePath),
  supergraph: optional(
    '--supergraph <supergraph.graphql>',
    'a supergraph (join v0.1 to v0.5) of any composer',
    filePath,
  ),
  flag: optional('--flag <name>', 'the graph of this feature flag of the execution config', anyText),
}

export type SupergraphText = {
  readonly sdl: string
  /** Where it came from, for messages. */
  readonly file: string
  /** The feature flag whose composition it is; null for a base. */
  readonly flag: string | null
  /** Names of all flags of its graph; none for a file of its own. */
  readonly flags: readonly string[]
}

/** Throws a UsageError, a FileError or a LocalRefusal. */
export async function readSupergraphText(
  options: SupergraphOptions,
  context: CliContext,
): Promise<SupergraphText> {
  const { executionConfig, supergraph, flag } = options
  if (executionConfig !== undefined && supergraph === undefined) {
    const { base, featureFlags } = await readExecutionConfig(executionConfig, context)
    const flags = new Map(Object.entries(featureFlags))
    const { supergraphSdl } = flag === undefined ? base : artifactOf(flag, flags, executionConfig)
    return { sdl: supergraphSdl, file: executionConfig, flag: flag ?? null, flags: [...flags.keys()] }
  }
  if (supergraph === undefined || executionConfig !== undefined)
    throw new UsageError(
      'One supergraph is expected: name it with either --execution-config or --supergraph.',
    )
  if (flag !== undefined)
    throw new UsageError(
      '--flag chooses among the graphs of an execution config; a --supergraph file has one.',
    )
  const sdl = await readTextFile({ path: supergraph, what: 'supergraph' }, context.cwd)
  return { sdl, file: supergraph, flag: null, flags: [] }
}

async function readExecutionConfig(path: string, context: CliContext): Promise<ExecutionConfigFile> {
  const text = await readTextFile({ path, what: 'execution config' }, context.cwd)
  const value = parseJson(text)
  const parsed = ExecutionConfigFile.safeParse(value)
  if (parsed.success) return parsed.data
  throw new LocalRefusal(
    'EXECUTION_CONFIG_INVALID',
    `${path} is no execution config; one that "switchyard router compose" wrote was expected.`,
    {
      problems:
        value === undefined
          ? ['document: is no JSON']
          : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`),
    },
  )
}

function artifactOf(flag: string, flags: ReadonlyMap<string, Artifact>, path: string): Artifact {
  const artifact = flags.get(flag)
  if (artifact !== undefined) return artifact
  const known = flags.size === 0 ? 'it holds none' : `it holds: ${[...flags.keys()].join(', ')}`
  throw new LocalRefusal(
    'NOT_FOUND',
    `${path} holds no feature flag "${flag}" (${known}).${didYouMean(flag, flags.keys())}`,
  )
}
