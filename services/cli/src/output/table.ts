/**
 * Prints lists: aligned columns with a header on a terminal, and tab-separated lines without one in a pipe.
 */
import { printableLine } from '@switchyard/service-kit/printable'
import type { OutputStream } from '../run/context.ts'
import { cutToWidth, displayWidth, padToWidth } from '@switchyard/composition/display-width'
import type { Style } from './style.ts'

/** A list with the names of its columns. */
export type TextTable = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Said instead of an empty table. */
  readonly whenEmpty: string
}

const GAP = '  '
/** The least width of a column that is cut. A narrower one would say nothing. */
const NARROWEST = 8

/** The lines as one text. A tab or a line end inside a cell would look like the next cell or row. */
export function printTable(table: TextTable, output: OutputStream, style: Style): string {
  if (!output.isTTY) return table.rows.map((row) => row.map(printableLine).join('\t')).join('\n')
  if (table.rows.length === 0) return table.whenEmpty
  const header = table.columns.map((name) => name.toUpperCase())
  const rows = table.rows.map((row) => row.map(printableLine))
  const natural = header.map((name, column) =>
    Math.max(displayWidth(name), ...rows.map((row) => displayWidth(row[column] ?? ''))),
  )
  const widths = fitWidths(natural, output.columns)
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => padToWidth(cutToWidth(cells[column] ?? '', width), width))
      .join(GAP)
      .trimEnd()
  return [style.dim(line(header)), ...rows.map(line)].join('\n')
}

/** The widest columns give way first. */
function fitWidths(natural: readonly number[], terminal: number | undefined): readonly number[] {
  const widths = [...natural]
  let excess = sum(widths) + GAP.length * (widths.length - 1) - (terminal ?? Number.POSITIVE_INFINITY)
  while (excess > 0) {
    const widest = Math.max(...widths)
    if (widest <= NARROWEST) break
    const column = widths.indexOf(widest)
    const next = Math.max(NARROWEST, ...widths.filter((width) => width < widest))
    // Down to the next widest, or as far as needed when that is less; equals take turns.
    const step = Math.min(excess, Math.max(1, widest - next))
    widths[column] = widest - step
    excess -= step
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
