/**
 * The memory of the compositions of one graph: the schemas that were read, and everything that the last one
 * made of its types. A composition that fails, or is stopped, leaves what the last one made as it was.
 */
import type { SubgraphInput } from '../contract/composition-result.ts'
import type { Remembered } from './remembered.ts'
import { SchemaMemory } from './schema-memory.ts'

/** The memory that a type takes besides its declarations. It was measured. */
const BYTES_PER_TYPE = 5000

/** The memory of one graph: of its base, and of the flags that replace parts of it. */
export class CompositionMemory {
  readonly schemas = new SchemaMemory()
  /** Bytes that the schemas of the last composition take. */
  #schemasOfLast = 0
  #last: { readonly remembered: Remembered; readonly isOfFlag: boolean } | null = null

  /** About how much memory this takes. */
  get bytes(): number {
    return this.schemas.bytes + this.#bytesOfTypes
  }

  get #bytesOfTypes(): number {
    return (this.last?.merged.size ?? 0) * BYTES_PER_TYPE
  }

  /**
   * Forgets schemas that were used long ago, until this takes no more than so many bytes. False if the last
   * composition alone takes more.
   */
  keepTo(mostBytes: number): boolean {
    const left = mostBytes - this.#bytesOfTypes
    if (this.#schemasOfLast > left) return false
    this.schemas.forgetOld(left)
    return true
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
    this.#schemasOfLast = subgraphs.reduce((sum, { sdl }) => sum + this.schemas.bytesOf(sdl), 0)
  }
}
