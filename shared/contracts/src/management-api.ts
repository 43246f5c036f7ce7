/**
 * Answers of the registry's HTTP API (`/v1/…`), and the bodies that are no commands. Paths, parameters and
 * status codes are listed in PROTOCOL.md.
 */
import { Judgement } from '@switchyard/guards/schemas'
import { z } from 'zod'
import { CompositionMessage } from './composition-records.ts'
import { PublicationReason } from './execution-config.ts'
import { DIFFERENCE_RESULTS, RouterHeartbeat } from './notices.ts'
import { Namespace, ResourceName, Sequence, Sha256 } from './names.ts'
import { PromotedSubgraph } from './registry-records.ts'
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
import { PreviewFlag, PreviewName, PreviewSubgraph } from './previews.ts'

/**
 * `wait` is the time in milliseconds that the answer may wait for the compositions that the command causes; 0
 * means not to wait.
 */
export const CommandQuery = z.object({ wait: z.coerce.number().int().min(0).max(120_000).default(30_000) })

export const CompositionReport = z.object({
  graph: z.string(),
  /** The name of the flag, or null for the base composition. */
  featureFlag: z.string().nullable(),
  /**
   * The outcome. `unchanged` means that the composition is the same as before, or is known from earlier
   * although its flag is new here. `empty` means that there is nothing to compose yet.
   */
  status: z.enum(['composed', 'unchanged', 'failed', 'empty']),
  /**
   * True if the composition failed with the same inputs before this command. The command is then not the
   * cause, unless it published a faulty schema again.
   */
  failedBefore: z.boolean(),
  /** True for a flag that took no part in the graph before this command. */
  isNew: z.boolean(),
  errors: z.array(CompositionMessage),
  errorCount: z.int(),
  hints: z.array(CompositionMessage),
})
export type CompositionReport = z.infer<typeof CompositionReport>

/**
 * Routers that serve something, and all that are alive. `verified`: each proved with the fleet key that it is
 * one.
 */
const RouterCount = z.object({ serving: z.int(), total: z.int(), verified: z.literal(true).optional() })

/** Answer of every write: 200, or 201 when something was created. */
/**
 * An estimate of what a feature flag costs each router beside base, from facts about its composition. How it
 * is reckoned, and how well, is told by docs/scale.md.
 */
export const FlagCost = z.object({
  graph: z.string(),
  featureFlag: z.string(),
  /**
   * Null while routers were given no composition of the flag, if it cannot be read, or if it is large and not
   * stored in pieces.
   */
  estimate: z
    .object({
      /** Bytes of the supergraph. */
      bytes: z.int(),
      /** Definitions of the supergraph that base does not have; null for too many to be counted. */
      changedDefinitions: z.int().nullable(),
      /** `changes`: only these are compiled. `whole`: base shares nothing with it. */
      compiled: z.enum(['changes', 'whole']),
      /** Computing time to compile it, once for each router process and each change. */
      cpuMs: z.number(),
      /** Memory that it takes in each router process. */
      memoryBytes: z.int(),
    })
    .nullable(),
})
export type FlagCost = z.infer<typeof FlagCost>

export const CommandOutcome = z.object({
  /** Under which the outcome can be asked for again: the `Idempotency-Key`, or one made by the registry. */
  commandId: z.string(),
  /** False if nothing had to change, so that no event was written. */
  changed: z.boolean(),
  /** Sequence of the record, or of the last record of the namespace when nothing changed. */
  sequence: Sequence,
  message: z.string(),
  warnings: z.array(z.string()),
  /** Graphs for which the command caused a composition, sorted. */
  affectedGraphs: z.array(z.string()),
  /**
   * Graphs whose rollouts the command changed, sorted. Nothing is composed for that. Absent from registries
   * that are older than this member.
   */
  rolloutGraphs: z.array(z.string()).optional(),
  /**
   * Graphs that a command without any change names, or in which something takes part that it names, sorted.
   * Absent for all other commands. The content that routers serve of them is asked for graph by graph.
   */
  namedGraphs: z.array(z.string()).optional(),
  /**
   * Compositions of the affected graphs so far. If the command published schemas again without a change, the
   * compositions that fail because of these.
   */
  compositions: z.array(CompositionReport),
  /** True if the wait ran out before every composition was known. */
  pending: z.boolean(),
  /** Routers of the affected graphs that serve this command's revision already, and all that are alive. */
  routers: RouterCount,
  /** The costs of the flag of a rollout that the command created. Absent for all other commands. */
  flagCosts: z.array(FlagCost).optional(),
})
export type CommandOutcome = z.infer<typeof CommandOutcome>

