/** The file that a router serves, as it is handed to the process of one. */
import { resolve } from 'node:path'
import type { CliContext } from '../run/context.ts'
import { UsageError } from '../run/errors.ts'
import { existingFile, readTextFile } from './files.ts'
import { optional } from '../command/options.ts'
import { filePath } from '../command/value-types.ts'

/** Options of commands that become a router on one file. */
export const SERVED_FILE = {
  executionConfig: optional('--execution-config <config.json>', 'what "router compose" wrote', filePath),
  supergraph: optional(
    '--supergraph <supergraph.graphql>',
    'a supergraph (join v0.1 to v0.5) of any composer',
    filePath,
  ),
}

type ServedFile = { readonly executionConfig: string | undefined; readonly supergraph: string | undefined }

/**
 * Reads the file of a graph. `what` begins the error message that appears if neither or both files are named.
 */
export async function servedFile(
  what: string,
  { executionConfig, supergraph }: ServedFile,
  context: CliContext,
) {
  if (executionConfig !== undefined && supergraph === undefined) {
    return {
      SWITCHYARD_EXECUTION_CONFIG: await existingFile(executionConfig, 'execution config', context),
      SWITCHYARD_SUPERGRAPH: undefined,
    }
  }
  if (supergraph !== undefined && executionConfig === undefined) {
    // A missing or empty file is told before the service takes over; what is in it, the service judges.
    await readTextFile({ path: supergraph, what: 'supergraph' }, context.cwd)
    return {
      SWITCHYARD_EXECUTION_CONFIG: undefined,
      SWITCHYARD_SUPERGRAPH: resolve(context.cwd, supergraph),
    }
  }
  throw new UsageError(`${what}: name it with either --execution-config or --supergraph.`)
}
