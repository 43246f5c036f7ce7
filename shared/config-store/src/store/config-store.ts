/**
 * The store that routers read: per graph one signed manifest, its history, and artifacts by hash, as a whole
 * and in pieces. It is a projection of the config log, written by config-distribution only; losing it costs a
 * rebuild, never data.
 */
export type GraphKey = { readonly namespace: string; readonly graph: string }

/** Order of manifests: epoch first, then revision. */
export type ManifestVersion = { readonly epoch: number; readonly revision: number }

export type StoredManifest = {
  readonly version: ManifestVersion
  /** The signed bytes, exactly as committed to the config log. */
  readonly manifest: Uint8Array
  /** Compact JWS with detached payload over `manifest`. */
  readonly signature: string
}

/** The hash of something that is stored, and the Unix ms at which it was stored or renewed last. */
export type ListedHash = { readonly sha256: string; readonly storedAt: number }

/**
 * Stores manifests, histories and artifacts.
 *
 * The process that writes the store decides how large its values are, so no reader takes a larger one than
 * was ever written: it asks for the size first, in the same step. A larger value counts as missing and is
 * reported like any other damage.
 */
export interface ConfigStore extends AsyncDisposable {
  getManifest(graph: GraphKey): Promise<StoredManifest | null>
  /**
   * Replaces the manifest atomically, only if `manifest.version` is newer than the stored one.
   * 'written', or 'older' when the store already holds this version or a newer one.
   */
  putManifest(graph: GraphKey, manifest: StoredManifest): Promise<'written' | 'older'>
  /**
   * Replaces whatever is there, for the repair of a store that holds something newer than the log (restored
   * dump, forged).
   */
  replaceManifest(graph: GraphKey, manifest: StoredManifest): Promise<void>
  /**
   * The signed head of the graph's log, as `putHead` got it; null when there is none. See `ConfigHead` of the
   * contracts.
   */
  getHead(graph: GraphKey): Promise<string | null>
  /** Replaces the head, whatever it says. */
  putHead(graph: GraphKey, head: string): Promise<void>
  /** Newest first, at most `limit`. */
  history(graph: GraphKey, limit: number): Promise<readonly ManifestVersion[]>
  /** Gzipped artifact bytes as stored, or null. The caller unpacks and checks the hash. */
  getArtifact(graph: GraphKey, sha256: string): Promise<Uint8Array | null>
  putArtifact(graph: GraphKey, sha256: string, gzipped: Uint8Array): Promise<void>
  hasArtifact(graph: GraphKey, sha256: string): Promise<boolean>
  /** The oldest first, at most 10,000. */
  listArtifacts(graph: GraphKey): Promise<readonly ListedHash[]>
  deleteArtifact(graph: GraphKey, sha256: string): Promise<void>
  /**
   * Gzipped bytes of a list or a chunk of an artifact in pieces, as stored, or null. The caller unpacks and
   * checks the hash.
   */
  getPiece(graph: GraphKey, sha256: string): Promise<Uint8Array | null>
  /**
   * Stores gzipped bytes by hash, in no order. What is stored may be lost or damaged by a power cut, and then
   * counts as missing. If it fails, some may be stored.
   */
  putPieces(graph: GraphKey, pieces: ReadonlyMap<string, Uint8Array>): Promise<void>
  /** Makes the pieces that are there count as stored now. Returns the hashes of those that are not there. */
  renewPieces(graph: GraphKey, sha256s: Iterable<string>): Promise<readonly string[]>
  /** The oldest first, at most 10,000. */
  listPieces(graph: GraphKey): Promise<readonly ListedHash[]>
  /**
   * Deletes a piece only if it was neither stored nor renewed at `storedBefore` (Unix ms) or later: check and
   * removal are one step.
   */
  deletePiece(graph: GraphKey, sha256: string, storedBefore: number): Promise<void>
  /** Cheap liveness probe; throws ConfigStoreUnavailableError. */
  ping(): Promise<void>
}