/** All of them, also those that reports leave out. Empty when the composition succeeded. */
export const CompositionErrors = z.object({
  errors: z.array(CompositionMessage),
  /** Advice about each code of the errors. Absent from registries that are older than this member. */
  advice: z.record(z.string(), z.string()).optional(),
  /**
   * Hashes of the schemas that were composed, by which `GET /v1/subgraphs/{ns}/{name}/schema` has their SDL.
   * Null if something was published since and is being composed. Absent as `advice` is.
   */
  sources: z
    .array(z.object({ subgraph: z.string(), sha256: Sha256 }))
    .nullable()
    .optional(),
})
export type CompositionErrors = z.infer<typeof CompositionErrors>

export const NamespaceView = z.object({
  name: z.string(),
  /** Hosts that the subgraphs of previews may have. */
  previewHosts: z.array(z.string()).default([]),
})
export const FederatedGraphView = z.object({
  namespace: z.string(),
  name: z.string(),
  labelMatchers: z.array(z.string()),
  allowUnenforcedAuthorization: z.boolean().default(false),
  /** The URL at which browsers reach the routers of the graph; null if nobody said. */
  publicUrl: z.string().nullable().default(null),
  subgraphs: z.array(z.string()),
  base: z.enum(['composed', 'failed', 'empty', 'pending']),
  /** The newest revision that routers were given; null before the first. */
  revision: z.int().nullable(),
  /** Set while the graph is held on that revision. */
  pinnedRevision: z.int().nullable(),
})
/** `state`: `served`, `pending` or `not served: <reason>`. */
export const FlagState = z.object({ name: z.string(), state: z.string() })
export const FederatedGraphDetail = FederatedGraphView.extend({
  /** Every flag whose labels choose this graph. */
  featureFlags: z.array(FlagState),
  /** The newest composition of base and of every flag that applies; empty while none is there. */
  compositions: z.array(CompositionReport),
  /**
   * The compositions that fail, with the name of the flag or null for base. Each has failed without a break
   * since one of the changes behind `after`, up to `sequence`, by sequences of the registry's log. Registries
   * that are older than this member leave it out.
   */
  failing: z
    .array(z.object({ featureFlag: z.string().nullable(), after: Sequence, sequence: Sequence }))
    .optional(),
  routers: RouterCount,
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
export const SubgraphDetail = SubgraphView.extend({
  /** Size of the published SDL. */
  bytes: z.int().nullable(),
  /** Graphs that it takes part in: in their base, or through a flag. */
  graphs: z.array(z.string()),
  /** Feature subgraphs that replace it. */
  featureSubgraphs: z.array(z.string()),
  /** Flags that it is a member of. */
  featureFlags: z.array(z.string()),
})
/** The published schema of a subgraph or feature subgraph. */
export const SubgraphSchema = z.object({
  namespace: z.string(),
  name: z.string(),
  sha256: Sha256,
  sdl: z.string(),
})
/** A promotion that can be undone. */
export const Launch = z.object({
  /** Sequence of the record of the promotion. */
  sequence: Sequence,
  promoted: z.array(PromotedSubgraph),
})
/** The stage of a flag, by which somebody decides what to do with it. */
export const FlagStage = z.enum(['disabled', 'new', 'ramping', 'live', 'launched', 'unused', 'identical'])
export type FlagStage = z.infer<typeof FlagStage>
/** The requests that named a flag, as far as this registry heard of them since its start. */
export const FlagUse = z.object({
  /**
   * When a router last said that somebody had named the flag in the 15 minutes before, RFC 3339; null if none
   * did.
   */
  lastAskedFor: z.string().nullable(),
  /** When this registry began to listen, RFC 3339. */
  listeningSince: z.string(),
})
export type FlagUse = z.infer<typeof FlagUse>
export const FeatureFlagView = z.object({
  namespace: z.string(),
  name: z.string(),
  labels: z.array(z.string()),
  featureSubgraphs: z.array(z.string()),
  enabled: z.boolean(),
  /** Graphs that the flag's labels choose. `state`: `served`, `pending` or `not served: <reason>`. */
  graphs: z.array(z.object({ graph: z.string(), state: z.string() })),
  /** The promotion that can be undone; absent if there was none. */
  launched: Launch.optional(),
  /**
   * `disabled`; `launched`: it is the base graph; `identical`: its compositions are those of the base;
   * `ramping`: a rollout gives it to a part of its audience; `live`: a rollout gives it to all, or clients
   * named it lately; `new`: none of these, and nothing serves it or it was changed in the last 24 hours;
   * `unused`: none of these. This and `use` are absent from registries that are older than the members.
   */
  stage: FlagStage.optional(),
  use: FlagUse.optional(),
})
/** The requests of a graph that a flag answered in the last 24 hours, and who sent them. */
export const FlagRequests = z.object({
  graph: z.string(),
  requests: z.int().min(0),
  /** Those with most requests first, ten at most. */
  clients: z.array(
    z.object({ name: z.string().nullable(), version: z.string().nullable(), requests: z.int().min(0) }),
  ),
})
export const FeatureFlagDetail = FeatureFlagView.extend({
  /** Its newest composition in every graph that it applies to. */
  compositions: z.array(CompositionReport),
  /** In every graph that it applies to. Absent if the registry keeps no usage, or cannot read it now. */
  lastDay: z.array(FlagRequests).optional(),
})
/** A ramp, and where it is. */
export const RolloutRamp = z.object({
  ...RampPlan.shape,
  /** The step in force, counted from 0. */
  step: z.int().min(0),
  /** Sequence of the record that began the step, and the time of that record in Unix milliseconds. */
  since: Sequence,
  sinceTime: z.number(),
  /** How many steps have begun with this one, also those that were begun again. */
  begun: z.int().min(1),
  /** How often this step has begun. */
  attempt: z.int().min(1),
  state: z.enum(['running', 'paused', 'ended']),
  /** The last judgement that a record of the ramp holds. */
  judgement: Judgement.nullable(),
  /** The figures at which the emergency stop aborted it last. */
  emergency: EmergencyFigures.nullable().default(null),
})
const RolloutFacts = z.object({
  name: ResourceName,
  graph: ResourceName,
  flag: ResourceName,
  mode: RolloutMode,
  where: RolloutAudience,
  /** The percentage that was set. */
  percent: RolloutPercent,
  key: RolloutKey,
  salt: RolloutSalt,
  /** RFC 3339; null for one that does not expire. */
  expires: z.string().nullable(),
  /** Settings of mode `shadow`; null for the defaults. */
  shadow: RolloutShadow.nullable().default(null),
  /** `aborted`: it selects nobody. `completed`: it selects its whole audience. */
  status: z.enum(['active', 'aborted', 'completed']),
  /** The ramp that it is on, or was on last; null if it had none, or was changed by hand since. */
  ramp: RolloutRamp.nullable().default(null),
  /** Its place among those of its graph, from 0 on: requests try them in this order. */
  place: z.int().min(0),
})
export const RolloutView = RolloutFacts.extend({
  namespace: z.string(),
  /** The percentage in force: 0 if it was aborted, 100 if it was completed. */
  inForce: RolloutPercent,
  /** `served`, `pending`, or `not served: <reason>`: the flag in the graph. Null if that does not take it. */
  flagState: z.string().nullable(),
  /**
   * `live`: routers were given the rollout as it is. `pending`: config-distribution has not published it yet.
   * `waiting`: the graph has nothing to serve yet.
   */
  state: z.enum(['live', 'pending', 'waiting']),
  /** Routers that have the rollout as it is, and all routers of its graph that are alive. */
  routers: RouterCount,
})
export type RolloutView = z.infer<typeof RolloutView>
export const RolloutList = z.object({ rollouts: z.array(RolloutView) })
export type RolloutList = z.infer<typeof RolloutList>
/** Results of a rollout by all routers. */
export const RolloutDifferences = z.object({
  namespace: z.string(),
  rollout: z.string(),
  graph: z.string(),
  flag: z.string(),
  /** Processes of routers that told results. */
  routers: z.int().min(0),
  /** The beginning of the counts, Unix milliseconds; null if no router has told anything yet. */
  since: z.number().nullable(),
  ...DIFFERENCE_RESULTS,
})
export type RolloutDifferences = z.infer<typeof RolloutDifferences>
const PreviewFacts = z.object({
  name: PreviewName,
  /** The name that requests give. */
  flag: PreviewFlag,
  /** The subgraphs that it puts in the place of others. */
  subgraphs: z.array(PreviewSubgraph),
  /** RFC 3339. */
  expires: z.string(),
})
export const PreviewView = PreviewFacts.extend({
  namespace: z.string(),
  /**
   * Graphs that have all subgraphs which it replaces. `state`: `served`, `pending` or `not served: <reason>`.
   */
  graphs: z.array(z.object({ graph: z.string(), state: z.string() })),
})
export type PreviewView = z.infer<typeof PreviewView>
export const PreviewList = z.object({ previews: z.array(PreviewView) })
export type PreviewList = z.infer<typeof PreviewList>
/** One consistent state of a namespace: what `subgraph check` reckons from. */
export const NamespaceSnapshot = z.object({
  namespace: z.string(),
  /** Sequence of the last registry record that it reflects. */
  sequence: Sequence,
  graphs: z.array(
    z.object({
      name: ResourceName,
      labelMatchers: z.array(z.string()),
      allowUnenforcedAuthorization: z.boolean().default(false),
      publicUrl: z.string().nullable().default(null),
      pinnedRevision: z.int().nullable(),
      /** Manifests of persisted documents, sorted by name. */
      documents: z
        .array(
          z.object({
            name: ResourceName,
            manifest: Sha256,
            bytes: z.int(),
            documents: z.int(),
            clients: z.array(z.string()).nullable(),
          }),
        )
        .default([]),
    }),
  ),
  subgraphs: z.array(
    z.object({
      name: ResourceName,
      routingUrl: z.string(),
      labels: z.array(z.string()),
      base: ResourceName.nullable(),
      schema: z.object({ sha256: Sha256, bytes: z.int() }).nullable(),
    }),
  ),
  featureFlags: z.array(
    z.object({
      name: ResourceName,
      labels: z.array(z.string()),
      featureSubgraphs: z.array(ResourceName),
      enabled: z.boolean(),
      /** The promotion that can be undone; absent if there was none. */
      launched: Launch.optional(),
    }),
  ),
  rollouts: z.array(RolloutFacts).default([]),
  previews: z.array(PreviewFacts).default([]),
  /** Hosts that the subgraphs of previews may have. */
  previewHosts: z.array(z.string()).default([]),
})
/** A manifest of persisted documents. */
export const DocumentManifestView = z.object({
  name: z.string(),
  /** Names of the clients that may use it; null for all clients. */
  clients: z.array(z.string()).nullable(),
  documents: z.int(),
  bytes: z.int(),
  /** Hash of its text in the form in which it is kept. */
  sha256: Sha256,
})
export type DocumentManifestView = z.infer<typeof DocumentManifestView>
export const DocumentManifestList = z.object({
  namespace: z.string(),
  graph: z.string(),
  manifests: z.array(DocumentManifestView),
})
export type DocumentManifestList = z.infer<typeof DocumentManifestList>
export const DocumentManifest = DocumentManifestView.extend({
  namespace: z.string(),
  graph: z.string(),
  /** JSON: the texts of the documents by identifier. */
  manifest: z.string(),
})
export type DocumentManifest = z.infer<typeof DocumentManifest>
/** A command that a revision is the result of, as the log has it. */
export const RevisionChange = z.object({
  /** Sequence of the command's record. */
  sequence: Sequence,
  /** RFC 3339, by the clock of the registry that wrote it. */
  time: z.string(),
  /** Who asked: `key:<api key id>`, `bootstrap`, `system`, or `oidc:<issuer>#<subject>`. */
  actor: z.string(),
  /**
   * Name of that API key, which may be deleted by now. Null if the actor is no API key, or an unknown one.
   */
  apiKey: z.string().nullable(),
  /** The reason in the words of the actor. Absent if none was given. */
  reason: z.string().optional(),
  /** A summary of the command in one line. */
  summary: z.string(),
  /** Its first events: their types, and the names of what they are about. */
  events: z.array(z.object({ type: z.string(), name: z.string().nullable() })),
  /** How many there are, also those that are not listed. */
  eventCount: z.int(),
})
export type RevisionChange = z.infer<typeof RevisionChange>
/** The revisions of a graph's present epoch, newest first. */
export const RevisionView = z.object({
  epoch: z.int(),
  revision: z.int(),
  createdAt: z.string(),
  registrySequence: Sequence,
  reason: PublicationReason,
  /** Who asked for what caused it; null when that is not known any more. */
  actor: z.string().nullable(),
  /**
   * The commands since the previous revision that this one reflects, oldest first. Of many commands only the
   * last ones are listed. The list is empty if no command caused the revision, but `reason` did. Null if the
   * commands are not known any more, and absent from registries that are older than this member.
   */
  changes: z.array(RevisionChange).nullable().optional(),
  /** How many commands there are, also those that are not listed. */
  changeCount: z.int().optional(),
  /** Artifact of base; null for a removed graph. */
  base: Sha256.nullable(),
  /** Flags served by it, sorted. */
  featureFlags: z.array(z.string()),
})
export const RevisionList = z.object({
  namespace: z.string(),
  graph: z.string(),
  pinnedRevision: z.int().nullable(),
  revisions: z.array(RevisionView),
})

/**
 * `read`, `publish:<ns>` (schemas), `deploy:<ns>` (every other change in a namespace), `rollout:<ns>`
 * (rollouts), `abort:<ns>` (aborting them), `preview:<ns>` (previews), `trace:<ns>` (trace tokens of its
 * graphs) or `admin`.
 */
export const ApiKeyScope = z
  .string()
  .refine(
    (text) =>
      text === 'read' ||
      text === 'admin' ||
      Namespace.safeParse(/^(?:publish|deploy|rollout|abort|preview|trace):(.+)$/s.exec(text)?.[1]).success,
    'a scope is read, publish:<namespace>, deploy:<namespace>, rollout:<namespace>, abort:<namespace>, preview:<namespace>, trace:<namespace> or admin',
  )
export const CreateApiKey = z.strictObject({
  /** A name for people, which tells what uses the key. */
  name: ResourceName,
  scopes: z
    .array(ApiKeyScope)
    .min(1)
    .max(100)
    .transform((scopes) => [...new Set(scopes)].sort()),
})
export const ApiKeyView = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  /** RFC 3339. */
  createdAt: z.string(),
  createdBy: z.string(),
})
/** The only answer that ever carries the key itself. */
export const CreatedApiKey = ApiKeyView.extend({
  key: z.string(),
  /** Scopes of namespaces that do not exist yet. */
  warnings: z.array(z.string()).default([]),
})

