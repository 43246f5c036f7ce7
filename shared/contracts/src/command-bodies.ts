/** Bodies of the commands of the registry's HTTP API (`/v1/…`), which PROTOCOL.md lists. */
import { Judgement } from '@switchyard/guards/schemas'
import { z } from 'zod'
import {
  DocumentClients,
  LabelMatchers,
  LabelSet,
  Namespace,
  PublicUrl,
  ResourceName,
  RoutingUrl,
  Sequence,
} from './names.ts'
import { CommandReason } from './registry-records.ts'
import {
  DEFAULT_PREVIEW_SECONDS,
  MAX_SUBGRAPHS_PER_PREVIEW,
  PreviewHosts,
  PreviewName,
  PreviewSeconds,
} from './previews.ts'
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

/** The member that every command's body may have besides its own ones: the reason for the command. */
const REASON = { reason: CommandReason.optional() }

/** The body of a command that takes no other members: absent, or `{}`. */
export const ReasonOnly = z.strictObject(REASON)
export const CreateNamespace = z.strictObject({ ...REASON, name: Namespace })
export const CreateFederatedGraph = z.strictObject({
  ...REASON,
  name: ResourceName,
  labelMatchers: LabelMatchers.default([]),
  /** True means that routers do not enforce `@authenticated`, `@requiresScopes` and `@policy`. */
  allowUnenforcedAuthorization: z.boolean().default(false),
  /** The URL at which browsers reach the routers of the graph. */
  publicUrl: PublicUrl.optional(),
})
export const CreateSubgraph = z.strictObject({
  ...REASON,
  name: ResourceName,
  routingUrl: RoutingUrl,
  labels: LabelSet.default([]),
})
/**
 * The body of a publication. With `routingUrl` the subgraph is created if it is missing, and `labels` count
 * only then. With `subgraph`, the base that it replaces, it is created as a feature subgraph.
 */
export const PublishSchema = z
  .strictObject({
    ...REASON,
    sdl: z.string(),
    routingUrl: RoutingUrl.optional(),
    labels: LabelSet.optional(),
    subgraph: ResourceName.optional(),
  })
  .refine(({ labels, subgraph }) => subgraph === undefined || (labels ?? []).length === 0, {
    message: 'a feature subgraph has no labels',
    path: ['labels'],
  })
export const CreateFeatureSubgraph = z.strictObject({
  ...REASON,
  name: ResourceName,
  routingUrl: RoutingUrl,
  subgraph: ResourceName,
})
export const CreateFeatureFlag = z.strictObject({
  ...REASON,
  name: ResourceName,
  labels: LabelSet.default([]),
  featureSubgraphs: z.array(ResourceName).max(100),
  enabled: z.boolean().default(false),
})
/**
 * The body of promoting a feature flag, and of undoing that. With `expectedSequence`, the sequence of a
 * snapshot, the command is refused if something that it depends on was changed after that snapshot.
 */
export const PromoteFeatureFlag = z.strictObject({ ...REASON, expectedSequence: Sequence.optional() })
/** Settings of a rollout of mode `shadow`; null for the defaults. */
const Shadow = RolloutShadow.strict().nullable().optional()
const ROLLOUT_PROPERTIES = {
  mode: RolloutMode.optional(),
  where: RolloutAudience.optional(),
  percent: RolloutPercent.optional(),
  key: RolloutKey.optional(),
  expires: z.iso.datetime().nullable().optional(),
  shadow: Shadow,
  /** The rollout of the graph that requests try right after it; null for the last place. */
  before: ResourceName.nullable().optional(),
}
/**
 * The body of creating a rollout. Without other words it is the last one of its graph, for everybody, and
 * selects 0 percent. Without a salt it gets one of its own.
 */
export const CreateRollout = z.strictObject({
  ...REASON,
  name: ResourceName,
  graph: ResourceName,
  flag: ResourceName,
  salt: RolloutSalt.optional(),
  ...ROLLOUT_PROPERTIES,
})
export type CreateRollout = z.infer<typeof CreateRollout>
/** Replaces the given properties of the rollout; those that are absent stay as they are. */
export const UpdateRollout = z
  .strictObject({ ...REASON, ...ROLLOUT_PROPERTIES })
  .refine(changesSomething, 'nothing to change is named')
export type UpdateRollout = z.infer<typeof UpdateRollout>
/** The body of beginning a ramp. */
export const RampRollout = z.strictObject({ ...REASON, ...RampPlan.shape })
export type RampRollout = z.infer<typeof RampRollout>
/**
 * The body of a command about a ramp. With `since`, the sequence of the record that began the step which was
 * judged, it is refused if another step has begun meanwhile.
 */
export const JudgedRollout = z.strictObject({
  ...REASON,
  since: Sequence.optional(),
  judgement: Judgement.optional(),
  emergency: EmergencyFigures.optional(),
})
export type JudgedRollout = z.infer<typeof JudgedRollout>
const PREVIEW_SUBGRAPHS = z
  .array(
    z.strictObject({
      /** The subgraph that it replaces. */
      subgraph: ResourceName,
      routingUrl: RoutingUrl,
      sdl: z.string(),
    }),
  )
  .max(MAX_SUBGRAPHS_PER_PREVIEW)
/**
 * The body of creating a preview. With `orUpdate` a preview of this name is updated instead: its subgraphs
 * that are named are replaced, the others stay, and it lives for `ttlSeconds` from now on.
 */
export const CreatePreview = z.strictObject({
  ...REASON,
  name: PreviewName,
  subgraphs: PREVIEW_SUBGRAPHS.min(1),
  ttlSeconds: PreviewSeconds.default(DEFAULT_PREVIEW_SECONDS),
  orUpdate: z.boolean().default(false),
})
export type CreatePreview = z.infer<typeof CreatePreview>
/**
 * Adds subgraphs to the preview or replaces those that it has, takes away those of `without`, and lets it
 * live for `ttlSeconds` from now on.
 */
