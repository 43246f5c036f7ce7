/** Parts of a text that are replaced by a mark. */
import type { Meter, Sliced } from './meter.ts'

export type Place = { readonly start: number; readonly end: number }
export type HiddenSpan = Place & { readonly shown: string }

export const REDACTED = '[redacted]'
/** Stands for each text of a request with more secrets than are looked for. */
export const LEFT_OUT = '[left out: too many secrets]'

/** Pieces of a text that are put together in one go, and what that takes for each. */
const PIECES = 4096
const CHARACTERS_PER_PIECE = 16

/** Spans that overlap are replaced by one mark. */
export function* replaceSpans(text: string, spans: readonly HiddenSpan[], meter: Meter): Sliced<string> {
  if (spans.length === 0) return text
  let parts = ''
  let pieces: string[] = []
  let from = 0
  for (const { start, end, shown } of inOrder(spans)) {
    if (end <= from) continue
    if (start >= from) pieces.push(text.slice(from, start), shown)
    from = end
    if (pieces.length < PIECES) continue
    parts += pieces.join('')
    pieces = []
    meter.shorten(PIECES * CHARACTERS_PER_PIECE)
    if (meter.take(0)) yield
  }
  return parts + pieces.join('') + text.slice(from)
}

function inOrder(spans: readonly HiddenSpan[]): readonly HiddenSpan[] {
  const isInOrder = spans.every(({ start }, index) => start >= (spans[index - 1]?.start ?? 0))
  return isInOrder ? spans : spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
}
