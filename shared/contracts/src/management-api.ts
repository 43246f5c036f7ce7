/** Bodies of the registry's HTTP API (`/v1/…`). Paths, parameters and status codes are listed in PROTOCOL.md. */
import { z } from 'zod'
import { CompositionMessage } from './composition-records.ts'
import { RouterHeartbeat } from './notices.ts'
import { LabelMatchers, LabelSet, Namespace, ResourceName, RoutingUrl, Sequence } from './names.ts'

export const CreateNamespace = z.strictObject({ name: Namespace })
export const CreateFederatedGraph = z.strictObject({
  name: ResourceName,
  labelMatchers: LabelMatchers.default([]),
})
export const CreateSubgraph = z.strictObject({
  name: ResourceName,
  routingUrl: RoutingUrl,
  labels: LabelSet.default([]),
})
/** With `routingUrl` the subgraph is created when it is missing (`labels` count only then). */
export const PublishSchema = z.strictObject({
  sdl: z.string(),
  routingUrl: RoutingUrl.optional(),
  labels: LabelSet.optional(),
})
export const CreateFeatureSubgraph = z.strictObject({
  name: ResourceName,
  routingUrl: RoutingUrl,
  subgraph: ResourceName,
})
export const CreateFeatureFlag = z.strictObject({
  name: ResourceName,
  labels: LabelSet.default([]),
  featureSubgraphs: z.array(ResourceName).max(100),
  enabled: z.boolean().default(false),
})
export type CreateNamespace = z.infer<typeof CreateNamespace>
export type CreateFederatedGraph = z.infer<typeof CreateFederatedGraph>
export type CreateSubgraph = z.infer<typeof CreateSubgraph>
export type PublishSchema = z.infer<typeof PublishSchema>
export type CreateFeatureSubgraph = z.infer<typeof CreateFeatureSubgraph>
export type CreateFeatureFlag = z.infer<typeof CreateFeatureFlag>

/** `wait`: how long the answer may wait for the compositions caused, in ms; 0 = do not wait. */
export const CommandQuery = z.object({ wait: z.coerce.number().int().min(0).max(120_000).default(30_000) })

export const CompositionReport = z.object({
  graph: z.string(),
  /** null: the base composition. */
  featureFlag: z.string().nullable(),
  /** `empty`: nothing to compose yet. */
  status: z.enum(['composed', 'unchanged', 'failed', 'empty']),
  /** true: failed with the same inputs before this command; not this command's doing. */
  failedBefore: z.boolean(),
  errors: z.array(CompositionMessage),
  errorCount: z.int(),
  hints: z.array(CompositionMessage),
})
export type CompositionReport = z.infer<typeof CompositionReport>

/** Answer of every write: 200, or 201 when something was created. */
export const CommandOutcome = z.object({
  /** false: nothing had to change; no event was written. */
  changed: z.boolean(),
  /** Sequence of the record, or of the last record of the namespace when nothing changed. */
  sequence: Sequence,
  message: z.string(),
  warnings: z.array(z.string()),
  compositions: z.array(CompositionReport),
  /** true: the wait ran out before every composition was there. */
  pending: z.boolean(),
  /** Routers of the affected graphs that serve this command's revision already, and all that are alive. */
  routers: z.object({ serving: z.int(), total: z.int() }),
})
export type CommandOutcome = z.infer<typeof CommandOutcome>

export const NamespaceView = z.object({ name: z.string() })
export const FederatedGraphView = z.object({
  namespace: z.string(),
  name: z.string(),
  labelMatchers: z.array(z.string()),
  subgraphs: z.array(z.string()),
  base: z.enum(['composed', 'failed', 'empty', 'pending']),
})
export const SubgraphView = z.object({
  namespace: z.string(),
  name: z.string(),
  routingUrl: z.string(),
  labels: z.array(z.string()),
  published: z.boolean(),
  schema: z.string().nullable(),
  /** Set for a feature subgraph: the base that it replaces. */
  base: z.string().nullable(),
})
export const FeatureFlagView = z.object({
  namespace: z.string(),
  name: z.string(),
  labels: z.array(z.string()),
  featureSubgraphs: z.array(z.string()),
  enabled: z.boolean(),
  /** Graphs to which the flag applies. `state`: `served`, `pending` or `not served: <reason>`. */
  graphs: z.array(z.object({ graph: z.string(), state: z.string() })),
})
export const RouterView = RouterHeartbeat.extend({ ageSeconds: z.number(), alive: z.boolean() })
export const NamespaceList = z.object({ namespaces: z.array(NamespaceView) })
export const FederatedGraphList = z.object({ graphs: z.array(FederatedGraphView) })
export const SubgraphList = z.object({ subgraphs: z.array(SubgraphView) })
export const FeatureFlagList = z.object({ featureFlags: z.array(FeatureFlagView) })
export const RouterList = z.object({ routers: z.array(RouterView) })
export type FederatedGraphView = z.infer<typeof FederatedGraphView>
export type SubgraphView = z.infer<typeof SubgraphView>
export type FeatureFlagView = z.infer<typeof FeatureFlagView>
export type RouterView = z.infer<typeof RouterView>
