/**
 * Requests of GraphQL over HTTP, served by a real router: the target `documents` changes what they ask,
 * `variables` with what values.
 */
import type { Ground } from '../ground/ground.ts'
import { documentTree, printDocument } from '../input/document-tree.ts'
import { jsonTree, printJson } from '../input/json-tree.ts'
import { type Stuffing, stuffed } from '../input/mutations.ts'
import { isTree, type Tree } from '../input/tree.ts'
import { openClient } from '../measuring/client.ts'
import { judgeAnswer } from './judge-answer.ts'
import { requestGrammar } from './request-grammar.ts'
import type { Arena, Hunted } from './target.ts'

/** Default of `limits.max_body_size`; what is larger is refused unread. */
const MAX_BODY = 5 * 1024 * 1024

export type RequestSeed = {
  readonly name: string
  readonly document: string
  readonly variables?: Tree
  readonly stuffing?: readonly Stuffing[]
}

/**
 * Makes a target of requests. `stuffs` is the part of a request that gets stuffing between its characters.
 */
export function requestTarget(
  name: string,
  stuffs: 'document' | 'body',
  share: number,
  seeds: readonly RequestSeed[],
  ground: Ground,
): Hunted {
  return {
    name,
    judgesTimes: true,
    share,
    grammar: requestGrammar(ground.graph.names),
    seeds: seeds.map(({ name, document, variables = jsonTree({}), stuffing = [] }) => ({
      tree: { kind: 'Request', document: documentTree(document), variables },
      stuffing,
      seed: name,
    })),
    bytesOf({ tree: { document, variables }, stuffing }) {
      if (!isTree(document) || !isTree(variables)) throw new TypeError('This is no request.')
      const query = stuffed(printDocument(document), stuffs === 'document' ? stuffing : [], MAX_BODY)
      const body = `{"query":${JSON.stringify(query)},"variables":${printJson(variables, MAX_BODY)}}`
      const text = stuffed(body, stuffs === 'body' ? stuffing : [], MAX_BODY)
      return Buffer.from(text).subarray(0, MAX_BODY)
    },
    open: () => openRequestArena(ground),
  }
}

const HEADERS = { accept: 'multipart/mixed, application/json' }

async function openRequestArena({ startRouter, subgraphs }: Ground): Promise<Arena> {
  const router = await startRouter({ remembersOperations: false })
  const client = openClient(router.port)
  const ask = async (bytes: Buffer) => judgeAnswer(await client.post(bytes, HEADERS), router.takeErrors())
  return {
    thread: router.thread,
    attempt(bytes) {
      subgraphs.answer = null
      return router.thread.measure(() => ask(bytes))
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await router[Symbol.asyncDispose]()
    },
  }
}
