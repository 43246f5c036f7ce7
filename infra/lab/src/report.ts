/**
 * Tables of measured numbers, on terminals and on pages of docs/. On a page each table is between two
 * markers; the prose around it is written by hand.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** The lines of a page between which the table with this name stands. */
export function markers(name: string): readonly [begin: string, end: string] {
  return [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
}

/** Returns the page with new paragraphs between the markers of that name, which it must have. */
export function withMeasured(page: string, name: string, parts: readonly string[]): string {
  const [begin, end] = markers(name)
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the page has no lines ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${parts.join('\n\n')}\n\n${page.slice(to)}`
}

/** Writes paragraphs into a page, each list of them between the markers of its name. */
export async function writeMeasured(
  file: string,
  sections: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  let page = await readFile(file, 'utf8')
  for (const [name, parts] of Object.entries(sections)) page = withMeasured(page, name, parts)
  await writeFile(file, page)
}

/** Returns a table in Markdown. */
export function tableText({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}

/** Returns the lines of a table whose columns are as wide as their texts, with numbers at the right. */
export function alignedLines({ head, rows }: Table): readonly string[] {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return all.map((row) => row.map(padded).join('   ').trimEnd())
}

/**
 * Describes this machine and the versions of what ran on it, without a date, so that equal runs give equal
 * pages.
 */
export function machine(programs: readonly string[] = []): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const model = cpus()[0]?.model.trim() ?? 'unknown CPUs'
  const versions = [`Node.js ${process.versions.node}`, ...programs].join(', ')
  return `${cpus().length} CPUs (${model}), ${memory}, ${type()} ${release()}; ${versions}.`
}

export function megabytes(bytes: number): string {
  const value = bytes / 2 ** 20
  return `${value.toFixed(value < 10 ? 1 : 0)} MB`
}

export function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`
}
