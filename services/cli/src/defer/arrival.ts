/**
 * How the parts of an answer arrived, seen from when they were written.
 *
 * No two clocks are compared. The first part was written after the request had begun, so part k + 1 was
 * written no earlier than its `sentAt` after that moment. What had arrived of part k by then had arrived
 * before the next part was written: that is a proof. Nothing proves the opposite, which is why what looks
 * held back is asked again with longer pauses.
 */
import { partOf, type ReadAnswer } from './read-answer.ts'
import type { Chunk } from './recording.ts'

/** One part and its times, in milliseconds after the request began. */
export type MeasuredPart = {
  readonly part: number
  /** The earliest time at which the router may have written the part. */
  readonly written: number
  readonly read: number
  /** When the boundary came that tells clients that the part is complete. Null if it never came. */
  readonly completed: number | null
  /** True if the part was complete before the next one was written. Always false for the last part. */
  readonly inTime: boolean
}

/** The way in which the parts of an answer came. */
export type Arrival =
  | { readonly kind: 'in-time' }
  /** Nothing came before the last part was written. */
  | { readonly kind: 'at-the-end' }
  /** The texts came in time, the boundaries after them with the next part. */
  | { readonly kind: 'boundaries-late' }
  /** Each part came when the next one was written. */
  | { readonly kind: 'one-late' }
  /** The bytes came in blocks. `size` divides every number of bytes that had arrived; null if none does. */
  | { readonly kind: 'in-blocks'; readonly size: number | null }
  /** Only the first ones were late. */
  | { readonly kind: 'start-held'; readonly parts: number }

/** The arrival of an answer, and of each of its parts. */
export type MeasuredArrival = {
  readonly parts: readonly MeasuredPart[]
  readonly arrival: Arrival
  /**
   * The share of the bytes written before a part that had arrived when the part was written, from 0 to 1, on
   * average over all parts. Disturbances make it smaller, never larger.
   */
  readonly share: number
}

/** Measures when the parts arrived. Null if these are not the parts of a probe in their order. */
export function measure(
  answer: ReadAnswer,
  chunks: readonly Chunk[],
  begunAt: number,
): MeasuredArrival | null {
  const told = answer.parts.map(({ json }, index) => partOf(json, index + 1))
  const at = (offset: number) => timeOf(offset, chunks) - begunAt
  const parts: MeasuredPart[] = []
  const gaps: Gap[] = []
  for (const [index, { textEnd, boundaryEnd }] of answer.parts.entries()) {
    const part = told[index]
    if (part === null || part === undefined) return null
    const next = told[index + 1]
    const completed = boundaryEnd === null ? null : at(boundaryEnd)
    const inTime = next != null && completed !== null && completed < next.sentAt
    parts.push({ part: part.part, written: part.sentAt, read: at(textEnd), completed, inTime })
    if (next != null && boundaryEnd !== null)
      gaps.push({ textEnd, boundaryEnd, arrived: bytesBefore(begunAt + next.sentAt, chunks) })
  }
  return { parts, arrival: arrivalIn(gaps), share: shareOf(gaps) }
}

/** The bytes written before a part, and how many of them had arrived when the part was written. */
type Gap = { readonly textEnd: number; readonly boundaryEnd: number; readonly arrived: number }

function shareOf(gaps: readonly Gap[]): number {
  const shares = gaps.map(({ arrived, boundaryEnd }) => Math.min(1, arrived / boundaryEnd))
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
}

function arrivalIn(gaps: readonly Gap[]): Arrival {
  const late = gaps.filter(({ arrived, boundaryEnd }) => arrived < boundaryEnd)
  const last = gaps.at(-1)
  if (last === undefined || late.length === 0) return { kind: 'in-time' }
  if (last.arrived === 0) return { kind: 'at-the-end' }
  if (late.every(({ arrived, textEnd }) => arrived >= textEnd)) return { kind: 'boundaries-late' }
  const isOneLate = gaps.every(({ arrived }, index) => isEndOf(gaps[index - 1], arrived))
  if (isOneLate) return { kind: 'one-late' }
  if (gaps.slice(0, late.length).every(({ arrived }) => arrived === 0))
    return { kind: 'start-held', parts: late.length }
  return { kind: 'in-blocks', size: blockSize(gaps.map(({ arrived }) => arrived)) }
}

/** True if exactly the bytes up to the end of the gap's part had arrived. Without a gap these are none. */
function isEndOf(gap: Gap | undefined, arrived: number): boolean {
  return gap === undefined ? arrived === 0 : arrived >= gap.textEnd && arrived <= gap.boundaryEnd
}

const SMALLEST_BLOCK = 512

/**
 * Returns the size of the blocks, or null. If an intermediary counts headers as part of its first block, only
 * the blocks after the first are multiples of the size.
 */
function blockSize(arrived: readonly number[]): number | null {
  const steps = arrived.map((bytes, index) => bytes - (arrived[index - 1] ?? 0))
  const whole = greatestDivisor(steps)
  const size =
    whole >= SMALLEST_BLOCK
      ? whole
      : greatestDivisor(steps.slice(arrived.findIndex((bytes) => bytes > 0) + 1))
  return size >= SMALLEST_BLOCK ? size : null
}

function greatestDivisor(numbers: readonly number[]): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  return numbers.reduce(divisor, 0)
}

function timeOf(offset: number, chunks: readonly Chunk[]): number {
  let size = 0
  for (const { at, bytes } of chunks) {
    size += bytes.length
    if (size >= offset) return at
  }
  return Number.POSITIVE_INFINITY
}

function bytesBefore(time: number, chunks: readonly Chunk[]): number {
  let size = 0
  for (const { at, bytes } of chunks) if (at < time) size += bytes.length
  return size
}
