/** The tables of docs/scale.md, each between its two markers. The prose around them is written by hand. */
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from '@switchyard/e2e'

const FILE = join(REPOSITORY, 'docs/scale.md')

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

export async function writeTable(name: string, table: Table): Promise<void> {
  await writeFile(FILE, withTable(await readFile(FILE, 'utf8'), name, table))
}

/** The page with a new table in it. Throws when the markers of that name are not there. */
export function withTable(page: string, name: string, { head, rows }: Table): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${FILE} has no lines ${begin} and ${end}`)
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const before = page.slice(0, from + begin.length)
  return `${before}\n\n${machine()}\n\n${lines.join('\n')}\n\n${page.slice(to)}`
}

/** No date: the same run gives the same page. */
function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const model = cpus()[0]?.model.trim() ?? 'unknown CPUs'
  const system = `${type()} ${release()}, Node.js ${process.versions.node}`
  return `${cpus().length} CPUs (${model}), ${memory}, ${system}.`
}
