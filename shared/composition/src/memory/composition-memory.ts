/**
 * The memory of the compositions of one graph: the schemas that were read, and everything that the last one
 * made of its types. A composition that fails, or is stopped, leaves what the last one made as it was.
 */
import type { SubgraphInput } from '../contract/composition-result.ts'
import type { Remembered } from './remembered.ts'
import { SchemaMemory } from './schema-memory.ts'

/** The memory of one graph: of its base, and of the flags that replace parts of it. */
export class CompositionMemory {
  readonly schemas: SchemaMemory
  #last: { readonly remembered: Remembered; readonly isOfFlag: boolean } | null = null

  /** `mostCharacters` limits the text of all schemas that are remembered. */
  constructor(mostCharacters = Infinity) {
    this.schemas = new SchemaMemory(mostCharacters)
  }

  /** The values that the last composition left. */
  get last(): Remembered | null {
    return this.#last?.remembered ?? null
  }

  /**
   * Keeps what a composition made. The composition behind a flag differs little from the base, so that it
   * does not take the place of the base.
   */
  commit(subgraphs: readonly SubgraphInput[], remembered: Remembered): void {
    const isOfFlag = subgraphs.some(({ baseName }) => baseName !== null && baseName !== undefined)
    if (isOfFlag && this.#last?.isOfFlag === false) return
    this.#last = { remembered, isOfFlag }
  }
}
