/** Comparisons of schemas: two compositions of a graph, and what publishing a schema would change. */
import { z } from 'zod'
import { CompositionMessage } from '../composition-records.ts'
import { Label, MAX_SDL_BYTES, ResourceName, Sequence, Sha256 } from '../names.ts'

/** `breaking`: operations that were valid are not any more. `dangerous`: answers may be new to clients. */
const CHANGE = {
  criticality: z.enum(['breaking', 'dangerous', 'safe']),
  /** `FIELD_REMOVED` and the like. */
  type: z.string(),
  /** Schema coordinate with dots: `Product.price`, `Query.search.term`. Empty: the schema as a whole. */
  path: z.string(),
  /** A sentence for people. */
  message: z.string(),
}
const COUNTS = {
  breaking: z.int().min(0),
  dangerous: z.int().min(0),
  safe: z.int().min(0),
}

/** The plan of an operation on one side, or why there is none. */
const PlanSide = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('planned'),
    /** Requests to subgraphs, and how many of them must follow each other. */
    requests: z.int().min(0),
    depth: z.int().min(0),
    /** Coordinates of fields that no subgraph answers. */
    unreachable: z.array(z.string()),
    /** The plan for people, at most 16 Ki characters of it. */
    text: z.string(),
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
])

/** An operation whose plan is another one, or that only one side answers. */
export const ComparedPlan = z.object({
  /** The name of the operation; null if it has none. */
  operationName: z.string().nullable(),
  /** Identifier of its document, and the manifests that have it. */
  document: z.string(),
  manifests: z.array(z.string()),
  /** Names of the clients that may send it; null for all clients. */
  clients: z.array(z.string()).nullable(),
  /** Values of the variables in `@skip` and `@include` with which the plans were made. */
  conditions: z.record(z.string(), z.boolean()),
  status: z.enum(['changed', 'lost', 'gained']),
  from: PlanSide,
  to: PlanSide,
})
export type ComparedPlan = z.infer<typeof ComparedPlan>

const ComparedSide = z.object({ composition: z.string(), artifact: Sha256 })

export const CompositionDifference = z.object({
  namespace: z.string(),
  graph: z.string(),
  from: ComparedSide,
  to: ComparedSide,
  /** The most critical changes first: the first 2000 of those that are counted. */
  schema: z.object({ ...COUNTS, changes: z.array(z.object(CHANGE)) }),
  /** Plans of the operations in published documents of the graph. Null if none are published. */
  plans: z
    .object({
      /** Operations that were compared, and those that were left out since comparing takes too much. */
      operations: z.int().min(0),
      notCompared: z.int().min(0),
      unchanged: z.int().min(0),
      /** Operations that are valid on neither side. */
      refused: z.int().min(0),
      changed: z.int().min(0),
      /** The first 200 of `changed`: what is lost, then what needs more requests. */
      changes: z.array(ComparedPlan),
    })
    .nullable(),
})
export type CompositionDifference = z.infer<typeof CompositionDifference>

/** Body of `POST /v1/checks/{ns}/{subgraph}`. The last three are for a subgraph that does not exist yet. */
export const CheckSubgraph = z.strictObject({
  schema: z.string().max(MAX_SDL_BYTES),
  /** Refuses what will be an error in the next minor version, and documents that some compositions lose. */
  strict: z.boolean().default(false),
  labels: z.array(Label).max(100).optional(),
  routingUrl: z.string().max(2000).optional(),
  /** The subgraph that a feature subgraph replaces. */
  base: ResourceName.optional(),
})
export type CheckSubgraph = z.infer<typeof CheckSubgraph>

export const CheckedCompositionView = z.object({
  graph: z.string(),
  /** The name of the flag, or null for the base. */
  featureFlag: z.string().nullable(),
  /** `empty`: nothing would be left to compose. `removed`: the flag would not apply any more. */
  status: z.enum(['composed', 'unchanged', 'failed', 'empty', 'removed']),
  /** Whether it failed with the same inputs before, so that this schema is not the cause. */
  failedBefore: z.boolean(),
  /** The first 100 of `errorCount`. */
  errors: z.array(CompositionMessage),
  errorCount: z.int().min(0),
  hints: z.array(CompositionMessage),
  /** Null if there was nothing to compare. */
  comparedWith: z.enum(['served', 'nothing-served']).nullable(),
})

/** A published document that a composition would no longer answer. */
const LostDocumentView = z.object({
  graph: z.string(),
  id: z.string(),
  manifests: z.array(z.string()),
  clients: z.array(z.string()).nullable(),
  operationName: z.string().nullable(),
  /** Whether some other composition of the graph would answer it. */
  answeredElsewhere: z.boolean(),
  /** The first ones of `compositionCount`, each with the first error that it would give. */
  compositions: z.array(
    z.object({
      featureFlag: z.string().nullable(),
      message: z.string(),
      locations: z.array(z.object({ line: z.int(), column: z.int() })),
    }),
  ),
  compositionCount: z.int(),
})

/** The effect that publishing a schema would have on every graph and flag. Nothing is published. */
export const SubgraphCheck = z.object({
  namespace: z.string(),
  name: z.string(),
  /** Sequence of the last registry record of the state that it was checked on. */
  sequence: Sequence,
  /** False if a composition fails that did not before, a change is breaking, or a document is lost. */
  passes: z.boolean(),
  /** A sentence about the whole. */
  message: z.string(),
  warnings: z.array(z.string()),
  compositions: z.array(CheckedCompositionView),
  /** The first 2000 of those that are counted, the most critical of each composition first. */
  changes: z.object({
    ...COUNTS,
    changes: z.array(z.object({ ...CHANGE, graph: z.string(), featureFlag: z.string().nullable() })),
  }),
  documents: z.object({
    tried: z.int(),
    unanswered: z.int(),
    partlyAnswered: z.int(),
    /** The first 50. */
    lost: z.array(LostDocumentView),
  }),
})
export type SubgraphCheck = z.infer<typeof SubgraphCheck>
