/** One thing, as `key: value` lines: the same on a terminal and in a pipe. */
import { displayWidth, padToWidth } from '@switchyard/composition/display-width'
import type { Style } from './style.ts'

/** A list is a line per item, indented; an empty one is `-`. */
export type Detail = readonly [key: string, value: string | readonly string[]]

/** The lines as one text. A detail without a value has a dash. */
export function printDetails(details: readonly Detail[], style: Style): string {
  const width = Math.max(0, ...details.map(([key]) => displayWidth(key))) + 1
  return details
    .map(([key, value]) => {
      const label = style.dim(padToWidth(`${key}:`, width))
      if (typeof value === 'string') return `${label} ${value === '' ? '-' : value}`
      return value.length === 0
        ? `${label} -`
        : [style.dim(`${key}:`), ...value.map((item) => `  ${item}`)].join('\n')
    })
    .join('\n')
}
