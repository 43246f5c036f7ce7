/** A piece of a text that is not shown where it stands. */
export type HiddenSpan = { readonly start: number; readonly end: number; readonly shown: string }

export const REDACTED = '[redacted]'
/** Stands for each text of a request with more secrets than are looked for. */
export const LEFT_OUT = '[left out: too many secrets]'

/** Of pieces that overlap nothing is shown, and one mark stands for all. */
export function replaceSpans(text: string, spans: readonly HiddenSpan[]): string {
  if (spans.length === 0) return text
  const pieces: string[] = []
  let from = 0
  for (const { start, end, shown } of inOrder(spans)) {
    if (end <= from) continue
    if (start >= from) pieces.push(text.slice(from, start), shown)
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}

/** Usually they are. */
function inOrder(spans: readonly HiddenSpan[]): readonly HiddenSpan[] {
  const isInOrder = spans.every(({ start }, index) => start >= (spans[index - 1]?.start ?? 0))
  return isInOrder ? spans : spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
}
