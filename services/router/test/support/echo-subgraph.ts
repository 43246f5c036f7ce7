/** A subgraph of products that names each product after the variable and the headers that it was sent. */
import { createServer } from 'node:http'
import { closeServer, listenOnFreePort } from './subgraph.ts'

/** Those that it repeats, in this order; null for one that it was not sent. */
export const ECHOED_HEADERS = ['authorization', 'cookie', 'x-tenant', 'x-user'] as const

/** How long a call takes, in milliseconds: others can come meanwhile, also on a machine that is busy. */
const DELAY = 150

export type EchoSubgraph = AsyncDisposable & {
  readonly url: string
  /** Calls that were made by now. */
  calls(): number
}

/**
 * For the product `fails` it says all that in an error. It says it in the header `x-echo`, too, and each
 * answer has a cookie of its own.
 */
export async function startEchoSubgraph(): Promise<EchoSubgraph> {
  let calls = 0
  const server = createServer((request, response) => {
    const call = ++calls
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { variables } = JSON.parse(body) as { readonly variables: Readonly<Record<string, string>> }
      const [upc] = Object.values(variables)
      const text = JSON.stringify([upc, ...ECHOED_HEADERS.map((name) => request.headers[name] ?? null)])
      const answer =
        upc === 'fails'
          ? { data: { product: null }, errors: [{ message: text }] }
          : { data: { product: { __typename: 'Product', upc, name: text } } }
      setTimeout(() => {
        const headers = { 'content-type': 'application/json', 'x-echo': text, 'set-cookie': `call=${call}` }
        response.writeHead(200, headers).end(JSON.stringify(answer))
      }, DELAY)
    })
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    calls: () => calls,
    [Symbol.asyncDispose]: () => closeServer(server),
  }
}
