/**
 * A long run over several processes: `make worlds`, or
 *
 *   SEED=… WORLDS=10000 OPERATIONS=10 node shared/corpus/src/generated/fuzz.ts
 *
 * Goes on after a failure. Prints what was refused and what occurred, every failure made small, with its
 * world's number, and the seed that repeats the run. Ends non-zero when anything failed.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { checkWorld, count, listed, Tally, type TallyCounts, tryWorld, worldSeeds } from './campaign.ts'
import { hearWitness } from './other-process.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const WORLDS = Number(process.env['WORLDS'] ?? 10_000)
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 10)
const WORKERS = Math.max(1, Math.min(Number(process.env['WORKERS'] ?? availableParallelism()), WORLDS))

/** Worlds between two reports of a worker. */
const REPORT_EVERY = 25
/** Far more splits are accepted than this. */
const MAX_TRIED_PER_WORLD = 4
const WORLDS_PER_WITNESS = 10
const WITNESS_BATCH = 100

type Report = { readonly counts: TallyCounts; readonly failures: readonly string[]; readonly cpu: number }

const worker = process.argv[2]
if (worker === undefined) await lead()
else await work(Number(worker))

async function lead(): Promise<void> {
  console.log(`SEED=${SEED} WORLDS=${WORLDS} OPERATIONS=${OPERATIONS}, ${WORKERS} processes`)
  const reports = new Map<number, Report>()
  const failures: string[] = []
  const onReport = (index: number, report: Report) => {
    reports.set(index, report)
    for (const failure of report.failures) {
      failures.push(failure)
      console.log(`\nFAILURE ${failures.length}: ${failure}\n`)
    }
    const { accepted, tried, operations } = total(reports)
    console.log(
      `${accepted} of ${WORLDS} worlds (${tried} tried), ${operations} operations, ${failures.length} failures`,
    )
  }
  const ends = Array.from({ length: WORKERS }, (_, index) => runWorker(index, onReport))
  const codes = await Promise.all(ends)
  const cpu = [...reports.values()].reduce((sum, report) => sum + report.cpu, 0)
  console.log(`\n${total(reports).toString()}\n${cpu.toFixed(0)} s of CPU`)
  console.log(`a stitched gateway beside the one server: ${listed(askWitness(total(reports).tried))}`)
  const isWhole = codes.every((code) => code === 0) && total(reports).accepted === WORLDS
  if (!isWhole) console.log('A process ended early, or too few splits were accepted.')
  console.log(`${failures.length} failures; SEED=${SEED} WORLDS=${WORLDS} repeats this run`)
  process.exitCode = failures.length === 0 && isWhole ? 0 : 1
}

/** About every tenth world. */
function askWitness(tried: number): ReadonlyMap<string, number> {
  const verdicts = new Map<string, number>()
  const seeds = worldSeeds(SEED, tried).filter((_, position) => position % WORLDS_PER_WITNESS === 0)
  while (seeds.length > 0) {
    for (const [verdict, times] of hearWitness(seeds.splice(0, WITNESS_BATCH)))
      count(verdicts, verdict, times)
  }
  return verdicts
}

function total(reports: ReadonlyMap<number, Report>): Tally {
  const tally = new Tally()
  for (const { counts } of reports.values()) tally.add(counts)
  return tally
}

async function runWorker(
  index: number,
  onReport: (index: number, report: Report) => void,
): Promise<number | null> {
  const child = fork(fileURLToPath(import.meta.url), [String(index)], {
    env: {
      ...process.env,
      SEED: String(SEED),
      WORLDS: String(WORLDS),
      OPERATIONS: String(OPERATIONS),
      WORKERS: String(WORKERS),
    },
  })
  child.on('message', (report) => onReport(index, report as Report))
  return await new Promise((resolve) => child.once('exit', resolve))
}

/** Takes every n-th world of the run, until it has its share of accepted ones. */
async function work(index: number): Promise<void> {
  const share = Math.floor(WORLDS / WORKERS) + (index < WORLDS % WORKERS ? 1 : 0)
  const seeds = worldSeeds(SEED, WORLDS * MAX_TRIED_PER_WORLD).filter(
    (_, position) => position % WORKERS === index,
  )
  const tally = new Tally()
  let failures: string[] = []
  const report = () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ counts: tally.counts(), failures, cpu: (user + system) / 1e6 })
    failures = []
  }
  for (const seed of seeds) {
    if (tally.accepted >= share) break
    const found = await tryOne(seed, tally)
    if (found !== null) failures.push(found)
    if (found !== null || tally.accepted % REPORT_EVERY === 0) report()
  }
  report()
  process.disconnect()
}

async function tryOne(seed: number, tally: Tally): Promise<string | null> {
  try {
    const bench = tryWorld(seed, tally)
    const failure = bench === null ? null : await checkWorld(seed, bench, OPERATIONS, tally)
    if (failure === null) return null
    return `WORLD=${seed}, operation ${failure.operation}\n${failure.text}`
  } catch (error) {
    return `WORLD=${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}
