import { open, rename, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { ExportLine, TransferCounts } from '@switchyard/contracts'
import { addGroup, addReadCommand, type Invocation } from '../command-builder.ts'
import { done } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import type { Output } from '../context.ts'
import { FileError, RegistryUnreachable, UsageError } from '../errors.ts'
import { optional } from '../options.ts'
import { apiPath } from '../registry/registry-client.ts'
import { parseJson } from '../registry/transport.ts'
import { filePath } from '../value-types.ts'

export function addRegistryCommands(program: CliCommand, invocation: Invocation): void {
  const registryGroup = addGroup(program, {
    name: 'registry',
    description: 'back the registry up, or move it to another installation',
  })

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
      const counts = await copyToFile(resolve(context.cwd, out), out, chunks)
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
      const counts = await registry.upload(apiPath('import'), createReadStream(path), TransferCounts)
      return done({ result: counts }, `Imported ${describe(counts)}.`)
    },
  })
}

/** The end line of an export is shorter than this. */
const TAIL_BYTES = 4096

/** Passes everything on, and returns what the end line counts. Throws when there is none. */
async function* whole(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, TransferCounts> {
  let tail = Buffer.alloc(0)
  for await (const chunk of chunks) {
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
    yield chunk
  }
  const last = tail.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
  const line = ExportLine.safeParse(parseJson(last))
  if (line.success && line.data.type === 'end') return line.data
  throw new RegistryUnreachable(
    'The export broke off before its end and cannot be imported; the log of the registry says why. Try again.',
  )
}

async function copyTo(output: Output, chunks: AsyncIterable<Buffer>): Promise<TransferCounts> {
  const source = whole(chunks)
  const decoder = new TextDecoder()
  for (;;) {
    const next = await source.next()
    if (next.done === true) return next.value
    output.write(decoder.decode(next.value, { stream: true }))
    await output.drained?.()
  }
}

/** There whole or not at all, and for its owner only. */
async function copyToFile(
  path: string,
  shownAs: string,
  chunks: AsyncIterable<Buffer>,
): Promise<TransferCounts> {
  const temporary = `${path}.${randomUUID()}.tmp`
  const source = whole(chunks)
  try {
    const handle = await open(temporary, 'wx', 0o600).catch(unwritable(shownAs))
    let counts: TransferCounts | null = null
    try {
      while (counts === null) {
        const next = await source.next()
        if (next.done === true) counts = next.value
        else await handle.writeFile(next.value).catch(unwritable(shownAs))
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path).catch(unwritable(shownAs))
    return counts
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

function unwritable(shownAs: string): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FileError(`${shownAs} cannot be written: ${reason}`, { cause: error })
  }
}

async function requireContent(path: string, shownAs: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FileError(`${shownAs} cannot be read: ${reason}`, { cause: error })
  })
  if (!found.isFile()) throw new FileError(`${shownAs} is no file.`)
  if (found.size === 0) throw new FileError(`${shownAs} is empty.`)
}

function describe({ blobs, records }: TransferCounts): string {
  const { registry, compositions, configs } = records
  return `${registry} registry records, ${compositions} compositions, ${configs} revisions and ${blobs} blobs`
}
