/** A piece of a text that is not shown where it stands, and what is known to be secret because of it. */
export type HiddenSpan = {
  readonly start: number
  readonly end: number
  readonly shown: string
  readonly secrets: readonly string[]
}

export const REDACTED = '[redacted]'

/** Of pieces that overlap nothing is shown, and one mark stands for all. */
export function replaceSpans(text: string, spans: readonly HiddenSpan[]): string {
  if (spans.length === 0) return text
  const ordered = spans.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const pieces: string[] = []
  let from = 0
  for (const { start, end, shown } of ordered) {
    if (end <= from) continue
    if (start >= from) pieces.push(text.slice(from, start), shown)
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}
