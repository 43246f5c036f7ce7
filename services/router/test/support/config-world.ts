/**
 * A real directory config store with manifests signed as config-distribution signs them, and the notices
 * about them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConfigStore,
  type GraphKey,
  type ManifestVersion,
  openDirectoryConfigStore,
} from '@switchyard/config-store'
import {
  ALL_ROUTER_STATUS,
  type ConfigHead,
  configNoticeSubject,
  type DocumentReference,
  HEAD_VALID_MS,
  type Jwks,
  type ManifestRollout,
  RouterHeartbeat,
} from '@switchyard/contracts'
import { type Announcer, createMemoryAnnouncer } from '@switchyard/event-log'
import { type CryptoKey, exportJWK, FlattenedSign, generateKeyPair, SignJWT } from 'jose'
import { type BuiltArtifact, piecesOf } from './artifacts.ts'

export const GRAPH: GraphKey = { namespace: 'default', graph: 'shop' }

type WorldParts = { readonly store: ConfigStore; readonly announcer: Announcer }
type SigningKey = { readonly kid: string; readonly privateKey: CryptoKey }

export type PublishedManifest = { readonly reference: DocumentReference; readonly gzipped: Uint8Array }

export type Publication = {
  readonly epoch?: number
  readonly revision: number
  /** null: a tombstone. */
  readonly base: BuiltArtifact | null
  readonly flags?: Readonly<Record<string, BuiltArtifact>>
  readonly previews?: Readonly<Record<string, { readonly of: BuiltArtifact; readonly expires: string }>>
  readonly documents?: readonly PublishedManifest[]
  readonly rollouts?: readonly ManifestRollout[]
  readonly graph?: GraphKey
  /** Public keys of trace tokens; none unless given. */
  readonly traceKeys?: Jwks
  readonly traceparent?: string
  /** Changes what is stored after it was signed. */
  readonly tamper?: (text: string) => string
  readonly signWith?: SigningKey
  readonly withoutArtifacts?: boolean
  /** How compositions are stored: as a whole unless it is given. */
  readonly stored?: 'as a whole' | 'in pieces' | 'both'
  /**
   * What is written beside it as the head; null: nothing, what is there stays. By default this version,
   * signed now.
   */
  readonly head?: Partial<HeadOf> | null
}

/** `issuedAt`: Unix milliseconds. */
type HeadOf = ManifestVersion & {
  readonly issuedAt: number
  readonly graph: GraphKey
  readonly key: SigningKey
}

export class ConfigWorld implements AsyncDisposable {
  readonly directory: string
  readonly store: ConfigStore
  readonly keys: Jwks
  readonly announcer: Announcer
  readonly heartbeats: RouterHeartbeat[] = []
  readonly key: SigningKey

  private constructor(directory: string, parts: WorldParts, keys: Jwks, key: SigningKey) {
    this.directory = directory
    this.store = parts.store
    this.keys = keys
    this.key = key
    this.announcer = parts.announcer
    this.announcer.subscribe(ALL_ROUTER_STATUS, (message) =>
      this.heartbeats.push(RouterHeartbeat.parse(message)),
    )
  }

  /** Without parts: a directory and notices inside this process. It disposes its parts. */
  static async create(parts?: WorldParts): Promise<ConfigWorld> {
    const directory = await mkdtemp(join(tmpdir(), 'switchyard-router-'))
    const { key, jwk } = await newKey('k1')
    const embedded = async () => ({
      store: await openDirectoryConfigStore({ directory: join(directory, 'store') }),
      announcer: createMemoryAnnouncer(),
    })
    return new ConfigWorld(directory, parts ?? (await embedded()), { keys: [jwk] }, key)
  }

  get copies(): string {
    return join(this.directory, 'copies')
  }

