/**
 * Pages of docs/ with tables of measured numbers, each between its two markers. The prose is written by
 * hand.
 */
import { cpus, release, totalmem, type } from 'node:os'

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

/**
 * Returns the page with new tables between the markers of that name, below a description of the machine.
 * Throws if the markers are not there.
 */
export function withMeasured(page: string, name: string, parts: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the page has no lines ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${parts.join('\n\n')}\n\n${page.slice(to)}`
}

/** A table in Markdown. */
export function tableText({ head, rows }: Table): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Describes this machine, without a date, so that equal runs give equal pages. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const model = cpus()[0]?.model.trim() ?? 'unknown CPUs'
  const system = `${type()} ${release()}, Node.js ${process.versions.node}`
  return `${cpus().length} CPUs (${model}), ${memory}, ${system}.`
}
