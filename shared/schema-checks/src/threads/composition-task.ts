/** One composition and its comparisons as plain data, so that it can be done in a thread. */
import { compose, CompositionMemory, toCompositionMessage } from '@switchyard/composition'
import type { CompositionMessage } from '@switchyard/contracts'
import type { SubgraphToCompose } from '@switchyard/domain'
import { accessChanges } from '../changes/access-changes.ts'
import { changesBetween, compareChanges } from '../changes/changes-between.ts'
import type { SchemaChange } from '../changes/schema-change.ts'

/** The schemas that tasks refer to, sent to a thread once. */
export type TaskLibrary = {
  /** SDL of subgraphs by hash. */
  readonly sdls: ReadonlyMap<string, string>
  /** Supergraphs that are served now. */
  readonly supergraphs: ReadonlyMap<string, string>
  /** True refuses what will be an error in the next minor version. */
  readonly isStrict?: boolean
}

export type CompositionTask = {
  /**
   * The composition after the change. `served` means that there is nothing to compose, since the supergraph
   * is in the library.
   */
  readonly after:
    | {
        readonly kind: 'compose'
        readonly subgraphs: readonly SubgraphToCompose[]
        readonly allowUnenforcedAuthorization: boolean
      }
    | {
        readonly kind: 'served'
        readonly supergraph: string
        readonly allowUnenforcedAuthorization: boolean
      }
  /** Keys of supergraphs in the library: what clients have today. */
  readonly before: readonly string[]
}

export type TaskResult =
  | {
      readonly kind: 'composed'
      readonly supergraphSdl: string
      readonly hints: readonly CompositionMessage[]
      /** The changes from each of `before`, in its order. */
      readonly changes: readonly (readonly SchemaChange[])[]
    }
  | {
      readonly kind: 'failed'
      readonly errors: readonly CompositionMessage[]
      readonly hints: readonly CompositionMessage[]
    }

export async function runTask(library: TaskLibrary, task: CompositionTask): Promise<TaskResult> {
  const after = supergraphOf(library, task)
  if (after.kind === 'failed') return after
  const { supergraphSdl, hints } = after
  const others = task.before.map((key) => find(library.supergraphs, key))
  if (others.every((other) => other === supergraphSdl)) {
    return { kind: 'composed', supergraphSdl, hints, changes: others.map(() => []) }
  }
  const { buildApiSchema } = await import('@switchyard/engine')
  const schema = buildApiSchema(supergraphSdl)
  const changes: (readonly SchemaChange[])[] = []
  for (const other of others) {
    const old = buildApiSchema(other)
    const found = await changesBetween(old, schema)
    // What nobody enforces changes nothing for clients.
    const ofAccess = task.after.allowUnenforcedAuthorization
      ? []
      : accessChanges({ supergraphSdl: other, schema: old }, { supergraphSdl, schema })
    changes.push([...found, ...ofAccess].sort(compareChanges))
  }
  return { kind: 'composed', supergraphSdl, hints, changes }
}

type Composed = Pick<Extract<TaskResult, { kind: 'composed' }>, 'kind' | 'supergraphSdl' | 'hints'>

function supergraphOf(
  library: TaskLibrary,
  { after }: CompositionTask,
): Composed | Extract<TaskResult, { kind: 'failed' }> {
  if (after.kind === 'served') {
    return { kind: 'composed', supergraphSdl: find(library.supergraphs, after.supergraph), hints: [] }
  }
  const subgraphs = after.subgraphs.map(({ name, routingUrl, schema, baseName }) => ({
    name,
    routingUrl,
    baseName,
    sdl: find(library.sdls, schema),
  }))
  const { allowUnenforcedAuthorization } = after
  const { isStrict } = library
  const result = compose({ subgraphs, allowUnenforcedAuthorization, isStrict }, memoryOf(library))
  const hints = result.hints.map(toCompositionMessage)
  return result.kind === 'failed'
    ? { kind: 'failed', errors: result.errors.map(toCompositionMessage), hints }
    : { kind: 'composed', supergraphSdl: result.supergraphSdl, hints }
}

/** The tasks of one library compose nearly the same: a base, and what flags make of it. */
function memoryOf(library: TaskLibrary): CompositionMemory {
  const memory = MEMORIES.get(library) ?? new CompositionMemory()
  MEMORIES.set(library, memory)
  return memory
}

const MEMORIES = new WeakMap<TaskLibrary, CompositionMemory>()

function find(map: ReadonlyMap<string, string>, key: string): string {
  const text = map.get(key)
  if (text === undefined) throw new RangeError(`A task names "${key}", which its library does not hold.`)
  return text
}
