/**
 * Requests of GraphQL over HTTP, served by a real router: the target `documents` changes what they ask,
 * `variables` with what values.
 */
import type { Ground } from '../ground/ground.ts'
import { openClient } from '../measuring/client.ts'
import { judgeAnswer } from './judge-answer.ts'
import { DOCUMENT_SEEDS, VARIABLE_SEEDS } from './request-seeds.ts'
import type { Arena, Target } from './target.ts'
import { textTarget } from './text-target.ts'

/** Default of `limits.max_body_size`; what is larger is refused unread. */
const MAX_BODY = 5 * 1024 * 1024

/** Words of requests besides the names of the graph. */
const WORDS = ['__typename', '__schema', 'F', 'G', 'on', 'true', 'constructor', '__proto__', 'Fielt'].concat(
  'a'.repeat(5000),
)

export function documentTarget(ground: Ground): Target {
  return textTarget({
    ...common(ground),
    name: 'documents',
    seeds: DOCUMENT_SEEDS,
    bytesOf: (query) => bodyOf(JSON.stringify({ query, variables: {} })),
  })
}

export function variableTarget(ground: Ground): Target {
  return textTarget({ ...common(ground), name: 'variables', seeds: VARIABLE_SEEDS, bytesOf: bodyOf })
}

function common(ground: Ground) {
  const words = [...ground.graph.names, ...WORDS]
  return { judgesTimes: true, words, maxLength: MAX_BODY, open: () => openRequestArena(ground) }
}

function bodyOf(text: string): Buffer {
  return Buffer.from(text).subarray(0, MAX_BODY)
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
