/** Starts gateways in turn, round after round, and measures every scenario of each. */
import { Program, SpawnedProgram, usageOfTree } from '@switchyard/lab'
import { freePort, temporaryDirectory, waitFor } from '@switchyard/testkit'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request as ask } from 'undici'
import { z } from 'zod'
import { messageOf } from '@switchyard/values'
import { cinemaSdl } from './cinema.ts'
import type { Gateway, Place } from './gateways/gateway.ts'
import { composeConfig } from './gateways/switchyard.ts'
import { type Duration, measure, type Measurement } from './measure.ts'
import { questionsOf } from './questions.ts'
import { isAsked, PLAIN, type Scenario, type SetUp } from './scenarios.ts'

const READY_WITHIN_MS = 60_000
const REST_MS = 1000

export type RunOptions = Duration & {
  readonly gateways: readonly Gateway[]
  readonly scenarios: readonly Scenario[]
  readonly rounds: number
  /** Is called with each measurement, and with what could not be measured. */
  readonly tell: (line: string) => void
}

export type Sample = Measurement & { readonly gateway: string; readonly scenario: string }
/**
 * Measurements with the plain set-up: milliseconds from the start of the process to its first answer, and MB
 * of memory a second later.
 */
export type Start = { readonly gateway: string; readonly readyMs: number; readonly restMb: number }
export type Results = { readonly samples: readonly Sample[]; readonly starts: readonly Start[] }

/**
 * Runs the comparison. Gateways take turns within each round, so that a change of the machine affects all of
 * them. If a gateway answers wrongly or does not start, `tell` says so, and there is no sample for it.
 */
export async function runComparison(options: RunOptions): Promise<Results> {
  const { gateways, scenarios, rounds, tell } = options
  const samples: Sample[] = []
  const starts: Start[] = []
  for (let round = 1; round <= rounds; round++) {
    for (const [setUp, its] of bySetUp(scenarios)) {
      await using stage = await setStage(setUp)
      for (const gateway of gateways) {
        const asked = its.filter((scenario) => isAsked(gateway, scenario))
        if (asked.length === 0) continue
        try {
          for await (const found of measured(gateway, stage, asked, options)) {
            if (!('cpuMs' in found)) starts.push(found)
            else {
              samples.push(found)
              tell(`${round}  ${gateway.name}  ${found.scenario}  ${found.cpuMs.toFixed(3)} ms CPU`)
            }
          }
        } catch (error) {
          tell(`${round}  ${gateway.name}: ${messageOf(error)}`)
        }
      }
    }
  }
  return { samples, starts }
}

function bySetUp(scenarios: readonly Scenario[]): ReadonlyMap<SetUp, readonly Scenario[]> {
  const groups = Object.values(Object.groupBy(scenarios, ({ setUp }) => JSON.stringify(setUp)))
  return new Map(
    groups.flatMap((group = []) => {
      const [first] = group
      return first === undefined ? [] : [[first.setUp, group]]
    }),
  )
}

type Stage = AsyncDisposable & Omit<Place, 'port'>

/** Subgraphs that answer, and their supergraph. */
async function setStage(setUp: SetUp): Promise<Stage> {
  const { extraTypes, latency } = setUp
  const what = JSON.stringify({ extraTypes, latency })
  await using parts = new AsyncDisposableStack()
  const { path: folder } = parts.use(await temporaryDirectory())
  const program = parts.use(
    new Program('subgraphs', 'infra/bench/src/compare/subgraph-server.ts', [what], {}),
  )
  await waitFor('the subgraphs to listen', () => {
    if (!program.running) throw new Error(`the subgraphs ended: ${program.output}`)
    return program.output.includes('\n')
  })
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(program.output.split('\n')[0] ?? ''))
  const place = { folder, setUp, subgraphs: cinemaSdl(extraTypes), subgraphUrl: `http://127.0.0.1:${port}` }
  const supergraph = await composeConfig(place)
  const running = parts.move()
  return { ...place, supergraph, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function* measured(
  gateway: Gateway,
  stage: Stage,
  scenarios: readonly Scenario[],
  duration: Duration,
): AsyncGenerator<Start | Sample> {
  const folder = join(stage.folder, gateway.name.replaceAll(' ', '-'))
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/graphql`
  const { words, env } = await gateway.prepare({ ...stage, folder, port })
  const began = performance.now()
  // Each gateway compiles its code as it does at its users.
  const environment = { NODE_COMPILE_CACHE: '', ...env }
  await using program = new SpawnedProgram(gateway.name, words, environment, { isGroup: true })
  while (!(await answers(url))) {
    if (!program.running || performance.now() - began > READY_WITHIN_MS)
      throw new Error(`it did not start: ${program.output.slice(-1000)}`)
    await sleep(5)
  }
  const readyMs = performance.now() - began
  if (stage.setUp === PLAIN) {
    await sleep(REST_MS)
    yield { gateway: gateway.name, readyMs, restMb: usageOfTree(program.pid).resident / 2 ** 20 }
  }
  for (const scenario of scenarios) {
    const measurement = await measure(
      { pid: program.pid, url },
      scenario,
      await questionsOf(scenario),
      duration,
    )
    yield { ...measurement, gateway: gateway.name, scenario: scenario.id }
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
