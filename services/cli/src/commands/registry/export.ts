import { resolve } from 'node:path'
import { ExportLine, type TransferCounts } from '@switchyard/contracts'
import { successResult } from '../../output/command-result.ts'
import type { Printer } from '../../run/context.ts'
import { RegistryUnreachable, UsageError } from '../../run/errors.ts'
import { registryCommand } from '../../command/make-command.ts'
import { optional } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { printTransferCounts } from '../../registry/transfer-counts.ts'
import { parseJson } from '../../registry/transport.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { filePath } from '../../command/value-types.ts'

/** The end line of an export is shorter than this. */
const TAIL_BYTES = 4096

export const command = registryCommand({
  name: 'export',
  description: 'write everything the registry holds as JSON Lines',
  namespaced: false,
  options: { out: optional('--out <file>', 'write to this file (default: stdout)', filePath) },
  notes:
    'Keep it like a secret: it holds every schema and routing URL. It holds no API keys, only their hashes.',
  examples: ['registry export --out backup.ndjson', 'registry export | gzip > backup.ndjson.gz'],
  run: async ({ registry, options, context, json }) => {
    const { out } = options
    if (out === undefined && json) {
      throw new UsageError('With --json the export needs a file: name it with --out.')
    }
    if (out === undefined && context.stdout.isTTY) {
      throw new UsageError(
        'An export is not for reading on a terminal: write it to a file with --out, or redirect stdout.',
      )
    }
    const chunks = await registry.download(apiPath('export'))
    if (out === undefined) {
      const counts = await copyTo(context.stdout, chunks)
      return successResult({ result: counts }, '', `Exported ${printTransferCounts(counts)}.`)
    }
    const counts = await replaceFile(
      // For its owner only.
      { path: resolve(context.cwd, out), shownAs: out, mode: 0o600 },
      (write) => copy(chunks, write),
    )
    return successResult(
      { result: { file: out, ...counts } },
      `Exported ${printTransferCounts(counts)} to ${out}.`,
    )
  },
})

/** Passes everything on, and returns what the end line counts. Throws when there is none. */
async function copy(
  chunks: AsyncIterable<Buffer>,
  write: (chunk: Buffer) => Promise<void>,
): Promise<TransferCounts> {
  let tail = Buffer.alloc(0)
  for await (const chunk of chunks) {
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
    await write(chunk)
  }
  const last = tail.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
  const line = ExportLine.safeParse(parseJson(last))
  if (line.success && line.data.type === 'end') {
    const { type: _, ...counts } = line.data
    return counts
  }
  throw new RegistryUnreachable(
    'The export ended before its last line, so it cannot be imported. The log of the registry says why. Try again.',
  )
}

function copyTo(output: Printer, chunks: AsyncIterable<Buffer>): Promise<TransferCounts> {
  const decoder = new TextDecoder()
  return copy(chunks, async (chunk) => {
    output.writeData(decoder.decode(chunk, { stream: true }))
    await output.drained?.()
  })
}
