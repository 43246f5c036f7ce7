/**
 * Makes the config store hold what the config log says. Every step may be repeated, by any number of
 * instances, at any time. Whatever the store held before (nothing, an old dump, something forged), it ends
 * with the log's last revision.
 */
import { MAX_ARTIFACT_BYTES } from '@switchyard/contracts'
import type { GraphName, ManifestContent } from '@switchyard/contracts'
import { compareVersions } from '@switchyard/config-store'
import type { ConfigStore, StoredManifest } from '@switchyard/config-store'
import { type ArtifactStores, type EventLog, readArtifact } from '@switchyard/event-log'
import { lastRevision, piecesOf } from '../log/config-log.ts'
import type { Revision } from '../log/config-log.ts'
import type { PiecesBeforeManifest } from './graph-pieces.ts'
import { isPackedForm, pack } from './packed.ts'

/** Options of `project`. */
export type ProjectionOptions = {
  /** True if the bytes of artifacts are compared as well. */
  readonly verify: boolean
  /** Puts the pieces of this content, and tells which artifacts the manifest must not come before. */
  readonly putPieces: (content: ManifestContent) => PiecesBeforeManifest
}

export type ProjectionResult = {
  /** The revision that the log holds now. It is newer than the given one if another instance committed. */
  readonly revision: Revision
  readonly manifest: 'current' | 'written' | 'replaced'
  /** Hashes of the artifacts that the manifest was not to come before. The others are still to be put. */
  readonly needed: ReadonlySet<string>
  /** Those of them that were not there, or not whole. */
  readonly artifacts: readonly string[]
}

export class Projection {
  readonly #log: EventLog
  readonly #stores: ArtifactStores
  readonly #store: ConfigStore

  constructor(parts: ArtifactStores & { readonly log: EventLog; readonly store: ConfigStore }) {
    this.#log = parts.log
    this.#stores = { blobs: parts.blobs, pieces: parts.pieces }
    this.#store = parts.store
  }

  /**
   * Stores those of the content's artifacts that are missing, and returns which these were. `verify` also
   * replaces those whose bytes do not have the hash they are named by.
   */
  async putArtifacts(
    graph: GraphName,
    artifacts: Iterable<string>,
    { content, verify = false }: { readonly content: ManifestContent; readonly verify?: boolean },
  ): Promise<readonly string[]> {
    const put: string[] = []
    const references = new Map(piecesOf(content).map((reference) => [reference.artifact, reference]))
    const repair = async (sha256: string): Promise<void> => {
      const stored = verify
        ? await this.#isIntact(graph, sha256)
        : await this.#store.hasArtifact(graph, sha256)
      if (stored) return
      const bytes = await readArtifact(this.#stores, references.get(sha256) ?? { artifact: sha256 })
      await this.#store.putArtifact(graph, sha256, await pack(bytes))
      put.push(sha256)
    }
    // What is read is in memory, up to 64 MiB of each.
    if (verify) for (const sha256 of artifacts) await repair(sha256)
    else await fewAtATime(artifacts, repair)
    return put
  }

  async project(
    graph: GraphName,
    wanted: Revision,
    { verify, putPieces }: ProjectionOptions,
  ): Promise<ProjectionResult> {
    let revision = wanted
    let refused = false
    const artifacts: string[] = []
    for (;;) {
      const before = putPieces(revision.manifest)
      const needed = await before.needed
      artifacts.push(...(await this.putArtifacts(graph, needed, { content: revision.manifest, verify })))
      await before.pieces
      const form = storedForm(revision)
      const stored = await this.#store.getManifest(graph)
      if (stored !== null && isSame(stored, form)) return { revision, manifest: 'current', needed, artifacts }
      if (!refused && (stored === null || compareVersions(stored.version, form.version) < 0)) {
        if ((await this.#store.putManifest(graph, form)) === 'written')
          return { revision, manifest: 'written', needed, artifacts }
        refused = true
        continue
      }
      // Something newer than this revision, or another text under its number: only the log can say that it is
      // wrong.
      const last = (await lastRevision(this.#log, graph)) ?? revision
      if (last.sequence === revision.sequence) {
        await this.#store.replaceManifest(graph, form)
        // A commit between the two reads was refused by the store as older than what has just been replaced.
        const newest = (await lastRevision(this.#log, graph)) ?? revision
        if (newest.sequence === revision.sequence)
          return { revision, manifest: 'replaced', needed, artifacts }
      }
      revision = last
      refused = false
    }
  }

  async #isIntact(graph: GraphName, sha256: string): Promise<boolean> {
    const packed = await this.#store.getArtifact(graph, sha256)
    return packed !== null && isPackedForm(packed, sha256, MAX_ARTIFACT_BYTES)
  }
}

/** Artifacts that are read, packed and put at a time. */
const PUT_AT_A_TIME = 16

async function fewAtATime(names: Iterable<string>, work: (name: string) => Promise<void>): Promise<void> {
  const left = [...names]
  const worker = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await work(name)
  }
  await Promise.all(Array.from({ length: PUT_AT_A_TIME }, worker))
}

function storedForm({ record }: Revision): StoredManifest {
  return {
    version: { epoch: record.epoch, revision: record.revision },
    manifest: new TextEncoder().encode(record.manifest),
    signature: record.signature,
  }
}

function isSame(a: StoredManifest, b: StoredManifest): boolean {
  return (
    compareVersions(a.version, b.version) === 0 &&
    a.signature === b.signature &&
    Buffer.from(a.manifest).equals(b.manifest)
  )
}
