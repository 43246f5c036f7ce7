/**
 * Records of `registry.events.*`: one command, one record. The log is the registry's only storage and its
 * audit trail.
 */
import { Judgement } from '@switchyard/guards/schemas'
import { z } from 'zod'
import {
  DocumentClients,
  Label,
  LabelMatcher,
  Namespace,
  ResourceName,
  Sequence,
  Sha256,
  TraceParent,
} from './names.ts'
import {
  EmergencyFigures,
  RampPlan,
  RolloutAudience,
  RolloutKey,
  RolloutMode,
  RolloutPercent,
  RolloutSalt,
  RolloutShadow,
} from './rollouts.ts'
import { PreviewFlag, PreviewHosts, PreviewName, PreviewSubgraph } from './previews.ts'

const CommandId = z.string().min(1).max(200)

export const MAX_REASON_LENGTH = 500
/** Why somebody gave a command, in the words of that person. Every output escapes it. */
export const CommandReason = z.string().trim().min(1).max(MAX_REASON_LENGTH)
const PublicJwk = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  /** The private half: what holds it is refused. */
  d: z.never().optional(),
})

const PublishedContent = z.object({ schema: Sha256, bytes: z.int().min(1), routingUrl: z.string() })
/** A subgraph to which a promotion published the content of the feature subgraph that replaces it. */
export const PromotedSubgraph = z.object({
  subgraph: ResourceName,
  featureSubgraph: ResourceName,
  /** The content that an undo publishes again. */
  before: PublishedContent,
  after: PublishedContent,
})
export type PromotedSubgraph = z.infer<typeof PromotedSubgraph>