/**
 * The content that a router serves, by the config log of its graph: its newest revision, an older one, a
 * revision that the log does not have, or no published content.
 */
export const ServedRevision = z.enum(['newest', 'older', 'not-in-log', 'none'])
export type ServedRevision = z.infer<typeof ServedRevision>
export const RouterView = RouterHeartbeat.extend({
  ageSeconds: z.number(),
  alive: z.boolean(),
  /** Absent from registries that are older than this member. */
  serves: ServedRevision.optional(),
  /**
   * Seconds by which the router's clock is ahead of the registry's; negative if it is behind. Absent if the
   * clocks differ by 2 minutes at most, or if heartbeats are not signed and do not tell the time.
   */
  clockAheadSeconds: z.int().optional(),
  /**
   * Requests and errors between the last two heartbeats. Absent until there were two, from routers that tell
   * no `load`, and from registries that are older than these members.
   */
  requestsPerSecond: z.number().optional(),
  errorsPerSecond: z.number().optional(),
})
export const NamespaceList = z.object({ namespaces: z.array(NamespaceView) })
export const FederatedGraphList = z.object({ graphs: z.array(FederatedGraphView) })
export const SubgraphList = z.object({ subgraphs: z.array(SubgraphView) })
export const FeatureFlagList = z.object({ featureFlags: z.array(FeatureFlagView) })
export const ApiKeyList = z.object({ apiKeys: z.array(ApiKeyView) })
export const RouterList = z.object({ routers: z.array(RouterView), verified: z.literal(true).optional() })
export type FederatedGraphView = z.infer<typeof FederatedGraphView>
export type FederatedGraphDetail = z.infer<typeof FederatedGraphDetail>
export type SubgraphView = z.infer<typeof SubgraphView>
export type SubgraphDetail = z.infer<typeof SubgraphDetail>
export type SubgraphSchema = z.infer<typeof SubgraphSchema>
export type FeatureFlagView = z.infer<typeof FeatureFlagView>
export type FlagRequests = z.infer<typeof FlagRequests>
export type FeatureFlagDetail = z.infer<typeof FeatureFlagDetail>
export type NamespaceSnapshot = z.infer<typeof NamespaceSnapshot>
export type RevisionView = z.infer<typeof RevisionView>
export type RevisionList = z.infer<typeof RevisionList>
export type CreateApiKey = z.infer<typeof CreateApiKey>
export type ApiKeyView = z.infer<typeof ApiKeyView>
export type CreatedApiKey = z.infer<typeof CreatedApiKey>
export type RouterView = z.infer<typeof RouterView>
