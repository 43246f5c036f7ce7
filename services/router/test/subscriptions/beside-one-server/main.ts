/**
 * A long run over several processes: `make beside-one-server`, or
 *
 *   SEED=… EVENTS=100000 WORKERS=2 node services/router/test/subscriptions/beside-one-server/main.ts
 *   SHARE_BY=decision EVENTS=… node services/router/test/subscriptions/beside-one-server/main.ts
 *   WORLD=… node services/router/test/subscriptions/beside-one-server/main.ts
 *
 * The second one lets all worlds share alike, and the last one checks the world that a difference names. Goes
 * on after a difference, and ends non-zero if there was one.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { worldSeeds } from '@switchyard/corpus/generated'
import { checkWorld, type ShareBy } from './check-world.ts'
import { openSurroundings } from './surroundings.ts'
import { Tally, type TallyCounts } from './tally.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_007)
const EVENTS = Number(process.env['EVENTS'] ?? 100_000)
const WORKERS = Number(process.env['WORKERS'] ?? availableParallelism())
const WORLD = process.env['WORLD']
const SHARE_BY = shareByOf(process.env['SHARE_BY'])

/** Far more events come of a world that can be served. */
const LEAST_EVENTS_PER_WORLD = 20
const WORLDS_PER_REPORT = 25

type Report = { readonly counts: TallyCounts; readonly differences: readonly string[] }

const worker = process.argv[2]
if (WORLD !== undefined) await checkOne(Number(WORLD))
else if (worker === undefined) await lead()
else await work(Number(worker))

async function lead(): Promise<void> {
  console.log(`SEED=${SEED} EVENTS=${EVENTS}, ${WORKERS} processes`)
  const began = performance.now()
  const reports = new Map<number, TallyCounts>()
  let found = 0
  const total = (): Tally => {
    const tally = new Tally()
    for (const counts of reports.values()) tally.add(counts)
    return tally
  }
  const onReport = (index: number, { counts, differences }: Report): void => {
    reports.set(index, counts)
    found += differences.length
    for (const difference of differences) console.log(`\nDIFFERENCE\n${difference}\n`)
    console.log(`${total().events} events, ${found} graphs with differences`)
  }
  const codes = await Promise.all(Array.from({ length: WORKERS }, (_, index) => runWorker(index, onReport)))
  const isWhole = codes.every((code) => code === 0) && total().events >= EVENTS
  if (!isWhole) console.log('A process ended early.')
  console.log(`\n${total().toString()}\n${((performance.now() - began) / 1000).toFixed(0)} s`)
  console.log(`${found} graphs with differences; SEED=${SEED} EVENTS=${EVENTS} repeats this run`)
  process.exitCode = found === 0 && isWhole ? 0 : 1
}

async function runWorker(
  index: number,
  onReport: (index: number, report: Report) => void,
): Promise<number | null> {
  const env = { ...process.env, SEED: String(SEED), EVENTS: String(EVENTS), WORKERS: String(WORKERS) }
  const child = fork(fileURLToPath(import.meta.url), [String(index)], { env })
  child.on('message', (report) => onReport(index, report as Report))
  return await new Promise((resolve) => child.once('exit', resolve))
}

/** Takes every n-th world of the run, until it has its share of events. */
async function work(index: number): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const surroundings = await openSurroundings(stack, SHARE_BY)
  const tally = new Tally()
  let differences: string[] = []
  const report = (): void => {
    process.send?.({ counts: tally.counts(), differences } satisfies Report)
    differences = []
  }
  const seeds = worldSeeds(SEED, Math.ceil(EVENTS / LEAST_EVENTS_PER_WORLD) + WORKERS)
  for (const [position, seed] of seeds.entries()) {
    if (position % WORKERS !== index) continue
    if (tally.events >= EVENTS / WORKERS) break
    const problems = await problemsOf(() => checkWorld(seed, surroundings, tally))
    if (problems.length > 0) differences.push(`WORLD=${seed}\n${problems.join('\n')}`)
    if (problems.length > 0 || tally.worlds % WORLDS_PER_REPORT === 0) report()
  }
  report()
  process.disconnect()
}

async function checkOne(seed: number): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const surroundings = await openSurroundings(stack, SHARE_BY)
  const tally = new Tally()
  const problems = await problemsOf(() => checkWorld(seed, surroundings, tally))
  console.log([...problems, tally.toString()].join('\n'))
  process.exitCode = problems.length === 0 ? 0 : 1
}

function shareByOf(text: string | undefined): ShareBy | null {
  if (text === undefined || text === 'token' || text === 'decision') return text ?? null
  throw new Error(`SHARE_BY is "${text}": expected token or decision.`)
}

async function problemsOf(check: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await check()
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  }
}
