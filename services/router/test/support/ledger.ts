/** A router over two subgraphs that answer with whatever bytes a test gives them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buildLedgerArtifact } from './artifacts.ts'
import { ConfigWorld } from './config-world.ts'
import { routerOn, type TestRouter } from './router.ts'
import { closeServer, listenOnFreePort } from './subgraph.ts'

export type Responder = (body: string, response: ServerResponse) => void

export type RawSubgraph = AsyncDisposable & {
  readonly url: string
  /** Bodies of the requests since the last `answers`. */
  readonly received: readonly string[]
  answers(responder: Responder): void
}

export async function startRawSubgraph(): Promise<RawSubgraph> {
  let responder: Responder = json('{"data":null}')
  const received: string[] = []
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      received.push(body)
      responder(body, response)
    })
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    received,
    answers(next) {
      received.length = 0
      responder = next
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  }
}

/** The text as it is, as JSON. */
export function json(text: string | Buffer, status = 200, type = 'application/json'): Responder {
  return (_body, response) => response.writeHead(status, { 'content-type': type }).end(text)
}

export const data = (text: string): Responder => json(`{"data":${text}}`)

export type Ledger = AsyncDisposable & {
  readonly router: TestRouter
  readonly ledger: RawSubgraph
  readonly audit: RawSubgraph
}

export async function startLedger(settings = ''): Promise<Ledger> {
  const stack = new AsyncDisposableStack()
  const ledger = stack.use(await startRawSubgraph())
  const audit = stack.use(await startRawSubgraph())
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: buildLedgerArtifact({ ledger: ledger.url, audit: audit.url }) })
  const router = stack.use(await routerOn(world, { settings }))
  await router.ready
  return { router, ledger, audit, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** What a request body holds as `variables`, as text. */
export function variablesIn(body: string | undefined): string {
  return body?.replace(/^.*"variables":/s, '').slice(0, -1) ?? ''
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
