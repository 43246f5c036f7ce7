/** The results of all rollouts whose answers are compared, of one process. They outlive changed settings. */
import { DIFFERENCES_KEPT_MS, type ManifestRollout, type RolloutResults } from '@switchyard/contracts'
import type { DescribeValue } from './result-table.ts'
import { ResultTable } from './result-table.ts'

type Counted = { readonly flag: string; readonly table: ResultTable }

/** The settings of results. */
export type ShadowResultsOptions = {
  readonly describe: DescribeValue
  /** Whether values may be told at this moment. */
  readonly keepsValues: () => boolean
  /** Unix milliseconds. */
  readonly now: () => number
}

/** Counts results by rollout. */
export class ShadowResults {
  readonly #options: ShadowResultsOptions
  readonly #byRollout = new Map<string, Counted>()
  #forgotten = 0

  constructor(options: ShadowResultsOptions) {
    this.#options = options
  }

  /** Increases with each result, and with each rollout that is forgotten. */
  get changes(): number {
    return [...this.#byRollout.values()].reduce((sum, { table }) => sum + table.changes, this.#forgotten)
  }

  /** Returns the table of a rollout. It begins anew with another flag. */
  of({ name, flag }: Pick<ManifestRollout, 'name' | 'flag'>): ResultTable {
    const known = this.#byRollout.get(name)
    if (known?.flag === flag) return known.table
    if (known !== undefined) this.#forgotten += known.table.changes + 1
    const { now, describe } = this.#options
    const table = new ResultTable(now(), describe)
    this.#byRollout.set(name, { flag, table })
    return table
  }

  /** Forgets the results of rollouts that are not among these. */
  keepOnly(rollouts: readonly string[]): void {
    for (const [name, { table }] of this.#byRollout) {
      if (rollouts.includes(name)) continue
      this.#forgotten += table.changes + 1
      this.#byRollout.delete(name)
    }
  }

  /** Returns all results, with values only where they may be told, and no longer than a day. */
  all(): readonly RolloutResults[] {
    const { keepsValues, now } = this.#options
    const since = keepsValues() ? now() - DIFFERENCES_KEPT_MS : Infinity
    return [...this.#byRollout].map(([rollout, { flag, table }]) => {
      const results = table.results(rollout, flag)
      const differences = results.differences.map((row) =>
        row.last >= since ? row : { ...row, base: withoutValue(row.base), flag: withoutValue(row.flag) },
      )
      return { ...results, differences }
    })
  }
}

type Side = RolloutResults['differences'][number]['base']

function withoutValue({ type, hash }: Side): Side {
  return { type, hash }
}