export const RegistryEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('namespace.created') }),
  z.object({ type: z.literal('namespace.deleted') }),
  /** The hosts that the subgraphs of previews may have from now on. */
  z.object({ type: z.literal('namespace.preview-hosts-set'), hosts: PreviewHosts }),
  z.object({
    type: z.literal('federated-graph.created'),
    name: ResourceName,
    labelMatchers: z.array(LabelMatcher),
    /** Whether routers leave authorization unenforced; absent for false. */
    allowUnenforcedAuthorization: z.boolean().optional(),
    /** The URL at which browsers reach the routers; absent for none. */
    publicUrl: z.string().optional(),
  }),
  z.object({
    type: z.literal('federated-graph.updated'),
    name: ResourceName,
    labelMatchers: z.array(LabelMatcher),
    /** Whether routers leave authorization unenforced; absent if this stays as it is. */
    allowUnenforcedAuthorization: z.boolean().optional(),
    /** The URL at which browsers reach the routers; null for none, absent if this stays as it is. */
    publicUrl: z.string().nullable().optional(),
  }),
  z.object({ type: z.literal('federated-graph.deleted'), name: ResourceName }),
  z.object({ type: z.literal('federated-graph.pinned'), name: ResourceName, revision: z.int().min(1) }),
  z.object({ type: z.literal('federated-graph.unpinned'), name: ResourceName }),
  /** The same content is to be published once more, so that every router takes it. */
  z.object({ type: z.literal('federated-graph.republished'), name: ResourceName }),
  z.object({
    type: z.literal('subgraph.created'),
    name: ResourceName,
    routingUrl: z.string(),
    labels: z.array(Label),
  }),
  /** Also for feature subgraphs. The SDL is the blob of that hash. */
  z.object({
    type: z.literal('subgraph.schema-published'),
    name: ResourceName,
    schema: Sha256,
    bytes: z.int().min(1),
  }),
  /** Also for feature subgraphs, which have no labels. Absent members stay as they are. */
  z.object({
    type: z.literal('subgraph.updated'),
    name: ResourceName,
    routingUrl: z.string().optional(),
    labels: z.array(Label).optional(),
  }),
  /**
   * Also for feature subgraphs. Deleting a base subgraph deletes its feature subgraphs (implied, no events of
   * their own).
   */
  z.object({ type: z.literal('subgraph.deleted'), name: ResourceName }),
  z.object({
    type: z.literal('feature-subgraph.created'),
    name: ResourceName,
    routingUrl: z.string(),
    base: ResourceName,
  }),
  z.object({
    type: z.literal('feature-flag.created'),
    name: ResourceName,
    labels: z.array(Label),
    featureSubgraphs: z.array(ResourceName).min(1),
    enabled: z.boolean(),
  }),
  z.object({
    type: z.literal('feature-flag.updated'),
    name: ResourceName,
    labels: z.array(Label).optional(),
    featureSubgraphs: z.array(ResourceName).min(1).optional(),
  }),
  z.object({ type: z.literal('feature-flag.enabled'), name: ResourceName }),
  z.object({ type: z.literal('feature-flag.disabled'), name: ResourceName }),
  z.object({ type: z.literal('feature-flag.deleted'), name: ResourceName }),
  /**
   * The subgraphs that the flag replaces get the content of its feature subgraphs, by the events behind this
   * one. The flag is the base graph as long as its feature subgraphs are those that were promoted.
   */
  z.object({
    type: z.literal('feature-flag.launched'),
    name: ResourceName,
    promoted: z.array(PromotedSubgraph).min(1),
  }),
  /** The subgraphs get the content back that they had before the flag was launched. */
  z.object({ type: z.literal('feature-flag.launch-undone'), name: ResourceName }),
  /** Replaces the manifest of that name. Its text is the blob of that hash. */
  z.object({
    type: z.literal('documents.published'),
    graph: ResourceName,
    name: ResourceName,
    manifest: Sha256,
    bytes: z.int().min(1),
    /** How many documents it has. */
    documents: z.int().min(0),
    /** The clients that may use it; absent for all clients. */
    clients: DocumentClients.optional(),
  }),
  z.object({ type: z.literal('documents.deleted'), graph: ResourceName, name: ResourceName }),
  z.object({
    type: z.literal('rollout.created'),
    name: ResourceName,
    graph: ResourceName,
    flag: ResourceName,
    mode: RolloutMode,
    where: RolloutAudience,
    percent: RolloutPercent,
    key: RolloutKey,
    salt: RolloutSalt,
    expires: z.iso.datetime().optional(),
    shadow: RolloutShadow.optional(),
    /** The rollout of the graph that requests try right after it; absent if it is the last one. */
    before: ResourceName.optional(),
  }),
  /** Members that are absent stay as they are. */
  z.object({
    type: z.literal('rollout.updated'),
    name: ResourceName,
    mode: RolloutMode.optional(),
    where: RolloutAudience.optional(),
    percent: RolloutPercent.optional(),
    key: RolloutKey.optional(),
    /** Null if it does not expire any more. */
    expires: z.iso.datetime().nullable().optional(),
    /** Null if the settings of shadows are the defaults again. */
    shadow: RolloutShadow.nullable().optional(),
    /** The rollout of the graph that requests try right after it; null if it becomes the last one. */
    before: ResourceName.nullable().optional(),
  }),
  /** A ramp begins: the first of its percentages is in force. */
  z.object({ type: z.literal('rollout.ramped'), name: ResourceName, ...RampPlan.shape }),
  /** A ramp goes on: the percentage of that step, counted from 0, is in force. */
  z.object({
    type: z.literal('rollout.advanced'),
    name: ResourceName,
    step: z.int().min(1),
    /** The judgement of the guards about the step before; absent without guards. */
    judgement: Judgement.optional(),
  }),
  /** A ramp stays at its percentage until it is resumed. */
  z.object({ type: z.literal('rollout.paused'), name: ResourceName, judgement: Judgement.optional() }),
  /** The last step of a ramp below 100 percent is over. */
  z.object({ type: z.literal('rollout.ramp-ended'), name: ResourceName, judgement: Judgement.optional() }),
  /** It selects nobody any more. Its percentage is kept. */
  z.object({
    type: z.literal('rollout.aborted'),
    name: ResourceName,
    /** The figures that decided, if a guard or the emergency stop did. */
    judgement: Judgement.optional(),
    emergency: EmergencyFigures.optional(),
  }),
  /** Its percentage is in force again. */
  z.object({ type: z.literal('rollout.resumed'), name: ResourceName }),
  /** It selects its whole audience. Its percentage is kept. */
  z.object({ type: z.literal('rollout.completed'), name: ResourceName, judgement: Judgement.optional() }),
  z.object({ type: z.literal('rollout.deleted'), name: ResourceName }),
  z.object({
    type: z.literal('preview.created'),
    name: PreviewName,
    /** The name that requests give. */
    flag: PreviewFlag,
    subgraphs: z.array(PreviewSubgraph).min(1),
    expires: z.iso.datetime(),
  }),
  /** Members that are absent stay as they are. */
  z.object({
    type: z.literal('preview.updated'),
    name: PreviewName,
    /** All of its subgraphs: they replace those that it has. */
    subgraphs: z.array(PreviewSubgraph).min(1).optional(),
    expires: z.iso.datetime().optional(),
  }),
  z.object({ type: z.literal('preview.deleted'), name: PreviewName }),
  /** Its time was over. */
  z.object({ type: z.literal('preview.expired'), name: PreviewName }),
])
export type RegistryEvent = z.infer<typeof RegistryEvent>

