import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ImportOutcome } from '@switchyard/contracts'
import { done } from '../../command-result.ts'
import { FileError, messageOf } from '../../errors.ts'
import { registryCommand } from '../../make-command.ts'
import { printWarnings } from '../../output/warnings.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { printTransferCounts } from '../../registry/transfer-counts.ts'
import { filePath } from '../../value-types.ts'

export const command = registryCommand({
  name: 'import',
  argument: { name: 'file', description: 'what "registry export" wrote', type: filePath },
  description: 'fill an empty registry with an export',
  namespaced: false,
  notes:
    'Only for a registry in which nothing was ever done. Everything is checked before anything is written; sequences, history and API keys stay as they were.',
  examples: ['registry import backup.ndjson'],
  run: async ({ registry, argument, context }) => {
    const path = resolve(context.cwd, argument)
    await requireContent(path, argument)
    const imported = await registry.upload(apiPath('import'), createReadStream(path), ImportOutcome)
    const remarks = printWarnings(imported.warnings, context)
    return done({ result: imported }, `Imported ${printTransferCounts(imported)}.`, remarks)
  },
})

async function requireContent(path: string, shownAs: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new FileError(`${shownAs} cannot be read: ${messageOf(error)}`, { cause: error })
  })
  if (!found.isFile()) throw new FileError(`${shownAs} is no file.`)
  if (found.size === 0) throw new FileError(`${shownAs} is empty.`)
}