export const UpdatePreview = z
  .strictObject({
    ...REASON,
    subgraphs: PREVIEW_SUBGRAPHS.min(1).optional(),
    without: z.array(ResourceName).min(1).max(MAX_SUBGRAPHS_PER_PREVIEW).optional(),
    ttlSeconds: PreviewSeconds.optional(),
  })
  .refine(changesSomething, 'nothing to change is named')
export type UpdatePreview = z.infer<typeof UpdatePreview>
/** Replaces the hosts that the subgraphs of previews may have. */
export const UpdateNamespace = z.strictObject({ ...REASON, previewHosts: PreviewHosts })
/** How many things of one kind a desired state names. */
const MAX_PARTS = 500

/**
 * The desired state of a namespace, or a part of it. Properties that are absent stay as they are, or have
 * their defaults in a new thing. Things that are not named are left alone, unless `prune` deletes them.
 */
export const ApplyDesiredState = z.strictObject({
  ...REASON,
  graphs: z
    .array(
      z.strictObject({
        name: ResourceName,
        labelMatchers: LabelMatchers.optional(),
        allowUnenforcedAuthorization: z.boolean().optional(),
        publicUrl: PublicUrl.nullable().optional(),
      }),
    )
    .max(MAX_PARTS)
    .default([]),
  subgraphs: z
    .array(
      z.strictObject({
        name: ResourceName,
        routingUrl: RoutingUrl.optional(),
        labels: LabelSet.optional(),
        sdl: z.string().optional(),
      }),
    )
    .max(MAX_PARTS)
    .default([]),
  featureSubgraphs: z
    .array(
      z.strictObject({
        name: ResourceName,
        /** The one that it replaces. */
        subgraph: ResourceName.optional(),
        routingUrl: RoutingUrl.optional(),
        sdl: z.string().optional(),
      }),
    )
    .max(MAX_PARTS)
    .default([]),
  featureFlags: z
    .array(
      z.strictObject({
        name: ResourceName,
        labels: LabelSet.optional(),
        featureSubgraphs: z.array(ResourceName).max(100).optional(),
        /** True by default for a new flag. */
        enabled: z.boolean().optional(),
      }),
    )
    .max(MAX_PARTS)
    .default([]),
  /**
   * Rollouts, in the order in which requests try those of a graph. If the member is absent, `prune` leaves
   * rollouts alone. A new one needs its graph and its flag.
   */
  rollouts: z
    .array(
      z.strictObject({
        name: ResourceName,
        graph: ResourceName.optional(),
        flag: ResourceName.optional(),
        salt: RolloutSalt.optional(),
        mode: RolloutMode.optional(),
        where: RolloutAudience.optional(),
        percent: RolloutPercent.optional(),
        key: RolloutKey.optional(),
        expires: z.iso.datetime().nullable().optional(),
        shadow: Shadow,
      }),
    )
    .max(MAX_PARTS)
    .optional(),
  prune: z.boolean().default(false),
})
export type ApplyDesiredState = z.infer<typeof ApplyDesiredState>
/** Replaces all label matchers of the graph if they are given; absent properties stay as they are. */
export const UpdateFederatedGraph = z
  .strictObject({
    ...REASON,
    labelMatchers: LabelMatchers.optional(),
    allowUnenforcedAuthorization: z.boolean().optional(),
    /** Null takes the URL away. */
    publicUrl: PublicUrl.nullable().optional(),
  })
  .refine(changesSomething, 'nothing to change is named')
/**
 * The body of publishing a manifest of documents. `manifest` is the text of the file that the compiler of a
 * client has written. With `strict` it is refused if one of its documents does not fit the base or an enabled
 * flag; without, only if a document fits none of them.
 */
export const PublishDocuments = z.strictObject({
  ...REASON,
  manifest: z.string(),
  clients: DocumentClients.optional(),
  strict: z.boolean().default(false),
})
export type PublishDocuments = z.infer<typeof PublishDocuments>
export const PinFederatedGraph = z.strictObject({ ...REASON, revision: z.int().min(1) })
/**
 * Changes the given properties; those that are absent stay as they are. Only base subgraphs may have labels.
 */
export const UpdateSubgraph = z
  .strictObject({ ...REASON, routingUrl: RoutingUrl.optional(), labels: LabelSet.optional() })
  .refine(changesSomething, 'nothing to change is named')
/** Replaces the given properties of the flag; those that are absent stay as they are. */
export const UpdateFeatureFlag = z
  .strictObject({
    ...REASON,
    labels: LabelSet.optional(),
    featureSubgraphs: z.array(ResourceName).max(100).optional(),
  })
  .refine(changesSomething, 'nothing to change is named')
export type UpdateFederatedGraph = z.infer<typeof UpdateFederatedGraph>
export type UpdateSubgraph = z.infer<typeof UpdateSubgraph>
export type UpdateFeatureFlag = z.infer<typeof UpdateFeatureFlag>
export type CreateNamespace = z.infer<typeof CreateNamespace>
export type CreateFederatedGraph = z.infer<typeof CreateFederatedGraph>
export type CreateSubgraph = z.infer<typeof CreateSubgraph>
export type PublishSchema = z.infer<typeof PublishSchema>
export type CreateFeatureSubgraph = z.infer<typeof CreateFeatureSubgraph>
export type CreateFeatureFlag = z.infer<typeof CreateFeatureFlag>

function changesSomething(body: object): boolean {
  return Object.entries(body).some(([name, value]) => name !== 'reason' && value !== undefined)
}
