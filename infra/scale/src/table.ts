/** The tables of docs/scale.md, each between its two markers. The prose around them is written by hand. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machine, type Table, tableText, withMeasured } from '@switchyard/lab'
import { REPOSITORY } from '@switchyard/e2e'

export type { Table }

const FILE = join(REPOSITORY, 'docs/scale.md')

export async function writeTable(name: string, table: Table): Promise<void> {
  const page = await readFile(FILE, 'utf8')
  await writeFile(FILE, withMeasured(page, name, [machine(), tableText(table)]))
}
