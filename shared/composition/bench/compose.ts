/**
 * Measures what compositions cost, beside what others compose with, and with `--write` puts
 * the table into docs/scale.md: `node compose.ts [--write] [--runs 5]`.
 *
 * CPU of all threads of the process, so that garbage collection counts, best of several runs in a process
 * that has composed before.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Composer, ROWS } from './rows.ts'

type Measured = { readonly ms: number; readonly firstMs: number; readonly mb: number }

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, runs: { type: 'string', default: '5' } },
})
const page = new URL('../../../docs/scale.md', import.meta.url)

const PEERS: readonly Composer[] = ['guild', 'cosmo']
const names = [...new Set(ROWS.map(({ name }) => name))]
const lines = names.map((name) => {
  const ours = measure(name, 'ours')
  const peers = PEERS.flatMap((who) => cellsOf(measure(name, who)))
  const goal = ROWS.find((row) => row.name === name)?.goalMs ?? null
  const cells = [
    name,
    ours === null ? '' : `**${seconds(ours.ms)}**`,
    ours === null ? '' : seconds(ours.firstMs),
    ours === null ? '' : `${Math.round(ours.mb)} MB`,
    ...peers,
    goal === null ? '' : seconds(goal),
  ]
  return `| ${cells.join(' | ')} |`
})
const table = [
  '| composition | Switchyard | its first run | memory of the process | Guild | memory | Cosmo | memory | goal |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ...lines,
].join('\n')
console.log(table)
if (values.write) writeFileSync(page, withTable(readFileSync(page, 'utf8'), table))

function cellsOf(measured: Measured | null): readonly string[] {
  return measured === null ? ['', ''] : [seconds(measured.ms), `${Math.round(measured.mb)} MB`]
}

function measure(name: string, who: Composer): Measured | null {
  const index = ROWS.findIndex((row) => row.name === name && row.who === who)
  if (index === -1) return null
  const module = new URL('./measure-row.ts', import.meta.url).pathname
  const runs = who === 'ours' ? values.runs : '2'
  return JSON.parse(execFileSync(process.execPath, [module, String(index), runs], { encoding: 'utf8' }))
}

function seconds(ms: number): string {
  return ms < 100 ? `${(ms / 1000).toFixed(3)} s` : `${(ms / 1000).toFixed(2)} s`
}

function withTable(text: string, written: string): string {
  const [begin, end] = ['<!-- compositions: begin -->', '<!-- compositions: end -->']
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`docs/scale.md lacks ${begin} and ${end}.`)
  return `${before}${begin}\n\n${written}\n\n${end}${after}`
}
