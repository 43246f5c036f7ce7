/**
 * Keeps a signed head of one graph's log in the config store. A head names the newest revision and expires
 * soon. By it a router that has just started tells the newest manifest from an old one that somebody put
 * back.
 *
 * A head is signed only right after the log was read: while the log cannot be read, nobody knows what is the
 * newest revision.
 */
import { CONFIG_HEAD_TYPE, HEAD_RENEWED_AFTER_MS, HEAD_VALID_MS, headSubject } from '@switchyard/contracts'
import type { ConfigHead, GraphName } from '@switchyard/contracts'
import { compareVersions } from '@switchyard/config-store'
import type { ConfigStore, ManifestVersion } from '@switchyard/config-store'
import type { EventLog } from '@switchyard/event-log'
import { SignJWT } from 'jose'
import { lastRevision } from '../log/config-log.ts'
import type { SigningKey } from '../log/signing-key.ts'

export type GraphHeadParts = {
  readonly log: EventLog
  readonly store: ConfigStore
  readonly signingKey: SigningKey
  /** Unix milliseconds. */
  readonly now: () => number
}

export class GraphHead {
  readonly #graph: GraphName
  readonly #parts: GraphHeadParts
  #issued: { readonly text: string; readonly version: ManifestVersion; readonly at: number } | null = null

  constructor(graph: GraphName, parts: GraphHeadParts) {
    this.#graph = graph
    this.#parts = parts
  }

  /**
   * Writes a new head when `version` is another one, the last is about to expire, or the store does not hold
   * it.
   */
  async renew(version: ManifestVersion): Promise<void> {
    const { log, store, signingKey, now } = this.#parts
    const issued = this.#issued
    const isDue = issued === null || this.#isOld(issued.at) || compareVersions(issued.version, version) !== 0
    if (!isDue && (await store.getHead(this.#graph)) === issued.text) return
    const newest = (await lastRevision(log, this.#graph))?.record
    if (newest === undefined) return
    const at = now()
    const text = await signHead(this.#graph, newest, at, signingKey)
    await store.putHead(this.#graph, text)
    this.#issued = { text, version: { epoch: newest.epoch, revision: newest.revision }, at }
  }

  /** If the clock was set back, the head would be from the future, so it counts as old too. */
  #isOld(at: number): boolean {
    const age = this.#parts.now() - at
    return age < 0 || age >= HEAD_RENEWED_AFTER_MS
  }
}

export function signHead(
  graph: GraphName,
  { epoch, revision }: ManifestVersion,
  now: number,
  { kid, privateKey }: Pick<SigningKey, 'kid' | 'privateKey'>,
): Promise<string> {
  const claims: ConfigHead = {
    sub: headSubject(graph),
    epoch,
    revision,
    iat: Math.floor(now / 1000),
    exp: Math.floor((now + HEAD_VALID_MS) / 1000),
  }
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: CONFIG_HEAD_TYPE }).sign(privateKey)
}
