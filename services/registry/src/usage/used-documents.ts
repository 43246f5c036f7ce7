/**
 * The documents of operations and the coordinates that they use, of one graph. Equal ones are kept once,
 * however many compositions they were planned for.
 */
import type { RouterUsage } from '@switchyard/contracts'
import { z } from 'zod'
import { packed, unpacked } from './block-data.ts'

const MOST_DOCUMENTS = 10_000
const MOST_USES = 50_000

type Told = RouterUsage['documents'][number]
export type UsedDocument = { readonly text: string | null; readonly coordinates: readonly string[] | null }

/** A document in a composition, and the day on which a router told it last. */
type Use = { readonly document: number; readonly day: number }

const Strings = z.custom<string[]>((value) => Array.isArray(value))
const Data = z.object({
  names: Strings,
  /** Text, and the places of its coordinates in `names`. */
  documents: z.custom<[string | null, number[] | null][]>((value) => Array.isArray(value)),
  /** Hash, artifact, place of the document, and day. */
  uses: z.custom<[string, string, number, number][]>((value) => Array.isArray(value)),
  isCut: z.boolean(),
})

export class UsedDocuments {
  readonly #documents: UsedDocument[] = []
  readonly #places = new Map<string, number>()
  /** Uses by hash, and by artifact. */
  readonly #uses = new Map<string, Map<string, Use>>()
  #useCount = 0
  #isCut = false

  static async read(bytes: Uint8Array): Promise<UsedDocuments> {
    const { names, documents, uses, isCut } = Data.parse(await unpacked(bytes))
    const all = new UsedDocuments()
    for (const [text, places] of documents)
      all.#place({ text, coordinates: places?.map((place) => names[place] ?? '') ?? null })
    for (const [hash, artifact, document, day] of uses) all.#use(hash, artifact, { document, day })
    all.#isCut = isCut
    return all
  }

  /** Whether something was left out, since there was too much. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Adds a document that was told on this day. Returns whether anything changed. */
  add({ hash, artifact, text, coordinates }: Told, day: number): boolean {
    const known = this.#uses.get(hash)?.get(artifact)
    if (known !== undefined && known.day >= day) return false
    const document = known?.document ?? this.#place({ text, coordinates })
    if (document === null || (known === undefined && this.#useCount >= MOST_USES)) {
      const wasCut = this.#isCut
      this.#isCut = true
      return !wasCut
    }
    this.#use(hash, artifact, { document, day })
    return true
  }

  /** The document of an operation in a composition; undefined if it was never told. */
  of(hash: string, artifact: string): UsedDocument | undefined {
    const use = this.#uses.get(hash)?.get(artifact)
    return use === undefined ? undefined : this.#documents[use.document]
  }

  /** All coordinates that documents use. */
  names(): ReadonlySet<string> {
    return new Set(this.#documents.flatMap(({ coordinates }) => coordinates ?? []))
  }

  /** The documents of an operation in all compositions, each once. */
  allOf(hash: string): readonly UsedDocument[] {
    const places = new Set([...(this.#uses.get(hash)?.values() ?? [])].map(({ document }) => document))
    return [...places].flatMap((place) => this.#documents[place] ?? [])
  }

  /** Returns what was told since a day, packed. */
  async packed(since: number): Promise<Uint8Array> {
    const kept = [...this.#uses].flatMap(([hash, artifacts]) =>
      [...artifacts].flatMap(([artifact, use]) => (use.day < since ? [] : [{ hash, artifact, ...use }])),
    )
    const used = [...new Set(kept.map(({ document }) => document))]
    const placeOf = new Map(used.map((document, place) => [document, place]))
    const names = new Map<string, number>()
    const nameOf = (name: string): number => {
      const place = names.get(name) ?? names.size
      names.set(name, place)
      return place
    }
    const documents = used.map((place) => {
      const { text = null, coordinates = null } = this.#documents[place] ?? {}
      return [text, coordinates?.map(nameOf) ?? null]
    })
    const uses = kept.map(({ hash, artifact, document, day }) => [hash, artifact, placeOf.get(document), day])
    return packed({ names: [...names.keys()], documents, uses, isCut: this.#isCut })
  }

  #use(hash: string, artifact: string, use: Use): void {
    const artifacts = this.#uses.get(hash) ?? new Map<string, Use>()
    if (!artifacts.has(artifact)) this.#useCount += 1
    this.#uses.set(hash, artifacts.set(artifact, use))
  }

  /** Returns the place of a document; null if there is no room for it. */
  #place(document: UsedDocument): number | null {
    const key = JSON.stringify(document)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    if (this.#documents.length >= MOST_DOCUMENTS) return null
    this.#places.set(key, this.#documents.length)
    return this.#documents.push(document) - 1
  }
}
