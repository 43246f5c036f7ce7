/** How the client schemas of two supergraphs differ, each of which is or was served. */
import type { Artifact } from '@switchyard/contracts'
import type { Graph } from '@switchyard/engine'
import { accessChanges } from './changes/access-changes.ts'
import { changesBetween, compareChanges } from './changes/changes-between.ts'
import type { SchemaChange } from './changes/schema-change.ts'
import { type RunOptions, runTasks } from './threads/run-tasks.ts'

/** The part of an artifact that decides what clients may ask for. */
export type ClientSchemaSource = Pick<Artifact, 'supergraphSdl' | 'allowUnenforcedAuthorization'>

/** Characters of SDL from which a thread is worth its start; it can be stopped, and has a limit of CPU. */
const WORTH_A_THREAD = 200_000

/** A graph that is compiled already, and its source. */
export type CompiledSource = { readonly source: ClientSchemaSource; readonly graph: Graph }

/** Compares where it is called, however long that takes. Nothing is read or compiled once more. */
export async function diffCompiled(
  before: CompiledSource,
  after: CompiledSource,
): Promise<readonly SchemaChange[]> {
  const [{ supergraphSdl: old }, { supergraphSdl }] = [before.source, after.source]
  if (old === supergraphSdl) return []
  const [was, is] = [before.graph, after.graph]
  const found = await changesBetween(was.apiSchema, is.apiSchema)
  const isRuled = [was, is].some(({ compiled }) => compiled.accessRules.length > 0)
  if (!isRuled || after.source.allowUnenforcedAuthorization === true) return found
  const ofAccess = accessChanges(
    { supergraphSdl: old, schema: was.apiSchema },
    { supergraphSdl, schema: is.apiSchema },
  )
  return [...found, ...ofAccess].sort(compareChanges)
}

/** Rejects with a CheckLimitError if comparing takes too much, and when the signal ends it. */
export async function diffSupergraphs(
  before: ClientSchemaSource,
  after: ClientSchemaSource,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly SchemaChange[]> {
  const size = before.supergraphSdl.length + after.supergraphSdl.length
  return diff(before, after, {
    threads: size < WORTH_A_THREAD ? 0 : 1,
    ...(signal === undefined ? {} : { signal }),
  })
}

async function diff(
  before: ClientSchemaSource,
  after: ClientSchemaSource,
  options: RunOptions,
): Promise<readonly SchemaChange[]> {
  const supergraphs = new Map([
    ['before', before.supergraphSdl],
    ['after', after.supergraphSdl],
  ])
  const allowUnenforcedAuthorization = after.allowUnenforcedAuthorization === true
  const task = {
    after: { kind: 'served', supergraph: 'after', allowUnenforcedAuthorization },
    before: ['before'],
  } as const
  const [result] = await runTasks({ sdls: new Map(), supergraphs }, [task], options)
  // There is nothing to compose that could fail.
  return result?.kind === 'composed' ? (result.changes[0] ?? []) : []
}
