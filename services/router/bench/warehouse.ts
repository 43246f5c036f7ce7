/**
 * The parts that measurements of the router's CPU time share: processes that take turns, and the warehouse
 * that they serve.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MeasuredProcess } from './measured-process.ts'

/** Answers until V8 has compiled what they need; before, up to a sixth of the CPU is the compiler's. */
const WARM_UP = 10_000

export type Measured = {
  readonly process: MeasuredProcess
  readonly work: (count: number) => Promise<unknown>
}

/** How often each work is done, and for about how long each time. */
export type Rounds = { readonly rounds: number; readonly milliseconds: number }

/**
 * CPU microseconds of each of some works in each round: they take turns, so what disturbs one disturbs all.
 * `spent[work][round]`.
 */
export async function alternate(
  works: readonly Measured[],
  { rounds, milliseconds }: Rounds,
): Promise<readonly (readonly number[])[]> {
  const counts: number[] = []
  for (const { work } of works) {
    await work(WARM_UP / 2)
    const started = performance.now()
    await work(WARM_UP / 2)
    counts.push(Math.ceil((WARM_UP * milliseconds) / (2 * (performance.now() - started))))
  }
  const spent: number[][] = works.map(() => [])
  for (let round = 0; round < rounds; round++) {
    // Every other round backwards: what comes first in a round would always be the warmer, or the colder.
    const turns = [...works.entries()]
    for (const [index, { process, work }] of round % 2 === 0 ? turns : turns.reverse()) {
      const count = counts[index] ?? 1
      const before = await process.cpu()
      await work(count)
      spent[index]?.push(((await process.cpu()) - before) / count)
    }
  }
  return spent
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The median of the ratios of the rounds: what stands in one round was measured next to each other. */
export function medianRatio(costs: readonly number[], before: readonly number[]): number {
  return median(costs.map((cost, round) => cost / (before[round] ?? Number.NaN)))
}

export function row([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(28)}${cells.map((cell) => cell.padStart(11)).join('')}`
}

/** The subgraphs of the warehouse, and routers in front of them, until it is disposed. */
export class Warehouse implements AsyncDisposable {
  readonly subgraphs: MeasuredProcess
  readonly #directory: string
  readonly #stack: AsyncDisposableStack

  private constructor(subgraphs: MeasuredProcess, directory: string, stack: AsyncDisposableStack) {
    this.subgraphs = subgraphs
    this.#directory = directory
    this.#stack = stack
  }

  /**
   * `polls`: this process, which asks, never sleeps. Waking a process is charged to the one that writes to
   * it, with as much as the write itself, and how often it is needed depends on how long an answer takes.
   */
  static async open({ polls }: { readonly polls: boolean }): Promise<Warehouse> {
    await using stack = new AsyncDisposableStack()
    if (polls) stack.use(polling())
    const directory = await mkdtemp(join(tmpdir(), 'switchyard-bench-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const subgraphs = stack.use(await MeasuredProcess.start(new URL('subgraphs.ts', import.meta.url)))
    const fixture = new URL('../test/fixtures/supergraph-warehouse.graphql', import.meta.url)
    const sdl = (await readFile(fixture, 'utf8')).replaceAll(/http:\/\/\w+\.invalid\/graphql/g, subgraphs.url)
    await writeFile(join(directory, 'supergraph.graphql'), sdl)
    return new Warehouse(subgraphs, directory, stack.move())
  }

  /** `tree`: of any version of the router. */
  async startRouter(tree: URL, env: Readonly<Record<string, string>>): Promise<MeasuredProcess> {
    return this.#stack.use(
      await MeasuredProcess.start(new URL('services/router/src/main.ts', tree), {
        SWITCHYARD_SUPERGRAPH: join(this.#directory, 'supergraph.graphql'),
        SWITCHYARD_LOG_LEVEL: 'warn',
        ...env,
      }),
    )
  }

  /** Some other process that is measured. */
  async start(main: URL): Promise<MeasuredProcess> {
    return this.#stack.use(await MeasuredProcess.start(main))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

function polling(): Disposable {
  let next = setImmediate(poll)
  function poll(): void {
    next = setImmediate(poll)
  }
  return { [Symbol.dispose]: () => clearImmediate(next) }
}