/** Events under `registry.events._system`. Private keys and plain API keys never get here. */
export const SystemEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('api-key.created'),
    id: z.string(),
    name: z.string(),
    /** SHA-256 of the whole key text. */
    sha256: Sha256,
    scopes: z.array(z.string()).min(1),
  }),
  z.object({ type: z.literal('api-key.deleted'), id: z.string() }),
  z.object({ type: z.literal('trace-key.created'), jwk: PublicJwk }),
  z.object({ type: z.literal('trace-key.retired'), kid: z.string() }),
  z.object({ type: z.literal('signing-key.created'), jwk: PublicJwk }),
  z.object({ type: z.literal('signing-key.retired'), kid: z.string() }),
])
export type SystemEvent = z.infer<typeof SystemEvent>

const envelope = {
  v: z.literal(1),
  /** The `Idempotency-Key` of the request, or one made by the registry. */
  commandId: CommandId,
  /**
   * The hash of the command itself, so that its id is refused with another command. Absent if the registry
   * made the id.
   */
  commandHash: Sha256.optional(),
  /** Who asked: `key:<api key id>`, `bootstrap` or `system`. */
  actor: z.string().max(200),
  /** The reason for the command; absent if none was given. */
  reason: z.string().max(MAX_REASON_LENGTH).optional(),
  /**
   * RFC 3339, by the registry's clock. For people and for expiring remembered command ids; never for order.
   */
  time: z.iso.datetime(),
  traceparent: TraceParent.optional(),
  /**
   * Sequence of the last applied record of this subject (0 = none). A record that names another one lost a
   * race and is skipped.
   */
  after: Sequence,
}
export const RegistryRecord = z.object({ ...envelope, events: z.array(RegistryEvent).min(1) })
export type RegistryRecord = z.infer<typeof RegistryRecord>
export const SystemRecord = z.object({ ...envelope, events: z.array(SystemEvent).min(1) })
export type SystemRecord = z.infer<typeof SystemRecord>

/**
 * The largest record that a log takes, in bytes of JSON. Anything larger is a blob and travels by hash. It is
 * far below the 1 MiB that a NATS message may have, so that headers and a later growth of the limit both fit.
 */
export const MAX_RECORD_BYTES = 256 * 1024
/** How long command ids are remembered, by the time of the records. */
export const COMMAND_ID_MEMORY_MS = 24 * 60 * 60 * 1000
export type Namespaced = { readonly namespace: z.infer<typeof Namespace> }
