/** Which documents of a graph which compositions answer, as far as it was tried. */
import type { DocumentTrials } from '../threads/document-trials.ts'
import type { DistinctDocument } from './published-manifest.ts'

const UNKNOWN = 0
const FITS = 1
const UNFIT = 2

/** Documents are named by their places in the list. */
export class FitTable {
  readonly #documents: readonly DistinctDocument[]
  readonly #trials: DocumentTrials
  /** A byte for each document, by the SDL of the composition. */
  readonly #known = new Map<string, Uint8Array>()

  constructor(documents: readonly DistinctDocument[], trials: DocumentTrials) {
    this.#documents = documents
    this.#trials = trials
  }

  /** Tries these documents against these compositions, except those pairs whose result is known. */
  async tryAll(wanted: readonly (readonly [supergraph: string, places: readonly number[]])[]): Promise<void> {
    const missing = new Map<string, number[]>()
    for (const [supergraph, places] of wanted) {
      const unknown = places.filter((place) => this.#rowOf(supergraph)[place] === UNKNOWN)
      if (unknown.length === 0) continue
      missing.set(supergraph, [...new Set([...(missing.get(supergraph) ?? []), ...unknown])])
    }
    const trials = [...missing].map(([supergraph, places]) => ({
      supergraph,
      documents: places.map((place) => this.#documents[place]?.text ?? ''),
    }))
    const results = await this.#trials.unfit(trials)
    for (const [trial, [supergraph, places]] of [...missing].entries()) {
      const row = this.#rowOf(supergraph)
      for (const place of places) row[place] = FITS
      for (const index of results[trial] ?? []) row[places[index] ?? -1] = UNFIT
    }
  }

  /** Returns the documents of the given ones that were tried and cannot be answered. */
  unfitOf(places: readonly number[], supergraph: string): readonly number[] {
    return places.filter((place) => this.isUnfit(place, supergraph))
  }

  isUnfit(place: number, supergraph: string): boolean {
    return this.#rowOf(supergraph)[place] === UNFIT
  }

  #rowOf(supergraph: string): Uint8Array {
    let row = this.#known.get(supergraph)
    if (row === undefined) {
      row = new Uint8Array(this.#documents.length)
      this.#known.set(supergraph, row)
    }
    return row
  }
}
