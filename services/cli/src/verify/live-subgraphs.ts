/** The real subgraphs of a graph, over HTTP. Queries only: whatever else a document holds, it is not sent. */
import type { CompiledSubgraph } from '@switchyard/engine'
import { Kind, parse } from 'graphql'
import { Agent, request } from 'undici'
import { messageOf } from '@switchyard/values'
import type { AskSubgraph } from './operation.ts'

/** The real subgraphs, and which of them never answered. */
export type LiveSubgraphs = AsyncDisposable & {
  readonly ask: AskSubgraph
  /** Returns subgraphs that no call reached, so that only failures were compared there. */
  readonly unreachable: () => readonly UnreachableSubgraph[]
}

/** A subgraph of which every call failed. */
export type UnreachableSubgraph = {
  readonly subgraph: string
  readonly calls: number
  /** The message of the last failure. */
  readonly message: string
}

const TIMEOUT_MS = 30_000

/** Opens connections when they are needed. `signal` ends all calls. */
export function openLiveSubgraphs(
  subgraphs: readonly CompiledSubgraph[],
  signal: AbortSignal,
): LiveSubgraphs {
  const urls = new Map(subgraphs.map(({ name, url }) => [name, url]))
  const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
  const reached = new Set<string>()
  const failures = new Map<string, UnreachableSubgraph>()
  const post: AskSubgraph = async (subgraph, question) => {
    const url = urls.get(subgraph)
    if (url === undefined) throw new Error(`Subgraph "${subgraph}" has no address.`)
    refuseWrites(subgraph, question.query)
    const { body } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
      },
      body: JSON.stringify(question),
      dispatcher: agent,
      signal,
    })
    return await body.json()
  }
  return {
    async ask(subgraph, question) {
      try {
        const answer = await post(subgraph, question)
        reached.add(subgraph)
        return answer
      } catch (error) {
        const calls = (failures.get(subgraph)?.calls ?? 0) + 1
        failures.set(subgraph, { subgraph, calls, message: reasonOf(error) })
        throw error
      }
    },
    unreachable: () => [...failures.values()].filter(({ subgraph }) => !reached.has(subgraph)),
    [Symbol.asyncDispose]: () => agent.close(),
  }
}

function refuseWrites(subgraph: string, document: string): void {
  for (const definition of parse(document, { noLocation: true }).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation !== 'query')
      throw new Error(`A ${definition.operation} for subgraph "${subgraph}" was not sent.`)
  }
}

/** Failed connections to several addresses of one host have no message of their own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return messageOf(error)
}
