import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ImportOutcome } from '@switchyard/contracts'
import { successResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { FileError, UsageError } from '../../run/errors.ts'
import { existingFile } from '../../files/files.ts'
import { registryCommand } from '../../command/make-command.ts'
import { printWarnings } from '../../output/warnings.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { printTransferCounts } from '../../registry/transfer-counts.ts'
import { filePath } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'import',
  argument: { name: 'file', description: 'what "registry export" wrote; - for stdin', type: filePath },
  description: 'fill an empty registry with an export',
  namespaced: false,
  notes:
    'Only for a registry in which nothing was ever done. Everything is checked before anything is written; sequences, history and API keys stay as they were.',
  examples: ['registry import backup.ndjson', 'registry import - < backup.ndjson'],
  run: async ({ registry, argument, context }) => {
    const lines =
      argument === '-' ? piped(context) : createReadStream(await fileWithContent(argument, context))
    const imported = await registry.upload(apiPath('import'), lines, ImportOutcome)
    const remarks = printWarnings(imported.warnings, context)
    return successResult({ result: imported }, `Imported ${printTransferCounts(imported)}.`, remarks)
  },
})

function piped({ stdin, signal }: CliContext): Readable {
  if (stdin.isTTY) {
    throw new UsageError(
      'With - the export is read from standard input, which is a terminal here: pipe it into the command, or name a file.',
    )
  }
  return Readable.from(stdin.bytes(signal))
}

/** The path of a file that holds something. Throws a FileError. */
async function fileWithContent(path: string, context: CliContext): Promise<string> {
  const full = await existingFile(path, 'export', context)
  const found = await stat(full)
  if (!found.isFile()) throw new FileError(`${path} is not a file.`)
  if (found.size === 0) throw new FileError(`${path} is empty.`)
  return full
}
