/** Measures, prints the tables, and writes them where that is asked for. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machine, REPOSITORY, tableText, writeMeasured } from '@switchyard/lab'
import { messageOf } from '@switchyard/values'
import { barChart } from './chart.ts'
import { installPeers } from './gateways/install-peers.ts'
import { HELP, type Options, readOptions } from './options.ts'
import { comparisonChart, comparisonTable, growthTable, memoryTable, servingTable } from './report.ts'
import { type Results, runComparison } from './run.ts'
import { isAsked } from './scenarios.ts'

const PAGE = join(REPOSITORY, 'docs/performance.md')
const CHART = join(REPOSITORY, 'docs/performance.svg')

/**
 * Resolves to the exit code: 0 when every gateway answered every question rightly, 1 otherwise, 2 for wrong
 * options and gateways that cannot be had.
 */
export async function runBench(args: readonly string[]): Promise<number> {
  let options: Options | null
  let versions = ''
  try {
    options = readOptions(args)
    if (options?.peers === true) await installPeers()
    // A program that does not start is found out before all is measured.
    versions = options?.gateways.map((gateway) => `${gateway.name} ${gateway.version()}`).join(', ') ?? ''
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`)
    return 2
  }
  if (options === null) {
    process.stdout.write(HELP)
    return 0
  }
  const results = await runComparison({ ...options, tell: (line) => process.stdout.write(`${line}\n`) })
  const sections = sectionsOf(options, versions, results)
  for (const parts of Object.values(sections)) process.stdout.write(`\n${parts.join('\n\n')}\n`)
  if (options.write) await write(sections, { results, scenarios: options.scenarios })
  return isComplete(options, results) ? 0 : 1
}

type Sections = Readonly<Record<string, readonly string[]>>

function sectionsOf(
  { scenarios, rounds, measuredMs }: Options,
  versions: string,
  results: Results,
): Sections {
  const reported = { results, scenarios }
  const how = `${machine()} ${versions}. Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${measuredMs / 1000} s.`
  return {
    comparison: [how, tableText(comparisonTable(reported))],
    serving: [tableText(servingTable(reported))],
    memory: [tableText(memoryTable(reported))],
    growth: [tableText(growthTable(reported))],
  }
}

async function write(sections: Sections, reported: Parameters<typeof comparisonChart>[0]): Promise<void> {
  await writeMeasured(PAGE, sections)
  const chart = comparisonChart(reported)
  if (chart !== null) await writeFile(CHART, barChart(chart))
}

/** True if every scenario that a gateway can do has a sample of every round. */
function isComplete({ gateways, scenarios, rounds }: Options, { samples }: Results): boolean {
  const expected = gateways.flatMap((gateway) => scenarios.filter((scenario) => isAsked(gateway, scenario)))
  return samples.length === expected.length * rounds
}
