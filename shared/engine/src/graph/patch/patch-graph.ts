/**
 * Compiles a graph again after a change of a few definitions: what did not change stays as it is, and is
 * shared by both graphs.
 *
 * The result is equal to what the whole text compiles to. Where that would take more than the changed
 * definitions, there is none, and the whole text is to be compiled.
 */
import { GraphQLError, Kind, type DefinitionNode, type DocumentNode } from 'graphql'
import { compileAccess } from '../access/compile-access.ts'
import type { Pause } from '../graph-pieces.ts'
import { compileCacheHints } from '../compile-cache-hints.ts'
import type {
  CompiledAccess,
  CompiledCacheHints,
  CompiledGraph,
  CompiledSubgraph,
} from '../compiled/compiled-graph.ts'
import {
  type FeatureDefinitions,
  type FeatureNames,
  findFeatureDefinitions,
  isOfFeature,
  readFeatureNames,
} from '../header/features.ts'
import { readSubgraphs } from '../header/header.ts'
import { SupergraphError } from '../header/supergraph-error.ts'
import { type Changes, changesOf } from './changed-types.ts'
import { DefinitionTexts, TooMuchChangedError } from './definition-texts.ts'
import { hasSameNames, patchApi } from './patch-api.ts'
import type { GraphPatch } from './graph-patch.ts'
import { patchTypes } from './patch-types.ts'

/** A graph, and how it differs from the one before. */
export type PatchedGraph = { readonly compiled: CompiledGraph; readonly patch: GraphPatch }

/** Definitions that are compiled one by one. With more of them the whole text takes hardly longer. */
const MOST_CHANGED = 200
/** Definitions with directives that say who may see something, all of which are read again. */
const MOST_PROTECTED = 500
/** Fields that require others, in a graph in which not everybody may see everything. */
const MOST_READERS = 200
/** Definitions of a text. More of them take long to be compared. */
const MOST_PIECES = 30_000

/**
 * Compiles the text `to` from the graph of the text `from`, both in pieces as `splitSchema` makes them, with
 * pauses. Null if the whole text has to be compiled, for whatever reason: also if it is no supergraph.
 */
export async function patchGraph(
  before: CompiledGraph,
  from: readonly string[],
  to: readonly string[],
  pause: Pause = () => undefined,
): Promise<PatchedGraph | null> {
  // Labels are numbered, and costs are read, over all types together.
  if (before.labels.length > 0 || before.costs !== null) return null
  if (to.length > MOST_PIECES) return null
  try {
    const old = DefinitionTexts.ofCompared(from)
    await pause()
    const texts = old.changedTo(to)
    await pause()
    const changes = changesOf(old, texts, MOST_CHANGED)
    return changes === null ? null : await compileChanged(before, texts, changes, pause)
  } catch (error) {
    if (isForWhole(error)) return null
    throw error
  }
}

/** Whether the whole text has to be compiled: it is too much, or it says itself what is wrong. */
function isForWhole(error: unknown): boolean {
  return (
    error instanceof TooMuchChangedError ||
    error instanceof SupergraphError ||
    error instanceof GraphQLError ||
    // Nested more deeply than the parser can follow.
    (error instanceof RangeError && error.message.includes('call stack'))
  )
}

/** The header of the text, as far as it was read. */
type Header = {
  readonly definitions: readonly DefinitionNode[]
  readonly features: FeatureDefinitions
  readonly names: FeatureNames
}

function readHeader(texts: DefinitionTexts): Header {
  const definitions = texts.header.flatMap((piece) => texts.parse(piece))
  const document = documentOf(definitions)
  return { definitions, features: findFeatureDefinitions(document), names: readFeatureNames(document) }
}

