/**
 * The parts of an answer, and where in its bytes each of them is complete. Nothing that a proxy may have
 * changed is relied on.
 */
import { ProbePart, probePartKey, ProbeStart, ProbeStartData } from '@switchyard/contracts'
import { z } from 'zod'
import { parseJson } from '../registry/transport.ts'

/** One part of a multipart answer. */
export type ReadPart = {
  readonly json: unknown
  /** Offsets of the end of its text, and of the end of the boundary after it. Null if none follows. */
  readonly textEnd: number
  readonly boundaryEnd: number | null
}

/** A body, taken apart at its boundaries. */
export type ReadAnswer = {
  /** The boundary that the body uses. Null if it has none. */
  readonly boundary: string | null
  readonly parts: readonly ReadPart[]
  /** True if the closing boundary is there. */
  readonly isClosed: boolean
}

const FIRST_BOUNDARY = /(?:^|\r?\n)--([^\s"]{1,200}?)(?:--)?\r?\n/

/** Reads as much as there is; a body that was cut short has fewer parts. */
export function readAnswer(body: Buffer): ReadAnswer {
  // One character for each byte, so that offsets are those of bytes.
  const text = body.toString('latin1')
  const first = FIRST_BOUNDARY.exec(text)
  const boundary = first?.[1]
  if (first === null || boundary === undefined) return { boundary: null, parts: [], isClosed: false }
  const delimiter = `--${boundary}`
  const parts: ReadPart[] = []
  let start = text.indexOf(delimiter, first.index) + delimiter.length
  while (start < text.length && !text.startsWith('--', start)) {
    const found = text.indexOf(`\n${delimiter}`, start)
    const stop = found < 0 ? text.length : text.charAt(found - 1) === '\r' ? found - 1 : found
    const blank = /\r?\n\r?\n/.exec(text.slice(start, stop))
    if (blank !== null) {
      const json = parseJson(body.toString('utf8', start + blank.index + blank[0].length, stop))
      const boundaryEnd = found < 0 ? null : found + 1 + delimiter.length
      if (json !== undefined) parts.push({ json, textEnd: stop, boundaryEnd })
    }
    if (found < 0) return { boundary, parts, isClosed: false }
    start = found + 1 + delimiter.length
  }
  return { boundary, parts, isClosed: text.startsWith('--', start) }
}

const Later = z.object({ incremental: z.tuple([z.object({ data: z.record(z.string(), z.unknown()) })]) })

/** Reads what the router says in its first part. Null if this is no answer to a probe. */
export function startOf({ parts }: ReadAnswer): ProbeStart | null {
  return readStart(parts[0]?.json)
}

/** Reads the first part of an answer, which describes the others. Null if it is not that of a probe. */
export function readStart(json: unknown): ProbeStart | null {
  const parsed = z.object({ data: ProbeStartData }).safeParse(json)
  return parsed.success ? parsed.data.data.probe : null
}

/** Reads the part with this number. Null if the JSON is something else. */
export function partOf(json: unknown, number: number): ProbePart | null {
  if (number === 1) return readStart(json)
  const later = Later.safeParse(json)
  const part = ProbePart.safeParse(later.data?.incremental[0].data[probePartKey(number)])
  return part.success ? part.data : null
}
