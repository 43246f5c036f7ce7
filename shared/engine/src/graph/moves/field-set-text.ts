/** Writes a field set down, so that equal field sets are found by their text. */
import type { FieldSet } from '../compiled/compiled-graph.ts'

/** Canonical: the order of items does not matter. */
export function fieldSetText(fieldSet: FieldSet): string {
  const texts = fieldSet.map((item) =>
    item.kind === 'on'
      ? `...${item.type}{${fieldSetText(item.below)}}`
      : item.name + item.args + (item.below === null ? '' : `{${fieldSetText(item.below)}}`),
  )
  return [...new Set(texts)].sort().join(' ')
}
