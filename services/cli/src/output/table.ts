/** Lists: aligned columns with a header on a terminal, tab-separated lines without one in a pipe. */
import type { Output } from '../context.ts'
import type { Style } from './style.ts'

export type Table = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Said instead of an empty table. */
  readonly whenEmpty: string
}

export function printTable(table: Table, output: Output, style: Style): string {
  if (!output.isTTY) return table.rows.map((row) => row.join('\t')).join('\n')
  if (table.rows.length === 0) return table.whenEmpty
  const widths = table.columns.map((name, column) =>
    Math.max(name.length, ...table.rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [style.dim(line(table.columns.map((name) => name.toUpperCase()))), ...table.rows.map(line)].join(
    '\n',
  )
}
