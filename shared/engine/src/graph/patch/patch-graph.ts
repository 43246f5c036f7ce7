/**
 * Compiles a graph again after a change of a few definitions: what did not change stays as it is, and is
 * shared by both graphs.
 *
 * The result is equal to what the whole text compiles to. Where that would take more than the changed
 * definitions, there is none, and the whole text is to be compiled.
 */
import { GraphQLError, Kind, type DefinitionNode, type DocumentNode } from 'graphql'
import { compileAccess } from '../access/compile-access.ts'
import { compileCacheHints } from '../compile-cache-hints.ts'
import type { ApiType } from '../compiled/compiled-api.ts'
import type {
  CompiledAccess,
  CompiledCacheHints,
  CompiledGraph,
  CompiledSubgraph,
  CompiledType,
} from '../compiled/compiled-graph.ts'
import {
  type FeatureNames,
  findFeatureDefinitions,
  isOfFeature,
  readFeatureNames,
} from '../header/features.ts'
import { readSubgraphs } from '../header/header.ts'
import { SupergraphError } from '../header/supergraph-error.ts'
import { type ChangedType, changedTypes } from './changed-types.ts'
import { DefinitionTexts, parsePiece } from './definition-texts.ts'
import { patchApi, withApiTypes } from './patch-api.ts'
import { patchTypes, replaced } from './patch-types.ts'

/** The parts in which a graph differs from another one of the same types. Plain data. */
export type GraphPatch = {
  /** The graph without its types. */
  readonly head: CompiledGraph
  readonly types: readonly CompiledType[]
  readonly apiTypes: readonly ApiType[]
}

/** A graph, and how it differs from the one before. */
export type PatchedGraph = { readonly compiled: CompiledGraph; readonly patch: GraphPatch }

/** Definitions that are compiled one by one. With more of them the whole text takes hardly longer. */
const MOST_CHANGED = 200
/** Definitions with directives that say who may see something, all of which are read again. */
const MOST_PROTECTED = 500

/**
 * Compiles the text `to` from the graph of the text `from`, both in pieces as `splitSchema` makes them. Null
 * if the whole text has to be compiled, for whatever reason: also if it is no supergraph.
 */
export function patchGraph(
  before: CompiledGraph,
  from: readonly string[],
  to: readonly string[],
): PatchedGraph | null {
  // Labels are numbered, and costs are read, over all types together.
  if (before.labels.length > 0 || before.costs !== null) return null
  try {
    const changed = changedTypes(from, to, MOST_CHANGED)
    return changed === null ? null : compileChanged(before, new DefinitionTexts(to), changed)
  } catch (error) {
    if (error instanceof SupergraphError || error instanceof GraphQLError) return null
    throw error
  }
}

/** The graph that differs from `before` by the patch. */
export function applyPatch(before: CompiledGraph, { head, types, apiTypes }: GraphPatch): CompiledGraph {
  const { types: known } = withApiTypes(before.api, apiTypes)
  return { ...head, types: replaced(before.types, types), api: { ...head.api, types: known } }
}

function compileChanged(
  before: CompiledGraph,
  texts: DefinitionTexts,
  all: readonly ChangedType[],
): PatchedGraph | null {
  const header = texts.header.flatMap(parsePiece)
  const features = findFeatureDefinitions(documentOf(header))
  const names = readFeatureNames(documentOf(header))
  const subgraphs = readSubgraphs(texts, names)
  if (!hasSameValues(before.subgraphs, subgraphs)) return null
  const changed = all.filter(({ name }) => name !== names.join.graphEnum)
  if (changed.some((one) => isOfFeature(features, one.name) || needsAll(one, names))) return null
  const others = isRenamed(before.subgraphs, subgraphs) ? texts.containing(['override:']) : []
  if (others.length > MOST_CHANGED) return null

  const api = patchApi(
    before.api,
    changed.map(({ now }) => now),
    features,
  )
  const overriding = others.flatMap(parsePiece).flatMap((node) => ('name' in node && node.name?.value) || [])
  const types = api === null ? null : patchTypes(before, { texts, names, subgraphs, changed }, overriding)
  const access = types === null ? null : readAccess(texts, header, names, types.types)
  if (api === null || types === null || access === null) return null
  const rest = { ...before, ...access, subgraphs, cacheHints: patchHints(before.cacheHints, changed) }
  return {
    compiled: { ...rest, api: api.api, types: types.types },
    patch: {
      head: { ...rest, types: [], api: { ...before.api, types: [] } },
      types: types.compiled,
      apiTypes: api.compiled,
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

function needsAll({ text }: ChangedType, { costDirectives: { cost, listSize } }: FeatureNames): boolean {
  const costs = [cost, listSize].flatMap((name) => (name === null ? [] : [`@${name}`]))
  return text.includes('overrideLabel') || costs.some((name) => text.includes(name))
}

/**
 * Who may see what is read of all definitions that say something of it. Null if these are too many. A text
 * that contains the name of a directive somewhere else is read in vain.
 */
function readAccess(
  texts: DefinitionTexts,
  header: readonly DefinitionNode[],
  { accessDirectives }: FeatureNames,
  types: readonly CompiledType[],
): { readonly access: CompiledAccess | null; readonly accessRules: readonly string[] } | null {
  const saying = texts.containing([...accessDirectives.keys()].map((name) => `@${name}`))
  if (saying.length > MOST_PROTECTED) return null
  const document = documentOf([...header, ...saying.flatMap(parsePiece)])
  const names = readFeatureNames(document)
  const said = compileAccess({ document, names }, types)
  return { access: said, accessRules: names.accessRules }
}

function patchHints(
  before: CompiledCacheHints | null,
  changed: readonly ChangedType[],
): CompiledCacheHints | null {
  const own = compileCacheHints({ definitions: new Map(changed.map(({ name, now }) => [name, now])) })
  if (before === null) return own
  const names = new Set(changed.map(({ name }) => name))
  const types = [...before.types].filter(([name]) => !names.has(name))
  const fields = [...before.fields].filter(([coordinate]) => !names.has(coordinate.split('.')[0] ?? ''))
  const hints = {
    types: new Map([...types, ...(own?.types ?? [])]),
    fields: new Map([...fields, ...(own?.fields ?? [])]),
  }
  return hints.types.size + hints.fields.size === 0 ? null : hints
}
