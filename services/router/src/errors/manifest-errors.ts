/** The codes of manifests that are not taken, and of supergraphs in them. */
import type { SupergraphErrorCode } from '@switchyard/engine'
import type { ErrorFacts } from './error-facts.ts'

/** The rows of docs/errors.md about manifests. Logs and heartbeats report the codes. */
export const MANIFEST_ERRORS = {
  MANIFEST_ARTIFACT_INVALID: {
    happened:
      'The artifact of base, or of a flag that is served now, cannot be unpacked, is too large, or has another hash',
    remedy:
      'Damaged or forged. That of another flag costs this flag alone, see `FLAG_NOT_AVAILABLE`. Config-distribution checks the artifacts of a graph, and rewrites damaged ones, when a router has been behind for 30 s.',
  },
  MANIFEST_ARTIFACT_MISSING: {
    happened:
      'An artifact that the manifest names is not in the store, which is that of base or of a flag that is served now',
    remedy: 'Config-distribution writes it again; see its log when this stays.',
  },
  MANIFEST_CONFLICT: {
    happened: 'The manifest has epoch and revision of the one that is served, and another text',
    remedy:
      'The event log was restored to an earlier state and published this number a second time. Config-distribution begins a new epoch, which routers take; without a fleet key, or if it does not: `switchyard config republish <graph>`.',
  },
  MANIFEST_INVALID: {
    happened:
      'The manifest is signed but of a form this router does not read, or a damaged last-known-good copy',
    remedy: 'Upgrade the router. A damaged copy is replaced at the next swap.',
  },
  MANIFEST_NOT_BUILT: {
    happened: 'The base composition cannot be compiled',
    remedy:
      'The message has the supergraph error; roll back by publishing the previous schema, and report it.',
  },
  MANIFEST_OLDER: {
    happened:
      'The manifest is older than what is served, or than the newest one by the signed head beside it',
    remedy:
      'The config store was restored, or somebody replays it. Config-distribution writes the newest again.',
  },
  MANIFEST_OTHER_GRAPH: {
    happened: 'The manifest is for another graph',
    remedy: 'Keys of a config store are mixed up, or `SWITCHYARD_GRAPH` is wrong.',
  },
  MANIFEST_SIGNATURE_INVALID: {
    happened: 'The manifest is unsigned, or not signed by a key of `SWITCHYARD_CONFIG_KEYS`',
    remedy: 'It is forged, or the signing key was changed without giving routers the new public key.',
  },
  MANIFEST_UNCONFIRMED: {
    happened:
      'The manifest is newer than what the router knows, and [no valid head](architecture.md#which-manifest-is-the-newest) says that it is the newest',
    remedy:
      'The message says what is wrong with the head. None or an expired one: start config-distribution, or upgrade it. One from the future: set the clocks.',
  },
} as const satisfies Readonly<Record<string, ErrorFacts>>

/** A code of a manifest that is not taken. */
export type ManifestErrorCode = keyof typeof MANIFEST_ERRORS

/** The rows of docs/errors.md about supergraphs. */
export const SUPERGRAPH_ERRORS: Readonly<Record<SupergraphErrorCode, ErrorFacts>> = {
  SUPERGRAPH_INVALID: {
    happened:
      'The text is no supergraph: it has no join specification, or an unknown type, graph or selection',
    remedy: 'Often it is the SDL of a subgraph where a supergraph was expected.',
  },
  SUPERGRAPH_SYNTAX: {
    happened: 'The supergraph SDL cannot be parsed',
    remedy: 'Composition does not write such a text: find out what did.',
  },
  SUPERGRAPH_UNSUPPORTED_FEATURE: {
    happened: 'The supergraph needs a feature that this router does not have',
    remedy: 'Compose without it; the message names it.',
  },
}
