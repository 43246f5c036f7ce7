/** Reads the schemas of a composition, or tells why they cannot be read. */
import type { DocumentNode } from 'graphql'
import { parseSchema, type SdlProblem } from './documents/check-sdl.ts'
import type { CompositionError, SubgraphInput } from './contract/composition-result.ts'
import { continueUnless, type IsStopped } from './kept/stop.ts'
import type { CompositionMemory } from './memory/composition-memory.ts'
import type { ReadSchema } from './memory/schema-memory.ts'
import type { SubgraphModel } from './model/model.ts'
import { readModel } from './model/read-model.ts'

/** A subgraph of which the schema was read. */
export type ReadSubgraph = SubgraphInput & {
  readonly document: DocumentNode
  readonly model: SubgraphModel
  /** The name of which its value of `join__Graph` is made: that of the subgraph which it replaces, if any. */
  readonly valueName: string
}

/** The subgraphs with their models, in the order of the input; or the errors of those that are no input. */
export function readInput(
  subgraphs: readonly SubgraphInput[],
  memory: CompositionMemory | null = null,
  isStopped: IsStopped = () => false,
):
  | { readonly kind: 'read'; readonly subgraphs: readonly ReadSubgraph[] }
  | { readonly kind: 'failed'; readonly errors: readonly CompositionError[] } {
  const refused = refuseInput(subgraphs)
  if (refused.length > 0) return { kind: 'failed', errors: refused }
  const names = new Set(subgraphs.map(({ name }) => name))
  const errors: CompositionError[] = []
  const read: ReadSubgraph[] = []
  for (const subgraph of subgraphs) {
    continueUnless(isStopped)
    const { name, sdl } = subgraph
    const parsed = readSchema(sdl, name, memory)
    if (parsed.kind === 'read') {
      const { document, model } = parsed.schema
      read.push({ ...subgraph, document, model, valueName: valueNameOf(subgraph, names) })
      continue
    }
    for (const { line, column, length, message } of parsed.problems)
      errors.push({
        code: 'INVALID_GRAPHQL',
        message: `[${name}] ${message}`,
        subgraphs: [name],
        locations: [{ subgraph: name, line, column, length }],
      })
  }
  return errors.length > 0 ? { kind: 'failed', errors } : { kind: 'read', subgraphs: read }
}

function readSchema(
  sdl: string,
  name: string,
  memory: CompositionMemory | null,
):
  | { readonly kind: 'read'; readonly schema: ReadSchema }
  | { readonly kind: 'invalid'; readonly problems: readonly SdlProblem[] } {
  const known = memory?.schemas.read(sdl) ?? null
  if (known !== null) return { kind: 'read', schema: known }
  const parsed = parseSchema(sdl, name)
  if (parsed.kind === 'invalid') return parsed
  return { kind: 'read', schema: { document: parsed.document, model: readModel(parsed.document) } }
}

/** The name of which a subgraph's value of `join__Graph` is made. `names` are those of all subgraphs. */
export function valueNameOf({ name, baseName }: SubgraphInput, names: ReadonlySet<string>): string {
  return baseName === null || baseName === undefined || names.has(baseName) ? name : baseName
}

function refuseInput(subgraphs: readonly SubgraphInput[]): readonly CompositionError[] {
  if (subgraphs.length === 0)
    return [
      {
        code: 'NO_SUBGRAPHS',
        message: 'There is no subgraph to compose; a graph needs at least one subgraph with a schema.',
        subgraphs: [],
        locations: [],
      },
    ]
  const named = Map.groupBy(subgraphs, ({ name }) => name)
  return [...named].flatMap(([name, same]) =>
    same.slice(1).map(() => ({
      code: 'DUPLICATE_SUBGRAPH_NAME',
      message: `Two subgraphs are called "${name}"; names are unique within a graph.`,
      subgraphs: [name],
      locations: [],
    })),
  )
}

/** The error of a failure of our own. */
export function internalError(error: unknown, subgraphs: readonly SubgraphInput[]): CompositionError {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  return {
    code: 'COMPOSITION_INTERNAL',
    message: `The composition stopped at something it does not expect: ${reason}. The schemas may use a construct it does not know; composing fewer subgraphs shows which one.`,
    subgraphs: subgraphs.map(({ name }) => name),
    locations: [],
  }
}
