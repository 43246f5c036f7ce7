/** How the client schemas of two supergraphs differ, each of which is or was served. */
import type { Artifact } from '@switchyard/contracts'
import type { SchemaChange } from './changes/schema-change.ts'
import { runTasks } from './threads/run-tasks.ts'

/** The part of an artifact that decides what clients may ask for. */
export type ClientSchemaSource = Pick<Artifact, 'supergraphSdl' | 'allowUnenforcedAuthorization'>

/** Characters of SDL from which a thread is worth its start; it can be stopped, and has a limit of CPU. */
const WORTH_A_THREAD = 200_000

/** Rejects with a CheckLimitError if comparing takes too much, and when the signal ends it. */
export async function diffSupergraphs(
  before: ClientSchemaSource,
  after: ClientSchemaSource,
  { signal }: { readonly signal?: AbortSignal } = {},
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
  const size = before.supergraphSdl.length + after.supergraphSdl.length
  const [result] = await runTasks({ sdls: new Map(), supergraphs }, [task], {
    threads: size < WORTH_A_THREAD ? 0 : 1,
    ...(signal === undefined ? {} : { signal }),
  })
  // There is nothing to compose that could fail.
  return result?.kind === 'composed' ? (result.changes[0] ?? []) : []
}
