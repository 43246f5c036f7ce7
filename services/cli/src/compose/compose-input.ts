/**
 * The file that `router compose` reads. Strict: an unknown key is an error, since a misspelt key that is passed over
 * composes another graph than the one meant. Every complaint names its line.
 */
import { Namespace, ResourceName, RoutingUrl } from '@switchyard/contracts'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'
import { z } from 'zod'
import { LocalRefusal, messageOf, type Place } from '../errors.ts'

const Schema = z.strictObject({ file: z.string().min(1) })
const Subgraph = z.strictObject({ name: ResourceName, routing_url: RoutingUrl, schema: Schema })
const FeatureGraph = z.strictObject({
  name: ResourceName,
  subgraph_name: ResourceName,
  routing_url: RoutingUrl,
  schema: Schema,
})
const ComposeFile = z.strictObject({
  version: z.literal(1),
  graph: z.strictObject({ namespace: Namespace.default('default'), name: ResourceName }).optional(),
  subgraphs: z.array(Subgraph).min(1, 'at least one subgraph is needed'),
  feature_flags: z
    .array(
      z.strictObject({
        name: ResourceName,
        feature_graphs: z.array(FeatureGraph).min(1, 'a feature flag needs at least one feature graph'),
      }),
    )
    .default([]),
  allow_unenforced_authorization: z.boolean().default(false),
})
type ComposeFile = z.infer<typeof ComposeFile>
type Path = readonly PropertyKey[]
type Complaint = { readonly path: Path; readonly message: string }

/** Where a schema file is named, for messages about that file. */
export type Located<T> = T & { readonly at: Position }
type Position = Pick<Place, 'file' | 'line' | 'column'>
export type ComposeInput = {
  readonly graph: ComposeFile['graph']
  readonly subgraphs: readonly Located<z.infer<typeof Subgraph>>[]
  readonly featureFlags: readonly {
    readonly name: string
    readonly featureGraphs: readonly Located<z.infer<typeof FeatureGraph>>[]
  }[]
  readonly allowUnenforcedAuthorization: boolean
}

export function parseComposeInput(text: string, file: string): ComposeInput {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const locate = locator(document, lines, file)
  if (document.errors.length > 0) {
    refuse(
      file,
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0])
        const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
        return { file, line, column: col, message }
      }),
    )
  }
  const parsed = ComposeFile.safeParse(valueOf(document, file))
  if (!parsed.success) refuse(file, parsed.error.issues.flatMap(complaintsOf).map(locate))
  const complaints = [
    ...checkNames(parsed.data),
    ...checkReplacements(parsed.data),
    ...checkRepetitions(parsed.data),
  ]
  if (complaints.length > 0) refuse(file, complaints.map(locate))
  return {
    graph: parsed.data.graph,
    allowUnenforcedAuthorization: parsed.data.allow_unenforced_authorization,
    subgraphs: parsed.data.subgraphs.map((subgraph, index) => ({
      ...subgraph,
      at: position(document, lines, file, ['subgraphs', index, 'schema', 'file']),
    })),
    featureFlags: parsed.data.feature_flags.map((flag, flagIndex) => ({
      name: flag.name,
      featureGraphs: flag.feature_graphs.map((graph, index) => ({
        ...graph,
        at: position(document, lines, file, [
          'feature_flags',
          flagIndex,
          'feature_graphs',
          index,
          'schema',
          'file',
        ]),
      })),
    })),
  }
}

/** Names of subgraphs and of flags are unique; a feature graph may serve several flags, but is no subgraph. */
function checkNames(input: ComposeFile): readonly Complaint[] {
  const complaints: Complaint[] = []
  const subgraphs = new Set<string>()
  for (const [index, { name }] of input.subgraphs.entries()) {
    if (subgraphs.has(name)) {
      complaints.push({ path: ['subgraphs', index, 'name'], message: `a second subgraph is named "${name}"` })
    }
    subgraphs.add(name)
  }
  const flags = new Set<string>()
  for (const [flagIndex, flag] of input.feature_flags.entries()) {
    if (flags.has(flag.name)) {
      complaints.push({
        path: ['feature_flags', flagIndex, 'name'],
        message: `a second feature flag is named "${flag.name}"`,
      })
    }
    flags.add(flag.name)
    const ownNames = new Set<string>()
    for (const [index, { name }] of flag.feature_graphs.entries()) {
      const path = ['feature_flags', flagIndex, 'feature_graphs', index, 'name']
      if (subgraphs.has(name))
        complaints.push({ path, message: `"${name}" is the name of a subgraph already` })
      if (ownNames.has(name)) complaints.push({ path, message: `a second feature graph is named "${name}"` })
      ownNames.add(name)
    }
  }
  return complaints
}

function checkReplacements(input: ComposeFile): readonly Complaint[] {
  const known = input.subgraphs.map(({ name }) => name)
  return input.feature_flags.flatMap((flag, flagIndex) => {
    const replacedBy = new Map<string, string>()
    return flag.feature_graphs.flatMap(({ name, subgraph_name: base }, index): readonly Complaint[] => {
      const path = ['feature_flags', flagIndex, 'feature_graphs', index, 'subgraph_name']
      if (!known.includes(base)) {
        return [
          { path, message: `there is no subgraph "${base}" in this file (there are: ${known.join(', ')})` },
        ]
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
function checkRepetitions(input: ComposeFile): readonly Complaint[] {
  const first = new Map<string, { readonly flag: string; readonly description: string }>()
  return input.feature_flags.flatMap((flag, flagIndex) =>
    flag.feature_graphs.flatMap((graph, index): readonly Complaint[] => {
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

function complaintsOf(issue: z.core.$ZodIssue): readonly Complaint[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: `unknown key "${key}"` }))
  }
  if (issue.code === 'invalid_type') {
    const missing = issue.input === undefined && issue.message.endsWith('received undefined')
    return [{ path: issue.path, message: missing ? 'is missing' : `expected ${issue.expected}` }]
  }
  if (issue.path.length === 1 && issue.path[0] === 'version') {
    return [{ path: issue.path, message: 'must be 1, the only version this program reads' }]
  }
  return [{ path: issue.path, message: issue.message }]
}

function locator(document: Document, lines: LineCounter, file: string): (complaint: Complaint) => Place {
  return ({ path, message }) => {
    const key = printPath(path)
    return {
      ...position(document, lines, file, path),
      message: `${key === '' ? '' : `${key}: `}${message}`,
    }
  }
}

/** The position of the value at `path`, or of the nearest thing around it that is in the file. */
function position(document: Document, lines: LineCounter, file: string, path: Path): Position {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return { file, line, column: col }
    }
  }
  return { file, line: 1, column: 1 }
}

function printPath(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}

/** Aliases may be chained into a value too large to hold: the parser then refuses. */
function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    return refuse(file, [{ file, line: 1, column: 1, message: messageOf(error) }])
  }
}

function refuse(file: string, places: readonly Place[]): never {
  throw new LocalRefusal(
    'COMPOSE_INPUT_INVALID',
    `${file} does not describe a graph; nothing was composed.`,
    { places },
  )
}
