/** Records of `compositions.<ns>.<graph>`: one per affected graph and pass of the composer. */
import { z } from 'zod'
import { ArtifactReference, DocumentReference } from './execution-config.ts'
import { Namespace, ResourceName, Sequence, Sha256, TraceParent } from './names.ts'

export const SourceLocation = z.object({
  subgraph: z.string(),
  line: z.int().min(1),
  column: z.int().min(1),
  /** UTF-16 units of the line that are meant, from the column on. */
  length: z.int().min(1).optional(),
  /** The text to show at this place, where the places of one message differ: `Int here`. */
  label: z.string().optional(),
})
export const CompositionMessage = z.object({
  code: z.string(),
  message: z.string(),
  subgraphs: z.array(z.string()),
  locations: z.array(SourceLocation),
  /** The rest is there when a path through the graph cannot be resolved: an operation that takes it … */
  operation: z.string().optional(),
  /** … its steps, each with the subgraph that resolves it, null for the last one, which none can resolve … */
  path: z.array(z.object({ coordinate: z.string(), subgraph: z.string().nullable() })).optional(),
  /** … and why not. `subgraph`: where the last value was fetched; `target`: the one it cannot go on in. */
  reasons: z
    .array(z.object({ subgraph: z.string(), target: z.string().nullable(), reason: z.string() }))
    .optional(),
})
export type CompositionMessage = z.infer<typeof CompositionMessage>

/** The error of a flag that is being composed for the first time. Nobody remembers it as a failure. */
export const COMPOSITION_PENDING = 'COMPOSITION_PENDING'

export const RecordedResult = z.discriminatedUnion('status', [
  /**
   * A success. `reused` means that the input hash equals that of the previous successful result, so that
   * nothing was computed.
   */
  z.object({
    status: z.enum(['composed', 'reused']),
    inputHash: Sha256,
    ...ArtifactReference.shape,
    hints: z.array(CompositionMessage),
  }),
  z.object({
    status: z.literal('failed'),
    inputHash: Sha256,
    /**
     * True if the composition failed with the same inputs in the graph's previous record, too, so that
     * nothing was computed.
     */
    unchanged: z.boolean(),
    /**
     * The first 20, each cut to a bounded size; all of them, whole, are in the blob when that leaves
     * something out.
     */
    errors: z.array(CompositionMessage),
    errorCount: z.int(),
    errorsBlob: Sha256.optional(),
    hints: z.array(CompositionMessage),
  }),
  /** No published subgraph matches the graph. Base only. */
  z.object({ status: z.literal('empty') }),
])
export type RecordedResult = z.infer<typeof RecordedResult>

/** A flag in a record, or a preview. */
const FLAG_ENTRY = {
  name: ResourceName,
  /** Feature subgraphs left out since they have no published schema. */
  unpublished: z.array(ResourceName),
  result: RecordedResult,
  /**
   * Present while the flag is still being composed: `result` is then the previous one, verbatim, or a failure
   * with the code COMPOSITION_PENDING if there is none.
   */
  pending: z.literal(true).optional(),
}

export const CompositionRecord = z.discriminatedUnion('type', [
  z.object({
    v: z.literal(1),
    type: z.literal('composition.completed'),
    namespace: Namespace,
    graph: ResourceName,
    /** Every registry record of the namespace up to and including this sequence is reflected. */
    registrySequence: Sequence,
    traceparent: TraceParent.optional(),
    base: RecordedResult,
    /** Every applicable enabled flag, by name. */
    featureFlags: z.array(z.object(FLAG_ENTRY)),
    /**
     * Every preview that applies, by the name that requests give. They stand apart from flags, so that
     * readers which do not know previews serve none. Absent if there are none.
     */
    previews: z.array(z.object({ ...FLAG_ENTRY, expires: z.iso.datetime() })).optional(),
    /** The graph's pin at that sequence: config-distribution holds the graph on this revision. */
    pinnedRevision: z.int().min(1).nullable(),
    /**
     * Sequence of the newest registry record that asked for the content to be published once more, in a new
     * epoch. Absent if none did.
     */
    republished: Sequence.optional(),
    /** The graph's manifests of persisted documents at that sequence, by name. Absent if there are none. */
    documents: z.array(DocumentReference).optional(),
  }),
  z.object({
    v: z.literal(1),
    type: z.literal('graph.removed'),
    namespace: Namespace,
    graph: ResourceName,
    registrySequence: Sequence,
    traceparent: TraceParent.optional(),
  }),
])
export type CompositionRecord = z.infer<typeof CompositionRecord>

/** The composition of a flag or of a preview in a record. */
export type VariantEntry = Extract<
  CompositionRecord,
  { readonly type: 'composition.completed' }
>['featureFlags'][number]

/** Returns all compositions of a record but that of base: those of flags, then those of previews. */
export function variantsOf(record: CompositionRecord): readonly VariantEntry[] {
  return record.type === 'graph.removed' ? [] : [...record.featureFlags, ...(record.previews ?? [])]
}

/** Whether every result of the record is there. A record of the base alone is followed by a complete one. */
export function isComplete(record: CompositionRecord): boolean {
  return variantsOf(record).every(({ pending }) => pending !== true)
}

/** Whether the result says no more than that the flag is being composed for the first time. */
export function isFirstPending(result: RecordedResult): boolean {
  return result.status === 'failed' && result.errors.some(({ code }) => code === COMPOSITION_PENDING)
}