async function compileChanged(
  before: CompiledGraph,
  texts: DefinitionTexts,
  all: Changes,
  pause: Pause,
): Promise<PatchedGraph | null> {
  const header = readHeader(texts)
  const { features, names } = header
  const subgraphs = readSubgraphs(texts, names)
  // The enum of subgraphs is looked at by itself.
  const changes = { ...all, changed: all.changed.filter(({ name }) => name !== names.join.graphEnum) }
  if (!hasSameValues(before.subgraphs, subgraphs) || needsAll(changes, header)) return null
  const overriding = isRenamed(before.subgraphs, subgraphs) ? overridingTypes(texts) : []
  if (overriding === null) return null
  await pause()
  const api = patchApi(before.api, changes, texts, features, MOST_CHANGED)
  if (api === null) return null
  await pause()
  const found = patchTypes(before, { texts, names, subgraphs, ...changes }, overriding)
  if (found === null) return null
  const { types, removed, compiled } = found
  await pause()
  const graph = { ...before, subgraphs, types, removed, api: api.api }
  const access = readAccess(texts, header, graph)
  if (access === null) return null
  const patched = { ...graph, ...access, cacheHints: patchHints(before.cacheHints, changes) }
  return {
    compiled: patched,
    patch: {
      head: { ...patched, types: [], api: { ...patched.api, types: [] } },
      types: compiled,
      apiTypes: api.compiled,
      apiNames: hasSameNames(before.api.types, api.api.types) ? null : api.api.types.map(({ name }) => name),
    },
  }
}

function documentOf(definitions: readonly DefinitionNode[]): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions }
}

/** Flags give other names and URLs to subgraphs, and never other values. */
function hasSameValues(before: readonly CompiledSubgraph[], now: readonly CompiledSubgraph[]): boolean {
  return now.length === before.length && now.every((one, at) => one.enumValue === before[at]?.enumValue)
}

function isRenamed(before: readonly CompiledSubgraph[], now: readonly CompiledSubgraph[]): boolean {
  return now.some(({ name }, at) => name !== before[at]?.name)
}

/** Types that take a field from a subgraph, by its name; null if there are too many. */
function overridingTypes(texts: DefinitionTexts): readonly string[] | null {
  const pieces = texts.matching(/\boverride\b/)
  if (pieces.length > MOST_CHANGED) return null
  return pieces
    .flatMap((piece) => texts.parse(piece))
    .flatMap((node) => ('name' in node && node.name?.value) || [])
}

/** Whether a change is one of a specification, or says what something costs. */
function needsAll({ changed, removed }: Changes, { features, names }: Header): boolean {
  if ([...changed, ...removed].some(({ name }) => isOfFeature(features, name))) return true
  const { cost, listSize } = names.costDirectives
  const directives = [cost, listSize].filter((name) => name !== null)
  return directives.length > 0 && changed.some(({ piece }) => applying(directives).test(piece))
}

/** A pattern of texts that apply one of these directives. Commas and comments may stand behind the `@`. */
function applying(directives: readonly string[]): RegExp {
  return new RegExp(`@(?:[\\s,\\uFEFF]|#[^\\n\\r]*)*(?:${directives.join('|')})\\b`)
}

/** Whether more fields require others than are looked through again and again for who may see them. */
function hasManyReaders({ types }: CompiledGraph): boolean {
  let readers = 0
  for (const { fields } of types)
    for (const { edges } of fields) if (edges.some(({ requires }) => requires !== null)) readers += 1
  return readers > MOST_READERS
}

/**
 * Who may see what is read of all definitions that say something of it. Null if these are too many. A text
 * that contains the name of a directive somewhere else is read in vain.
 */
function readAccess(
  texts: DefinitionTexts,
  { definitions, names: { accessDirectives } }: Header,
  graph: CompiledGraph,
): { readonly access: CompiledAccess | null; readonly accessRules: readonly string[] } | null {
  const saying = accessDirectives.size === 0 ? [] : texts.matching(applying([...accessDirectives.keys()]))
  if (saying.length > MOST_PROTECTED || (saying.length > 0 && hasManyReaders(graph))) return null
  const document = documentOf([...definitions, ...saying.flatMap((piece) => texts.parse(piece))])
  const names = readFeatureNames(document)
  return { access: compileAccess({ document, names }, graph), accessRules: names.accessRules }
}

function patchHints(
  before: CompiledCacheHints | null,
  { changed, removed }: Changes,
): CompiledCacheHints | null {
  const own = compileCacheHints({ definitions: new Map(changed.map(({ name, now }) => [name, now])) })
  if (before === null) return own
  const names = new Set([...changed, ...removed].map(({ name }) => name))
  const types = [...before.types].filter(([name]) => !names.has(name))
  const fields = [...before.fields].filter(([coordinate]) => !names.has(coordinate.split('.')[0] ?? ''))
  const hints = {
    types: new Map([...types, ...(own?.types ?? [])]),
    fields: new Map([...fields, ...(own?.fields ?? [])]),
  }
  return hints.types.size + hints.fields.size === 0 ? null : hints
}
