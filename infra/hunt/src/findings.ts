/** Inputs that were found, in files: the first line says in JSON what it is, the rest are the bytes. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Finding } from './campaign.ts'

export type FoundInput = {
  readonly target: string
  readonly bytes: Buffer
  /** How it ended when it was found. */
  readonly outcome: string
  readonly bytesOut: number
}

/** The path of the file. */
export async function writeFinding(
  folder: string,
  { target, seed, bytes, attempt, complaint }: Finding,
): Promise<string> {
  const { cpu, longestTurn, turns, memory, outcome } = attempt
  const head = {
    target,
    seed,
    complaint,
    bytes: bytes.length,
    cpuMicroseconds: cpu,
    longestTurnMicroseconds: longestTurn,
    turns,
    memory,
    outcome: outcome.name,
    bytesOut: outcome.bytesOut,
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  const path = join(folder, `${target}-${hash}.input`)
  await mkdir(folder, { recursive: true })
  await writeFile(path, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]))
  return path
}

/** Reads a finding from a file, which may be compressed with gzip. */
export async function readFinding(path: string): Promise<FoundInput> {
  const stored = await readFile(path)
  const content = path.endsWith('.gz') ? gunzipSync(stored) : stored
  const end = content.indexOf('\n')
  const { target, outcome, bytesOut } = JSON.parse(content.subarray(0, end).toString('utf8')) as FoundInput
  return { target, outcome, bytesOut, bytes: content.subarray(end + 1) }
}
