/**
 * Measures the cost of handing an artifact from one process to another: in messages of the channel between
 * them, whole or in pieces, as text or as bytes, and in a file. The numbers are CPU time of both processes in
 * milliseconds, and the longest turn of the event loop of each.
 *
 *     node services/router/bench/workers/handing-over.ts [megabytes]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

type Received = { readonly cpu: number; readonly longestTurn: number }
type Message = { readonly piece?: Uint8Array | string; readonly file?: string; readonly last?: boolean }

const PIECE = 256 * 1024
const delays = monitorEventLoopDelay({ resolution: 1 })

if (process.argv[2] === 'receive') receive()
else await compare(randomBytes(Number(process.argv[2] ?? '16') * 1024 * 1024))

function receive(): void {
  let size = 0
  let before = process.cpuUsage()
  const done = (): void => {
    const { user, system } = process.cpuUsage(before)
    delays.disable()
    const received: Received = { cpu: (user + system) / 1000, longestTurn: delays.max / 1e6 }
    setImmediate(() => process.send?.(received))
  }
  process.on('message', ({ piece, file, last = false }: Message) => {
    if (piece === undefined && file === undefined) {
      before = process.cpuUsage()
      delays.reset()
      delays.enable()
      process.send?.('ready')
    } else if (file !== undefined) void readWhole(file, done)
    else {
      size += piece?.length ?? 0
      if (last) done()
    }
  })
}

async function readWhole(file: string, done: () => void): Promise<void> {
  await readFile(file)
  done()
}

async function compare(bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'handing-over-'))
  const ways: Readonly<
    Record<string, readonly ['advanced' | 'json', (child: ChildProcess) => Promise<void>]>
  > = {
    'one message': ['advanced', (child) => sent(child, { piece: bytes, last: true })],
    'one message of base64': [
      'json',
      (child) => sent(child, { piece: bytes.toString('base64'), last: true }),
    ],
    'pieces of 256 KiB': [
      'advanced',
      async (child) => {
        for (let from = 0; from < bytes.length; from += PIECE) {
          const last = from + PIECE >= bytes.length
          await sent(child, { piece: bytes.subarray(from, from + PIECE), last })
        }
      },
    ],
    file: [
      'json',
      async (child) => {
        const file = join(folder, 'artifact')
        await writeFile(file, bytes)
        await sent(child, { file })
      },
    ],
  }
  for (const [way, [serialization, hand]] of Object.entries(ways)) {
    const child = fork(fileURLToPath(import.meta.url), ['receive'], { serialization })
    await sent(child, {})
    await once(child, 'message')
    delays.reset()
    delays.enable()
    const before = process.cpuUsage()
    const answered = Promise.withResolvers<Received>()
    child.once('message', (received: Received) => answered.resolve(received))
    await hand(child)
    const { cpu, longestTurn } = await answered.promise
    const { user, system } = process.cpuUsage(before)
    delays.disable()
    console.log(
      `${way}: sender ${((user + system) / 1000).toFixed(0)} ms, longest turn ${(delays.max / 1e6).toFixed(0)} ms; ` +
        `receiver ${cpu.toFixed(0)} ms, longest turn ${longestTurn.toFixed(0)} ms`,
    )
    child.disconnect()
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true })
}

function sent(child: ChildProcess, message: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    child.send(message, (error) => (error === null ? resolve() : reject(error)))
  })
}
