/**
 * The content that routers serve: artifacts, the manifest that names them, and the file form that holds both.
 */
import { z } from 'zod'
import { EXECUTION_CONFIG_FORMAT } from './limits.ts'
import {
  DocumentClients,
  Namespace,
  ResourceName,
  RoutingUrl,
  Sequence,
  Sha256,
  TraceParent,
} from './names.ts'
import { ManifestRollouts } from './rollouts.ts'

/**
 * Immutable, named by the sha256 of its uncompressed bytes; gzip in stores. Bytes are JSON with keys in this
 * order.
 */
export const Artifact = z.object({
  formatVersion: z.literal(EXECUTION_CONFIG_FORMAT),
  supergraphSdl: z.string().min(1),
  /**
   * Sorted by name. `baseName` is set for a feature subgraph: the subgraph that it replaces. `preview` is set
   * for one that belongs to a preview: routers keep headers and claims of clients from it.
   */
  subgraphs: z
    .array(
      z.object({
        name: ResourceName,
        routingUrl: RoutingUrl,
        baseName: ResourceName.optional(),
        preview: z.literal(true).optional(),
      }),
    )
    .min(1),
  /** Routers refuse what they cannot serve: `<join spec version>` of the supergraph. */
  compatibilityVersion: z.string(),
  /** True if the graph allows that directives such as `@authenticated` are not enforced. */
  allowUnenforcedAuthorization: z.literal(true).optional(),
})
export type Artifact = z.infer<typeof Artifact>

export const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) })
export type Jwks = z.infer<typeof Jwks>

/**
 * A composition: the hash of its artifact, and that of the list of its chunks (see `PieceList`), if it is
 * stored in pieces as well.
 */
export const ArtifactReference = z.object({ artifact: Sha256, pieces: Sha256.optional() })
export type ArtifactReference = z.infer<typeof ArtifactReference>

/** A preview as the manifest of a graph carries it. Routers do not serve it from `expires` on. */
export const ManifestPreview = ArtifactReference.extend({ expires: z.iso.datetime() })
export type ManifestPreview = z.infer<typeof ManifestPreview>

/**
 * A manifest of persisted documents that was published for a graph. Its text, JSON with the texts of
 * documents by identifier, is an artifact of this hash.
 */
export const DocumentReference = z.object({
  name: ResourceName,
  manifest: Sha256,
  /** The clients that may use it; absent for all clients. */
  clients: DocumentClients.optional(),
})
export type DocumentReference = z.infer<typeof DocumentReference>

export const Manifest = z.object({
  formatVersion: z.literal(EXECUTION_CONFIG_FORMAT),
  graph: z.object({ namespace: Namespace, name: ResourceName }),
  epoch: z.int().min(1),
  revision: z.int().min(1),
  createdAt: z.iso.datetime(),
  registrySequence: Sequence,
  /** The artifact of the base. Null if the graph was deleted (a tombstone); `featureFlags` is then empty. */
  base: ArtifactReference.nullable(),
  featureFlags: z.record(ResourceName, ArtifactReference),
  /**
   * Previews by the name that requests give. They stand apart from flags, so that routers which do not know
   * previews never serve them. Absent if there are none.
   */
  previews: z.record(ResourceName, ManifestPreview).optional(),
  /** Manifests of persisted documents by name. Absent if there are none. */
  documents: z.array(DocumentReference).optional(),
  /** The rollouts of the graph in the order in which requests try them. Absent if there are none. */
  rollouts: ManifestRollouts.optional(),
  traceKeys: Jwks,
})
export type Manifest = z.infer<typeof Manifest>

/** Why a revision was published. */
export const PublicationReason = z.enum([
  'composition',
  'removal',
  'pin',
  'unpin',
  'documents',
  'rollouts',
  'graph-removed',
  'keys',
  /** The log was imported, or routers served what it does not have. */
  'restored',
  /** `switchyard config republish`. */
  'republished',
])

/** `config.published` is the commit: the config store is a projection of these records. */
export const ConfigRecord = z.object({
  v: z.literal(1),
  type: z.literal('config.published'),
  epoch: z.int().min(1),
  revision: z.int().min(1),
  /** The manifest's JSON text: the signature covers its UTF-8 bytes. */
  manifest: z.string(),
  /** Compact JWS, EdDSA, `kid` in the header, detached payload (`header..signature`). */
  signature: z.string(),
  cause: z.object({
    /** Sequence of the composition record that this revision carries out. */
    compositionSequence: Sequence,
    registrySequence: Sequence,
    reason: PublicationReason,
    traceparent: TraceParent.optional(),
    /** Sequence of the last registry record that asked for the content to be published once more. */
    republished: Sequence.optional(),
    /**
     * Sequence of the last registry record that changed the graph's rollouts. Absent if none did. An instance
     * that has read less of that log publishes nothing.
     */
    rolloutsSequence: Sequence.optional(),
  }),
  /**
   * Set by an import, on the last record of each graph: the log may be older than what routers serve, so the
   * next revision begins an epoch.
   */
  imported: z.literal(true).optional(),
})
export type ConfigRecord = z.infer<typeof ConfigRecord>

/** `router compose --out`, `graph fetch`: one self-contained document. */
export const ExecutionConfigFile = z.object({
  formatVersion: z.literal(EXECUTION_CONFIG_FORMAT),
  graph: z.object({ namespace: Namespace, name: ResourceName }).optional(),
  base: Artifact,
  featureFlags: z.record(ResourceName, Artifact),
  /** Manifests of persisted documents by name. Absent if there are none. */
  documents: z
    .array(
      z.object({
        name: ResourceName,
        clients: DocumentClients.optional(),
        /** Texts of documents by identifier. */
        manifest: z.record(z.string(), z.string()),
      }),
    )
    .optional(),
})
export type ExecutionConfigFile = z.infer<typeof ExecutionConfigFile>
