/** Describes the findings of a campaign as text. */
import {
  type CampaignReport,
  describeMemory,
  type Finding,
  MAX_REQUEST,
  MAX_TURN,
  megabytes,
  ms,
} from './campaign.ts'
import type { Attempt } from './targets/target.ts'

export function describeReports(
  reports: readonly CampaignReport[],
  files: ReadonlyMap<Finding, string>,
): string {
  const rows = reports.map(({ target, tried, milliseconds, worstTurn, worstRequest, memory }) => [
    target,
    String(tried),
    `${Math.round((tried / milliseconds) * 1000)}/s`,
    ms(worstTurn),
    ms(worstRequest),
    `${megabytes(memory[0]?.inUse ?? 0)} -> ${megabytes(memory.at(-1)?.inUse ?? 0)}`,
  ])
  const lines = [
    '',
    table([['target', 'inputs', 'rate', 'worst turn', 'worst request', 'memory'], ...rows]),
    '',
    `Limits: ${ms(MAX_TURN)} of CPU in one turn, ${ms(MAX_REQUEST)} for one input on the serving thread.`,
  ]
  for (const { target, outcomes, worst, memory } of reports) {
    const counts = [...outcomes].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name}: ${count}`)
    lines.push('', `${target}: ${counts.join(', ')}`)
    for (const sample of memory) lines.push(`  after ${sample.tried} inputs: ${describeMemory(sample)}`)
    for (const finding of worst) {
      const { attempt, bytes, seed, complaint } = finding
      lines.push(
        `  ${complaint === null ? '' : `FAILED: ${complaint.slice(0, 1000)} `}${describeFinding(attempt, bytes.length)}, from "${seed}"`,
      )
      lines.push(`    node infra/hunt/src/main.ts --again ${files.get(finding) ?? ''}`)
    }
  }
  return lines.join('\n')
}

export function describeFinding(
  { cpu, longestTurn, turns, memory, outcome }: Attempt,
  bytes: number,
): string {
  return `${bytes} bytes in, ${outcome.name}, ${outcome.bytesOut} bytes out, ${ms(longestTurn)} longest turn, ${ms(cpu)} in ${turns} turns, ${megabytes(memory)} allocated`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
