/**
 * The usage of a graph in one hour or day as it is stored: compressed JSON in which rows are numbers, since
 * reading 30 days must take less than a moment.
 */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { RouterUsage } from '@switchyard/contracts'
import { z } from 'zod'

export type UsedComposition = RouterUsage['compositions'][number]
export type UsedClient = RouterUsage['clients'][number]
export type CountedOperation = RouterUsage['operations'][number]

/** Bytes of the JSON of a value. A larger one was not written by a registry. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Lists of numbers and of texts are long, and written by registries alone: their items are not checked. */
const Numbers = z.custom<number[]>((value) => Array.isArray(value))
const Texts = z.custom<string[]>((value) => Array.isArray(value))

const Data = z.object({
  /** The first minute, Unix time in minutes. */
  start: z.int(),
  compositions: z.custom<UsedComposition[]>((value) => Array.isArray(value)),
  clients: z.custom<UsedClient[]>((value) => Array.isArray(value)),
  operations: z.custom<CountedOperation[]>((value) => Array.isArray(value)),
  /**
   * One row after the other: places of composition, client and operation, requests, errors, the last minute
   * counted from `start`, the number of buckets, and then bucket and count of each.
   */
  rows: Numbers,
  /** The same without client and operation, beside the coordinates of each; null if they are not known. */
  rest: z.array(z.object({ counts: Numbers, coordinates: Texts.nullable() })),
  /** Names that variables held: places of operation and composition, and names. */
  values: z.array(z.tuple([z.int(), z.int(), Texts])),
  processes: z.array(
    z.object({
      instance: z.string(),
      boot: z.string(),
      /** The minute in which it began to count; null before it told anything. */
      since: z.int().nullable(),
      /** The minutes that it told, and in which it was heard, as places in the hour. */
      told: Numbers,
      alive: Numbers,
      /** Operations that were not told in its last message, and the minute of that message. */
      untold: z.int(),
      untoldAt: z.int(),
    }),
  ),
  /** Minutes of processes that were told and that were due. Only days have them, instead of places. */
  minutes: z.object({ told: z.int(), due: z.int() }),
  /** Whether something was left out, since there was too much. */
  isCut: z.boolean(),
})
export type BlockData = z.infer<typeof Data>
export type ProcessData = BlockData['processes'][number]

/** Returns the text of a value, compressed. */
export async function packed(value: unknown): Promise<Uint8Array> {
  return compress(Buffer.from(JSON.stringify(value)))
}

/** Returns a value that was packed. */
export async function unpacked(bytes: Uint8Array): Promise<unknown> {
  const text = await decompress(bytes, { maxOutputLength: MAX_TEXT_BYTES })
  const value: unknown = JSON.parse(text.toString('utf8'))
  return value
}

export async function readBlock(bytes: Uint8Array): Promise<BlockData> {
  return Data.parse(await unpacked(bytes))
}

/** Calls `row` with the place of each row in the list. */
export function eachRow(rows: readonly number[], row: (at: number) => void): void {
  for (let at = 0; at < rows.length; at += ROW + 2 * (rows[at + ROW - 1] ?? 0)) row(at)
}

/** Numbers of a row before its buckets. */
export const ROW = 7
