/** Scenarios of a harness: how some of them are chosen, carried out one after the other, and reported. */
import type { ParseArgsOptionsConfig } from 'node:util'
import { readOptions } from '@switchyard/testkit'

/** Something that is carried out and measured. The name is short and unique. */
export type Scenario = { readonly name: string }

/** `--only` fits no scenario. */
export class NoSuchScenarioError extends Error {
  override readonly name = 'NoSuchScenarioError'
}

/**
 * Returns the scenarios that `only` names: by a part of a name, in either case, or by several parts with
 * commas between them. All for an empty text. Throws NoSuchScenarioError.
 */
export function chosenScenarios<S extends Scenario>(all: readonly S[], only: string): readonly S[] {
  const has = ({ name }: Scenario, part: string) => name.toLowerCase().includes(part.trim().toLowerCase())
  // Names may have commas, too.
  const parts = all.some((scenario) => has(scenario, only)) ? [only] : only.split(',')
  const unknown = parts.find((part) => !all.some((scenario) => has(scenario, part)))
  if (unknown === undefined) return all.filter((scenario) => parts.some((part) => has(scenario, part)))
  const known = all.map(({ name }) => name).join(', ')
  throw new NoSuchScenarioError(`--only ${unknown}: there is no such scenario. Expected parts of: ${known}`)
}

/**
 * Reads the options of this process, among them `--only` and `--list`, which prints the names and ends it. A
 * wrong `--only` ends it with 2 and says so.
 */
export function readScenarios<S extends Scenario, Options extends ParseArgsOptionsConfig>(
  usage: string,
  all: readonly S[],
  options: Options,
) {
  const common = { only: { type: 'string', default: '' }, list: { type: 'boolean', default: false } } as const
  const values = readOptions(usage, { ...options, ...common })
  const { only, list } = values as { readonly only: string; readonly list: boolean }
  try {
    const scenarios = chosenScenarios(all, only)
    if (!list) return { values, scenarios, areAll: only === '' }
    for (const { name } of scenarios) console.log(name)
    return process.exit(0)
  } catch (error) {
    if (!(error instanceof NoSuchScenarioError)) throw error
    console.error(`error: ${error.message}`)
    return process.exit(2)
  }
}

/** Returns a signal that Ctrl-C aborts, for a run that ends after the present scenario. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  return interrupted.signal
}

export type Reporting<Result> = {
  readonly describe: (result: Result) => string
  readonly isGood: (result: Result) => boolean
  /** Writes all results so far, so that an interrupted run keeps them. */
  readonly write?: (results: readonly Result[]) => Promise<void>
  /** Ends the run after the present result. */
  readonly signal?: AbortSignal
}

/** Reports results as they come. True if there is one, and all are good. */
export async function reportResults<Result>(
  results: AsyncIterable<Result>,
  { describe, isGood, write, signal }: Reporting<Result>,
): Promise<boolean> {
  const all: Result[] = []
  for await (const result of results) {
    all.push(result)
    console.log(describe(result))
    await write?.(all)
    if (signal?.aborted === true) break
  }
  return all.length > 0 && all.every(isGood)
}
