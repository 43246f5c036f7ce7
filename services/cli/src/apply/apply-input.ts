/**
 * The file that `switchyard apply` reads: what there should be in a namespace. A file of `router compose` is
 * one, too; here nearly everything may be absent, and then stays as it is.
 */
import {
  LabelMatchers,
  LabelSet,
  Namespace,
  PublicUrl,
  ResourceName,
  WrittenRoutingUrl,
} from '@switchyard/contracts'
import { z } from 'zod'
import { type ValueProblem, type FilePosition, readYaml } from '../compose/located-yaml.ts'
import { LocalRefusal } from '../run/errors.ts'
import { RolloutItem } from './rollout-items.ts'

const Schema = z.strictObject({ file: z.string().min(1) })
const graphMembers = {
  name: ResourceName,
  label_matchers: LabelMatchers.optional(),
  /** Null takes it away. */
  public_url: PublicUrl.nullable().optional(),
}
const FeatureGraph = z.strictObject({
  name: ResourceName,
  subgraph_name: ResourceName.optional(),
  routing_url: WrittenRoutingUrl.optional(),
  schema: Schema.optional(),
})
const ApplyFile = z.strictObject({
  version: z.literal(1),
  graph: z.strictObject({ namespace: Namespace.optional(), ...graphMembers }).optional(),
  graphs: z
    .array(z.strictObject({ ...graphMembers, allow_unenforced_authorization: z.boolean().optional() }))
    .default([]),
  subgraphs: z
    .array(
      z.strictObject({
        name: ResourceName,
        routing_url: WrittenRoutingUrl.optional(),
        labels: LabelSet.optional(),
        schema: Schema.optional(),
      }),
    )
    .default([]),
  /** Feature subgraphs that no flag of this file names. */
  feature_subgraphs: z.array(FeatureGraph).default([]),
  feature_flags: z
    .array(
      z.strictObject({
        name: ResourceName,
        labels: LabelSet.optional(),
        enabled: z.boolean().optional(),
        feature_graphs: z.array(FeatureGraph).optional(),
      }),
    )
    .default([]),
  /** In the order in which requests try those of a graph. */
  rollouts: z.array(RolloutItem).optional(),
  /** The setting of the graph that `graph` names. */
  allow_unenforced_authorization: z.boolean().optional(),
})
type ApplyFile = z.infer<typeof ApplyFile>
type FeatureGraph = z.infer<typeof FeatureGraph>

/** An item that may name a schema file. `at` is the position of that name in the apply file. */
type WithSchema = { readonly schema: { readonly file: string; readonly at: FilePosition } | undefined }

/** The file with its defaults filled in. A member that is undefined stays as it is in the registry. */
export type ApplyInput = {
  readonly namespace: string | undefined
  readonly graphs: readonly {
    readonly name: string
    readonly labelMatchers: string[] | undefined
    readonly allowUnenforcedAuthorization: boolean | undefined
    readonly publicUrl: string | null | undefined
  }[]
  readonly subgraphs: readonly (WithSchema & {
    readonly name: string
    readonly routingUrl: string | undefined
    readonly labels: string[] | undefined
  })[]
  readonly featureSubgraphs: readonly (WithSchema & {
    readonly name: string
    readonly subgraph: string | undefined
    readonly routingUrl: string | undefined
  })[]
  readonly featureFlags: readonly {
    readonly name: string
    readonly labels: string[] | undefined
    readonly featureSubgraphs: string[] | undefined
    readonly enabled: boolean | undefined
  }[]
  /** Undefined if the file says nothing about rollouts, which pruning then leaves alone. */
  readonly rollouts: readonly RolloutItem[] | undefined
}

/** Throws a LocalRefusal that names the line of every mistake. */
export function parseApplyInput(text: string, file: string): ApplyInput {
  const { value, at, refuse } = readYaml(text, file, ApplyFile, (places) => {
    const message = `${file} does not describe a desired state; nothing was changed.`
    return new LocalRefusal('APPLY_INPUT_INVALID', message, { places })
  })
  const schemaOf = (
    item: { readonly schema?: { readonly file: string } | undefined },
    ...path: DocumentPath
  ) =>
    item.schema === undefined ? undefined : { file: item.schema.file, at: at([...path, 'schema', 'file']) }
  const { graph, allow_unenforced_authorization: allowed } = value
  const problems: ValueProblem[] = []
  if (allowed !== undefined && graph === undefined) {
    const message = 'belongs to "graph", which this file does not name'
    problems.push({ path: ['allow_unenforced_authorization'], message })
  }
  const featureSubgraphs = featureSubgraphsOf(value, problems)
  refuse(problems)
  const named = graph === undefined ? [] : [{ ...graph, allow_unenforced_authorization: allowed }]
  return {
    namespace: graph?.namespace,
    graphs: [...named, ...value.graphs].map((item) => ({
      name: item.name,
      labelMatchers: item.label_matchers,
      allowUnenforcedAuthorization: item.allow_unenforced_authorization,
      publicUrl: item.public_url,
    })),
    subgraphs: value.subgraphs.map((item, index) => ({
      name: item.name,
      routingUrl: item.routing_url,
      labels: item.labels,
      schema: schemaOf(item, 'subgraphs', index),
    })),
    featureSubgraphs: featureSubgraphs.map(({ item, path }) => ({
      name: item.name,
      subgraph: item.subgraph_name,
      routingUrl: item.routing_url,
      schema: schemaOf(item, ...path),
    })),
    featureFlags: value.feature_flags.map(({ name, labels, enabled, feature_graphs: members }) => ({
      name,
      labels,
      enabled,
      featureSubgraphs: members?.map((member) => member.name),
    })),
    rollouts: value.rollouts,
  }
}

type DocumentPath = readonly PropertyKey[]
type Placed = { readonly item: FeatureGraph; readonly path: DocumentPath }

/**
 * The feature subgraphs of the file and of its flags, each once. A flag may describe a feature subgraph, or
 * only name one that is described elsewhere. Two different descriptions of one name are a problem.
 */
function featureSubgraphsOf(file: ApplyFile, problems: ValueProblem[]): readonly Placed[] {
  const places: readonly Placed[] = [
    ...file.feature_subgraphs.map((item, index) => ({ item, path: ['feature_subgraphs', index] })),
    ...file.feature_flags.flatMap(({ feature_graphs: members = [] }, flag) =>
      members.map((item, index) => ({ item, path: ['feature_flags', flag, 'feature_graphs', index] })),
    ),
  ]
  const described = new Map<string, Placed>()
  for (const place of places) {
    const { name, ...description } = place.item
    if (Object.values(description).every((member) => member === undefined)) continue
    const earlier = described.get(name)
    if (earlier === undefined) described.set(name, place)
    else if (textOf(earlier.item) !== textOf(place.item)) {
      const message = `feature subgraph "${name}" is described otherwise in this file already`
      problems.push({ path: [...place.path, 'name'], message })
    }
  }
  // Of those that are only named something has to be said, too: that they are to be kept.
  for (const place of places) if (!described.has(place.item.name)) described.set(place.item.name, place)
  return [...described.values()]
}

function textOf({ subgraph_name: base, routing_url: url, schema }: FeatureGraph): string {
  return JSON.stringify([base, url, schema?.file])
}
