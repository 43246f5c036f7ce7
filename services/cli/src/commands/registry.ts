import { stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { ExportLine, ImportOutcome, type TransferCounts } from '@switchyard/contracts'
import { addGroup, addReadCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { done } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import type { Output } from '../context.ts'
import { FileError, messageOf, RegistryUnreachable, UsageError } from '../errors.ts'
import { optional } from '../options.ts'
import { styleFor } from '../output/style.ts'
import { replaceFile } from '../replace-file.ts'
import { apiPath } from '../registry/registry-client.ts'
import { parseJson } from '../registry/transport.ts'
import { filePath } from '../value-types.ts'
import { addTraceKeyCommands } from './trace-key.ts'

export function addRegistryCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const registryGroup = addGroup(program, noun)
  addTraceKeyCommands(registryGroup, invocation)

  addReadCommand(registryGroup, invocation, {
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
        throw new UsageError('An export is for a file: name it with --out, or send stdout elsewhere.')
      }
      const chunks = await registry.download(apiPath('export'))
      if (out === undefined) {
        const counts = await copyTo(context.stdout, chunks)
        return done({ result: counts }, '', `Exported ${describe(counts)}.`)
      }
      const counts = await replaceFile(
        // For its owner only.
        { path: resolve(context.cwd, out), shownAs: out, mode: 0o600 },
        (write) => copy(chunks, write),
      )
      return done({ result: { file: out, ...counts } }, `Exported ${describe(counts)} to ${out}.`)
    },
  })

  addReadCommand(registryGroup, invocation, {
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
      const style = styleFor(context.stderr, context.env)
      const remarks = imported.warnings.map((text) => `${style.yellow('warning')}: ${text}`)
      return done({ result: imported }, `Imported ${describe(imported)}.`, remarks.join('\n'))
    },
  })
}

/** The end line of an export is shorter than this. */
const TAIL_BYTES = 4096

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
  if (line.success && line.data.type === 'end') return { blobs: line.data.blobs, records: line.data.records }
  throw new RegistryUnreachable(
    'The export broke off before its end and cannot be imported; the log of the registry says why. Try again.',
  )
}

function copyTo(output: Output, chunks: AsyncIterable<Buffer>): Promise<TransferCounts> {
  const decoder = new TextDecoder()
  return copy(chunks, async (chunk) => {
    output.write(decoder.decode(chunk, { stream: true }))
    await output.drained?.()
  })
}

async function requireContent(path: string, shownAs: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new FileError(`${shownAs} cannot be read: ${messageOf(error)}`, { cause: error })
  })
  if (!found.isFile()) throw new FileError(`${shownAs} is no file.`)
  if (found.size === 0) throw new FileError(`${shownAs} is empty.`)
}

function describe({ blobs, records }: TransferCounts): string {
  const { registry, compositions, configs } = records
  return `${registry} registry records, ${compositions} compositions, ${configs} revisions and ${blobs} blobs`
}
