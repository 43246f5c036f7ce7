/**
 * Takes the configs into service that the primary hands to a worker. The primary has verified them, and only
 * it can write to the channel, so they are served as they are.
 */
import { messageOf } from '@switchyard/values'
import type { ConfigFollowing, FollowerState } from '../generations/follow/config-follower.ts'
import type { CutArtifact } from '../generations/content/artifact-content.ts'
import { unpackPieceList } from '../generations/verify/verify-pieces.ts'
import type { FollowingListener, FollowingParts } from '../startup/router-options.ts'
import type { FromWorker, RouterState, ToWorker } from './messages.ts'

/** Follows the configs that the primary hands over. */
export class HandedConfigs implements ConfigFollowing {
  readonly #told: FollowingParts
  readonly #listener: FollowingListener
  readonly #answer: (message: FromWorker) => void
  readonly #parts = new Map<string, Uint8Array[]>()
  /** Gzipped bytes by hash: all that the config has that was handed over last. */
  #artifacts: ReadonlyMap<string, Uint8Array> = new Map()
  #pieces: ReadonlyMap<string, CutArtifact> = new Map()
  #serving: Promise<void> = Promise.resolve()
  #waitingFor = 'the router is starting'

  constructor(told: FollowingParts, listener: FollowingListener, answer: (message: FromWorker) => void) {
    this.#told = told
    this.#listener = listener
    this.#answer = answer
  }

  get state(): FollowerState {
    return { graph: null, graphDeleted: false, rejected: null, waitingFor: this.#waitingFor }
  }

  async start(): Promise<void> {}

  /** Does nothing here: the primary looks. */
  look(): void {}

  hear({ waitingFor, fleet: { flagsInUse, isHeard }, stopped, newer }: RouterState): void {
    this.#waitingFor = waitingFor
    const { flagUse, guards, generations } = this.#told
    guards.stop(stopped)
    generations.takeBack(newer)
    const { useChanged, heard } = this.#listener
    if (flagUse.heard(flagsInUse)) useChanged()
    if (isHeard) heard()
  }

  addPart({ sha256, bytes }: Extract<ToWorker, { kind: 'part' }>): void {
    const parts = this.#parts.get(sha256)
    if (parts === undefined) this.#parts.set(sha256, [bytes])
    else parts.push(bytes)
  }

  /** One after the other, in the order in which they come. */
  take({ id, config: { names, lists, ...config } }: Extract<ToWorker, { kind: 'config' }>): void {
    const artifacts = this.#artifactsOf(names)
    const serve = async () => {
      let refused: string | null = null
      try {
        const pieces = await this.#piecesOf(lists, artifacts)
        await this.#told.generations.replace({ ...config, artifacts, pieces })
        this.#listener.changed()
      } catch (error) {
        refused = messageOf(error)
      }
      this.#answer({ kind: 'taken', id, refused, flags: [...(this.#told.generations.serving?.flags ?? [])] })
    }
    this.#serving = this.#serving.then(serve)
  }

  #artifactsOf(names: readonly string[]): ReadonlyMap<string, Uint8Array> {
    const artifacts = new Map<string, Uint8Array>()
    for (const sha256 of names) {
      const parts = this.#parts.get(sha256)
      const bytes = parts === undefined ? this.#artifacts.get(sha256) : Buffer.concat(parts)
      if (bytes !== undefined) artifacts.set(sha256, bytes)
    }
    this.#parts.clear()
    this.#artifacts = artifacts
    return artifacts
  }

  /** The lists of artifacts in pieces. Those of the config before are not read again. */
  async #piecesOf(
    lists: ReadonlyMap<string, string>,
    artifacts: ReadonlyMap<string, Uint8Array>,
  ): Promise<ReadonlyMap<string, CutArtifact>> {
    const pieces = new Map<string, CutArtifact>()
    for (const [artifact, sha256] of lists) {
      const before = this.#pieces.get(artifact)
      const gzipped = artifacts.get(sha256)
      if (before?.sha256 === sha256) pieces.set(artifact, before)
      else if (gzipped !== undefined) pieces.set(artifact, { sha256, list: await unpackPieceList(gzipped) })
    }
    this.#pieces = pieces
    return pieces
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#serving
  }
}
