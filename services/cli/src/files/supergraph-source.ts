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

/** `file` is where it came from, for messages. */
export type SupergraphText = { readonly sdl: string; readonly file: string }

/** Throws a UsageError, a FileError or a LocalRefusal. */
export async function readSupergraphText(
  options: SupergraphOptions,
  context: CliContext,
): Promise<SupergraphText> {
  const { executionConfig, supergraph, flag } = options
  if (executionConfig !== undefined && supergraph === undefined) {
    const { supergraphSdl } = await readArtifact(executionConfig, flag, context)
    return { sdl: supergraphSdl, file: executionConfig }
  }
  if (supergraph === undefined || executionConfig !== undefined)
    throw new UsageError(
      'One supergraph is expected: name it with either --execution-config or --supergraph.',
    )
  if (flag !== undefined)
    throw new UsageError(
      '--flag chooses among the graphs of an execution config; a --supergraph file has one.',
    )
  return { sdl: await readTextFile({ path: supergraph, what: 'supergraph' }, context.cwd), file: supergraph }
}

async function readArtifact(path: string, flag: string | undefined, context: CliContext): Promise<Artifact> {
  const text = await readTextFile({ path, what: 'execution config' }, context.cwd)
  const value = parseJson(text)
  const parsed = ExecutionConfigFile.safeParse(value)
  if (!parsed.success) {
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
  if (flag === undefined) return parsed.data.base
  const flags = new Map(Object.entries(parsed.data.featureFlags))
  const artifact = flags.get(flag)
  if (artifact !== undefined) return artifact
  const known = flags.size === 0 ? 'it holds none' : `it holds: ${[...flags.keys()].join(', ')}`
  throw new LocalRefusal(
    'NOT_FOUND',
    `${path} holds no feature flag "${flag}" (${known}).${didYouMean(flag, flags.keys())}`,
  )
}