  async publish({
    epoch = 1,
    revision,
    base,
    flags = {},
    previews = {},
    documents = [],
    rollouts = [],
    graph = GRAPH,
    traceparent,
    traceKeys = { keys: [] },
    tamper = (text) => text,
    signWith = this.key,
    withoutArtifacts = false,
    stored = 'as a whole',
    head = {},
  }: Publication): Promise<void> {
    const variants = [...Object.values(flags), ...Object.values(previews).map(({ of }) => of)]
    const lists = new Map<BuiltArtifact, string>()
    if (stored !== 'as a whole') {
      const pieces = new Map<string, Uint8Array>()
      for (const artifact of [...(base === null ? [] : [base]), ...variants]) {
        const cut = piecesOf(artifact)
        lists.set(artifact, cut.list)
        for (const [sha256, gzipped] of cut.pieces) pieces.set(sha256, gzipped)
      }
      if (!withoutArtifacts) await this.store.putPieces(GRAPH, pieces)
    }
    const referenceTo = (artifact: BuiltArtifact) => {
      const pieces = lists.get(artifact)
      return { artifact: artifact.sha256, ...(pieces === undefined ? {} : { pieces }) }
    }
    const text = JSON.stringify({
      formatVersion: 1,
      graph: { namespace: graph.namespace, name: graph.graph },
      epoch,
      revision,
      createdAt: '2026-01-02T03:04:05.000Z',
      registrySequence: revision * 10,
      base: base === null ? null : referenceTo(base),
      featureFlags: Object.fromEntries(
        Object.entries(flags).map(([name, flag]) => [name, referenceTo(flag)]),
      ),
      ...(Object.keys(previews).length === 0
        ? {}
        : {
            previews: Object.fromEntries(
              Object.entries(previews).map(([name, { of, expires }]) => [
                name,
                { ...referenceTo(of), expires },
              ]),
            ),
          }),
      ...(documents.length === 0 ? {} : { documents: documents.map(({ reference }) => reference) }),
      ...(rollouts.length === 0 ? {} : { rollouts }),
      traceKeys,
    })
    const jws = await new FlattenedSign(Buffer.from(text))
      .setProtectedHeader({ alg: 'EdDSA', kid: signWith.kid })
      .sign(signWith.privateKey)
    if (!withoutArtifacts) {
      const whole = stored === 'in pieces' ? [] : [...(base === null ? [] : [base]), ...variants]
      for (const artifact of whole) {
        await this.store.putArtifact(GRAPH, artifact.sha256, artifact.gzipped)
      }
      for (const { reference, gzipped } of documents) {
        await this.store.putArtifact(GRAPH, reference.manifest, gzipped)
      }
    }
    await this.store.replaceManifest(GRAPH, {
      version: { epoch, revision },
      manifest: Buffer.from(tamper(text)),
      signature: `${jws.protected}..${jws.signature}`,
    })
    if (head !== null) await this.putHead({ epoch, revision, ...head })
    this.announcer.announce(configNoticeSubject(GRAPH), {
      epoch,
      revision,
      ...(traceparent ? { traceparent } : {}),
    })
  }

  async putHead(head: Partial<HeadOf> & ManifestVersion): Promise<void> {
    const { epoch, revision, issuedAt = Date.now(), graph = GRAPH, key = this.key } = head
    const claims: ConfigHead = {
      sub: `${graph.namespace}/${graph.graph}`,
      epoch,
      revision,
      iat: Math.floor(issuedAt / 1000),
      exp: Math.floor((issuedAt + HEAD_VALID_MS) / 1000),
    }
    const header = { alg: 'EdDSA', kid: key.kid, typ: 'switchyard-head+jwt' }
    await this.store.putHead(GRAPH, await new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.announcer[Symbol.asyncDispose]()
    await this.store[Symbol.asyncDispose]()
    await rm(this.directory, { recursive: true, force: true })
  }
}

export async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kty: 'OKP', kid, alg: 'EdDSA' }
  return { key: { kid, privateKey }, jwk }
}
