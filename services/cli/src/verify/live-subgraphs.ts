/** The real subgraphs of a graph, over HTTP. Queries only: whatever else a document holds, it is not sent. */
import type { CompiledSubgraph } from '@switchyard/engine'
import { Kind, parse } from 'graphql'
import { Agent, request } from 'undici'
import type { AskSubgraph } from './operation.ts'

export type LiveSubgraphs = AsyncDisposable & { readonly ask: AskSubgraph }

const TIMEOUT_MS = 30_000

export function openLiveSubgraphs(
  subgraphs: readonly CompiledSubgraph[],
  signal: AbortSignal,
): LiveSubgraphs {
  const urls = new Map(subgraphs.map(({ name, url }) => [name, url]))
  const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
  return {
    async ask(subgraph, question) {
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
    },
    [Symbol.asyncDispose]: () => agent.close(),
  }
}

function refuseWrites(subgraph: string, document: string): void {
  for (const definition of parse(document, { noLocation: true }).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && definition.operation !== 'query')
      throw new Error(`A ${definition.operation} for subgraph "${subgraph}" was not sent.`)
  }
}
