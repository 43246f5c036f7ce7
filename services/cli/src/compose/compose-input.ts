/**
 * The file that `router compose` reads. `switchyard apply` reads it, too: labels, matchers and `enabled` mean
 * the same to both, so that one file may describe a graph for a registry and for a router without one.
 */
import {
  groupsMatch,
  labelGroups,
  LabelMatchers,
  LabelSet,
  Namespace,
  nearestWord,
  ResourceName,
  WrittenRoutingUrl,
} from '@switchyard/contracts'
import { z } from 'zod'
import { LocalRefusal } from '../run/errors.ts'
import { type ValueProblem, type FilePosition, readYaml } from './located-yaml.ts'

const Schema = z.strictObject({ file: z.string().min(1) })
const Subgraph = z.strictObject({
  name: ResourceName,
  routing_url: WrittenRoutingUrl,
  labels: LabelSet.optional(),
  schema: Schema,
})
const FeatureGraph = z.strictObject({
  name: ResourceName,
  subgraph_name: ResourceName,
  routing_url: WrittenRoutingUrl,
  schema: Schema,
})
const ComposeFile = z.strictObject({
  version: z.literal(1),
  graph: z
    .strictObject({
      namespace: Namespace.default('default'),
      name: ResourceName,
      label_matchers: LabelMatchers.optional(),
    })
    .optional(),
  subgraphs: z.array(Subgraph).min(1, 'at least one subgraph is needed'),
  feature_flags: z
    .array(
      z.strictObject({
        name: ResourceName,
        labels: LabelSet.optional(),
        /** False if the flag is left out of the composition, like a disabled flag of the registry. */
        enabled: z.boolean().default(true),
        feature_graphs: z.array(FeatureGraph).min(1, 'a feature flag needs at least one feature graph'),
      }),
    )
    .default([]),
  /** Only `switchyard apply` reads them, since routers get rollouts from a registry. */
  rollouts: z.array(z.unknown()).default([]),
  allow_unenforced_authorization: z.boolean().default(false),
})
type ComposeFile = z.infer<typeof ComposeFile>

/** Where a schema file is named, for messages about that file. */
export type WithPosition<T> = T & { readonly at: FilePosition }

/** The file with its defaults filled in, and the places of its schemas. */
export type ComposeInput = {
  readonly graph: ComposeFile['graph']
  readonly subgraphs: readonly WithPosition<z.infer<typeof Subgraph>>[]
  readonly featureFlags: readonly {
    readonly name: string
    readonly featureGraphs: readonly WithPosition<z.infer<typeof FeatureGraph>>[]
  }[]
  readonly allowUnenforcedAuthorization: boolean
  /** True if the file has rollouts, which a composed file does not carry. */
  readonly hasRollouts: boolean
}

/** Throws a LocalRefusal that names the line of every mistake. */
export function parseComposeInput(text: string, file: string): ComposeInput {
  const { value, at, refuse } = readYaml(text, file, ComposeFile, (places) => {
    const message = `${file} does not describe a graph; nothing was composed.`
    return new LocalRefusal('COMPOSE_INPUT_INVALID', message, { places })
  })
  refuse([...checkNames(value), ...checkReplacements(value), ...checkRepetitions(value)])
  const isChosen = labelFilterOf(value.graph)
  const subgraphs = value.subgraphs.flatMap((subgraph, index) =>
    isChosen(subgraph) ? [{ ...subgraph, at: at(['subgraphs', index, 'schema', 'file']) }] : [],
  )
  if (subgraphs.length === 0) {
    const message = 'no subgraph of this file has labels that match the label matchers of the graph'
    refuse([{ path: ['graph', 'label_matchers'], message }])
  }
  const replaceable = new Set(subgraphs.map(({ name }) => name))
  return {
    graph: value.graph,
    allowUnenforcedAuthorization: value.allow_unenforced_authorization,
    hasRollouts: value.rollouts.length > 0,
    subgraphs,
    featureFlags: value.feature_flags.flatMap((flag, flagIndex) => {
      const applies =
        flag.enabled &&
        isChosen(flag) &&
        flag.feature_graphs.every(({ subgraph_name: base }) => replaceable.has(base))
      if (!applies) return []
      const path = ['feature_flags', flagIndex, 'feature_graphs']
      const featureGraphs = flag.feature_graphs.map((graph, index) => ({
        ...graph,
        at: at([...path, index, 'schema', 'file']),
      }))
      return [{ name: flag.name, featureGraphs }]
    }),
  }
}

