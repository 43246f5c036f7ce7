/** Presents the artifacts of one file in the form in which a config store offers artifacts. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { GraphKey } from '@switchyard/config-store'
import type { Artifact, ExecutionConfigFile } from '@switchyard/contracts'
import type { OfferedConfig, SourceName } from '../offered-config.ts'

const pack = promisify(gzip)

/** A config that is a file, as if a manifest had offered it. */
export function offerOfFile(file: {
  readonly source: SourceName
  readonly graph: GraphKey | null
  readonly base: Artifact
  readonly featureFlags: Readonly<Record<string, Artifact>>
  readonly documents?: ExecutionConfigFile['documents'] | undefined
  /** Access rules keep nobody from anything, whatever the artifacts say of it. */
  readonly allowUnenforced: boolean
}): OfferedConfig {
  const allowed = file.allowUnenforced ? { allowUnenforcedAuthorization: true } : {}
  const artifacts = new Map<string, Buffer>()
  const hashOf = (artifact: object) => {
    const bytes = Buffer.from(JSON.stringify(artifact))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    artifacts.set(sha256, bytes)
    return sha256
  }
  return {
    source: file.source,
    damage: [],
    graph: file.graph,
    version: { epoch: 0, revision: 0 },
    createdAt: null,
    registrySequence: 0,
    base: hashOf({ ...file.base, ...allowed }),
    featureFlags: new Map(
      Object.entries(file.featureFlags).map(([name, flag]) => [name, hashOf({ ...flag, ...allowed })]),
    ),
    previews: new Map(),
    pieces: new Map(),
    documents: (file.documents ?? []).map(({ manifest, ...rest }) => ({
      ...rest,
      manifest: hashOf(manifest),
    })),
    rollouts: [],
    traceKeys: { keys: [] },
    traceAudience: '',
    signed: null,
    confirm: async () => {},
    readArtifact: async (sha256) => {
      const bytes = artifacts.get(sha256)
      return bytes === undefined ? null : await pack(bytes)
    },
    readPiece: async () => null,
  }
}
