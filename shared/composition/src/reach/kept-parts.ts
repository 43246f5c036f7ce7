/** Keeps what was found out about parts of the graph in the composition before. */
import type { FieldSet, SubgraphId, TypeId } from '@switchyard/engine/moves'

/** A node, or what can be entered from it for objects of one type, that was complete. */
export type KeptPart = {
  readonly type: TypeId
  readonly sub: SubgraphId
  readonly provided: FieldSet | null
  /** Null for the node as such. */
  readonly object: TypeId | null
  /** The types that decided it, together with the parts that it leads to. */
  readonly reads: readonly TypeId[]
}

/** Parts by their keys. */
export type KeptParts = ReadonlyMap<string, KeptPart>

/** The key of what can be entered from a node, which has the key `node`, for objects of one type. */
export function enteredKey(node: string, object: TypeId): string {
  return `${node}>${object}`
}

/** Looks up parts that are what they were, and lists those that may not be. */
export class KnownParts {
  readonly #parts: KeptParts
  readonly #changed: ReadonlySet<TypeId>

  constructor(parts: KeptParts, changed: ReadonlySet<TypeId>) {
    this.#parts = parts
    this.#changed = changed
  }

  /**
   * Whether a part was complete of which nothing that it read has changed. It is so still only if all parts
   * of `doubtful` are complete again. What was not complete is looked at anew: it may lead to something that
   * is complete now.
   */
  isComplete(key: string): boolean {
    const part = this.#parts.get(key)
    return part !== undefined && !this.#isDoubtful(part)
  }

  /** The parts that were complete and may be so no longer. */
  *doubtful(): Iterable<KeptPart> {
    for (const part of this.#parts.values()) if (this.#isDoubtful(part)) yield part
  }

  /** The parts that are what they were, and those that were looked at now. */
  with(looked: KeptParts): KeptParts {
    const all = new Map<string, KeptPart>()
    for (const [key, part] of this.#parts) if (!this.#isDoubtful(part)) all.set(key, part)
    for (const [key, part] of looked) all.set(key, part)
    return all
  }

  #isDoubtful({ reads }: KeptPart): boolean {
    return reads.some((type) => this.#changed.has(type))
  }
}