/** Returns a filter by labels, as the registry has it. It keeps everything if the file names no graph. */
function labelFilterOf(
  graph: ComposeFile['graph'],
): (item: { readonly labels?: string[] | undefined }) => boolean {
  if (graph === undefined) return () => true
  const groups = labelGroups(graph.label_matchers ?? [])
  return ({ labels = [] }) => groupsMatch(groups, labels)
}

/**
 * Names of subgraphs and of flags are unique; a feature graph may serve several flags, but is no subgraph.
 */
function checkNames(input: ComposeFile): readonly ValueProblem[] {
  const problems: ValueProblem[] = []
  const subgraphs = new Set<string>()
  for (const [index, { name }] of input.subgraphs.entries()) {
    if (subgraphs.has(name)) {
      problems.push({ path: ['subgraphs', index, 'name'], message: `a second subgraph is named "${name}"` })
    }
    subgraphs.add(name)
  }
  const flags = new Set<string>()
  for (const [flagIndex, flag] of input.feature_flags.entries()) {
    if (flags.has(flag.name)) {
      problems.push({
        path: ['feature_flags', flagIndex, 'name'],
        message: `a second feature flag is named "${flag.name}"`,
      })
    }
    flags.add(flag.name)
    const ownNames = new Set<string>()
    for (const [index, { name }] of flag.feature_graphs.entries()) {
      const path = ['feature_flags', flagIndex, 'feature_graphs', index, 'name']
      if (subgraphs.has(name)) problems.push({ path, message: `"${name}" is the name of a subgraph already` })
      if (ownNames.has(name)) problems.push({ path, message: `a second feature graph is named "${name}"` })
      ownNames.add(name)
    }
  }
  return problems
}

function checkReplacements(input: ComposeFile): readonly ValueProblem[] {
  const known = input.subgraphs.map(({ name }) => name)
  return input.feature_flags.flatMap((flag, flagIndex) => {
    const replacedBy = new Map<string, string>()
    return flag.feature_graphs.flatMap(({ name, subgraph_name: base }, index): readonly ValueProblem[] => {
      const path = ['feature_flags', flagIndex, 'feature_graphs', index, 'subgraph_name']
      if (!known.includes(base)) {
        const nearest = nearestWord(base, known)
        const meant = nearest === null ? '' : `; did you mean "${nearest}"?`
        const there = `there is no subgraph "${base}" in this file (there are: ${known.join(', ')})`
        return [{ path, message: `${there}${meant}` }]
      }
      const earlier = replacedBy.get(base)
      replacedBy.set(base, name)
      if (earlier === undefined) return []
      return [
        { path, message: `"${base}" is replaced by "${earlier}" already; a flag replaces a subgraph once` },
      ]
    })
  })
}

/** Several flags may hold one feature graph, but it is the same one in all of them. */
function checkRepetitions(input: ComposeFile): readonly ValueProblem[] {
  const first = new Map<string, { readonly flag: string; readonly description: string }>()
  return input.feature_flags.flatMap((flag, flagIndex) =>
    flag.feature_graphs.flatMap((graph, index): readonly ValueProblem[] => {
      const description = JSON.stringify([graph.subgraph_name, graph.routing_url, graph.schema.file])
      const earlier = first.get(graph.name)
      if (earlier === undefined) first.set(graph.name, { flag: flag.name, description })
      if (earlier === undefined || earlier.description === description || earlier.flag === flag.name)
        return []
      const path = ['feature_flags', flagIndex, 'feature_graphs', index, 'name']
      return [
        { path, message: `feature graph "${graph.name}" is described otherwise in flag "${earlier.flag}"` },
      ]
    }),
  )
}
