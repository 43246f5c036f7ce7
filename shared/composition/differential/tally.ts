/** Counts of a run. */
import { compareComposers, type Agreement, type Difference } from './compare.ts'
import { explain, type Explained } from './explained/index.ts'
import type { Statement } from './explained/explanation.ts'
import { randomGraph } from './random-graph.ts'

/** A difference with a statement that no class explains. */
export type Unexplained = {
  readonly seed: number
  /** The start of the graph and its changes, in words. */
  readonly made: readonly string[]
  readonly statements: readonly string[]
}

export class Tally {
  sets = 0
  readonly alike = new Map<Agreement, number>()
  /** Graphs with a difference, by its kind. */
  readonly different = new Map<Difference['kind'], number>()
  /** Graphs with a statement that the class explains. */
  readonly explained = new Map<string, number>()
  readonly unexplained: Unexplained[] = []

  /** Composes the graph of a seed by both composers, and counts what comes of it. */
  take(seed: number): void {
    const { sdls, made } = randomGraph(seed)
    const result = compareComposers(sdls)
    this.sets += 1
    if (typeof result === 'string') {
      count(this.alike, result)
      return
    }
    count(this.different, result.kind)
    const all = explain(result)
    for (const name of new Set(all.flatMap(({ by }) => by ?? []))) count(this.explained, name)
    const open = all.filter(({ by }) => by === null)
    if (open.length > 0) this.unexplained.push({ seed, made, statements: open.map(textOf) })
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function textOf({ statement }: Explained): string {
  return `${WHO[statement.by]}: ${saidBy(statement)}`
}

const WHO = { us: 'we alone say', them: 'the library alone says' } as const

function saidBy(statement: Statement): string {
  switch (statement.kind) {
    case 'fact':
      return statement.fact
    case 'error':
      return `${statement.code} ${statement.message}`
    case 'stop':
      return statement.message
    default:
      return statement satisfies never
  }
}
