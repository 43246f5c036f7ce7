/**
 * The subgraphs of one composition and of all that replace it: everything they answer names the composition
 * that asked, by the path it asked under. What `reviews` is asked can be held back.
 */
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql'
import { type BuiltArtifact, buildArtifact } from './artifacts.ts'
import { closeServer, listenOnFreePort } from './subgraph.ts'

type Held = { readonly marker: string; readonly answer: () => void }

const NONE = () => false

export class MarkedSubgraphs implements AsyncDisposable {
  readonly #schemas: ReadonlyMap<string, GraphQLSchema>
  readonly #server = createServer((request, response) => {
    const [, subgraph = '', marker = ''] = (request.url ?? '').split('/')
    if (subgraph === 'products' || subgraph === 'reviews') this.received[subgraph]++
    response.on('close', () => {
      if (response.writableFinished) return
      this.aborted++
      this.#held.delete(response)
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const answer = () => void this.#answer(subgraph, marker, body, response)
      if (subgraph === 'reviews' && this.#isHeld(body)) this.#held.set(response, { marker, answer })
      else answer()
    })
  })
  readonly #held = new Map<ServerResponse, Held>()
  #isHeld: (body: string) => boolean = NONE
  #port = 0
  /** Requests to each. */
  readonly received = { products: 0, reviews: 0 }
  /** Requests that were given up before they were answered. */
  aborted = 0

  private constructor() {
    this.#schemas = new Map(
      ['products', 'reviews'].map((name) => {
        const sdl = readFileSync(new URL(`../fixtures/${name}.graphql`, import.meta.url), 'utf8')
        return [name, buildSchema(`${sdl.replace(/^extend schema.*$/m, '')}\n${FEDERATION}`)]
      }),
    )
    // Connections end soon after their last answer, so that a test need not wait long for none to be left.
    this.#server.keepAliveTimeout = 1000
  }

  static async start(): Promise<MarkedSubgraphs> {
    const subgraphs = new MarkedSubgraphs()
    subgraphs.#port = await listenOnFreePort(subgraphs.#server)
    return subgraphs
  }

  composition(marker: string): BuiltArtifact {
    const url = (name: string) => `http://127.0.0.1:${this.#port}/${name}/${marker}`
    return buildArtifact('base', { products: url('products'), reviews: url('reviews') })
  }

  /** From now on, what is asked of `reviews` with such a body. */
  hold(matching: (body: string) => boolean = () => true): void {
    this.#isHeld = matching
  }

  /** What the composition `marker` is waiting for; without one, everything, also what comes. */
  open(marker?: string): void {
    if (marker === undefined) this.#isHeld = NONE
    for (const [response, held] of this.#held) {
      if (marker !== undefined && held.marker !== marker) continue
      this.#held.delete(response)
      held.answer()
    }
  }

  get held(): number {
    return this.#held.size
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
    })
  }

  async #answer(subgraph: string, marker: string, body: string, response: ServerResponse): Promise<void> {
    const schema = this.#schemas.get(subgraph)
    if (schema === undefined) throw new Error(`There is no subgraph ${subgraph}.`)
    const { query, variables } = JSON.parse(body)
    const product = ({ upc }: { upc: string }) => ({
      __typename: 'Product',
      upc,
      name: `${marker}: product ${upc}${padding(upc)}`,
      reviews: [{ id: `${marker}: id ${upc}`, body: `${marker}: review ${upc}${padding(upc)}` }],
    })
    const rootValue = {
      product,
      version: marker,
      _entities: ({ representations }: { representations: readonly { upc: string }[] }) =>
        representations.map(product),
    }
    const document = parse(query)
    const result = await execute({ schema, document, variableValues: variables, rootValue })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeServer(this.#server)
  }
}

/** A product called `padded-1000` is so large, in every text about it. */
function padding(upc: string): string {
  const [, length = '0'] = /^padded-(\d+)$/.exec(upc) ?? []
  return '.'.repeat(Number(length))
}

const FEDERATION = `
  directive @key(fields: String!) repeatable on OBJECT
  scalar _Any
  union _Entity = Product
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`
