/** A subgraph that takes files, one that takes none of them, and a router that serves both. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2, type Http2ServerRequest } from 'node:http2'
import type { Readable } from 'node:stream'
import { buildSchema, execute, type ExecutionResult, parse } from 'graphql'
import processRequest from 'graphql-upload/processRequest.mjs'
import { composedArtifact } from '../../../support/artifacts.ts'
import { ConfigWorld } from '../../../support/config-world.ts'
import { routerOn, type TestRouter } from '../../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../../support/subgraph.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
const FILES = `
  scalar Upload
  scalar Anything
  type Query { sizeOf(file: Upload!): Int }
  type Mutation {
    store(file: Upload): Stored
    storeAll(files: [Upload!]!): [Stored!]
    storeIn(input: Attachment!): Stored
    storeAny(value: Anything): Stored
  }
  input Attachment { file: Upload note: String files: [Upload] inner: Attachment }
  type Stored { name: String type: String size: Int hash: String note: Note }
  type Note @key(fields: "id") { id: ID! }
`
const NOTES = `
  scalar Upload
  type Query { version: Int }
  type Mutation { note(text: String): String attach(file: Upload): String }
  type Subscription { noted(file: Upload): String }
  type Note @key(fields: "id") { id: ID! text: String preview(file: Upload): String }
`
const FEDERATION = `
  directive @key(fields: String!) repeatable on OBJECT
  scalar _Any
  union _Entity = Note
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`

/** What a subgraph was sent. */
export type Call = {
  readonly request: IncomingMessage
  /** The JSON of the call; null until it is read. */
  operations: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> } | null
  /** The connection or stream has ended before the call was answered. */
  aborted: boolean
}

/** How the subgraph deals with the content of a file. */
export type TakeFile = (
  content: Readable,
  name: string,
) => Promise<{ readonly size: number; readonly hash: string }>

export const takeWhole: TakeFile = async (content) => {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length
    hash.update(chunk)
  }
  return { size, hash: hash.digest('hex') }
}

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

type FileUpload = {
  readonly filename: string
  readonly mimetype: string
  createReadStream(): Readable
}
type Uploaded = { readonly promise: Promise<FileUpload> }

export type FileWorld = AsyncDisposable & {
  readonly router: TestRouter
  readonly config: ConfigWorld
  /** The calls of the subgraph that takes files. */
  readonly files: Call[]
  /** The calls of the other one. */
  readonly notes: Call[]
  take: TakeFile
  /** Answers calls with files in place of the subgraph that takes them; null if it answers itself. */
  takeRaw: ((request: IncomingMessage, response: ServerResponse) => void) | null
  /** Waits before the other subgraph answers. */
  noted: () => Promise<void>
}

export async function startFileWorld({
  settings = '',
  limits = '',
  protocol = 'http/1.1',
}: {
  settings?: string
  limits?: string
  protocol?: 'http/1.1' | 'h2'
} = {}): Promise<FileWorld> {
  await using stack = new AsyncDisposableStack()
  const files: Call[] = []
  const notes: Call[] = []
  const state: Pick<FileWorld, 'take' | 'takeRaw' | 'noted'> = {
    take: takeWhole,
    takeRaw: null,
    noted: () => Promise.resolve(),
  }
  const stored = async (value: unknown) => {
    const note = { __typename: 'Note', id: '1' }
    if (value === null || value === undefined) return { name: null, size: 0, note }
    const file = await (value as Uploaded).promise
    const taken = await state.take(file.createReadStream(), file.filename)
    return { name: file.filename, type: file.mimetype, ...taken, note }
  }
  const filesUrl = await serve(FILES, { protocol, calls: files, state }, stack, {
    sizeOf: async ({ file }) => (await stored(file))?.size ?? null,
    store: ({ file }) => stored(file),
    storeAll: async ({ files: all }) => {
      const results: unknown[] = []
      for (const file of all as readonly unknown[]) results.push(await stored(file))
      return results
    },
    storeIn: ({ input }) => stored(fileIn(input)),
    storeAny: ({ value }) => stored(fileIn(value)),
  })
  const notesUrl = await serve(NOTES, { protocol, calls: notes, state }, stack, {
    version: () => 1,
    note: async ({ text }) => {
      await state.noted()
      return `noted ${String(text)}`
    },
    attach: async ({ file }) => (await stored(file))?.name ?? null,
  })
  const config = stack.use(await ConfigWorld.create())
  await config.publish({
    revision: 1,
    base: composedArtifact([
      { name: 'files', sdl: `${LINK}\n${FILES}`, routingUrl: filesUrl },
      { name: 'notes', sdl: `${LINK}\n${NOTES}`, routingUrl: notesUrl },
    ]),
  })
  const http2 = protocol === 'h2' ? 'subgraphs: { http2: true }\n' : ''
  const enabled = `uploads: { enabled: true${limits === '' ? '' : `, ${limits}`} }\n`
  const router = stack.use(await routerOn(config, { settings: `${enabled}${http2}${settings}` }))
  await router.ready
  const parts = stack.move()
  return Object.assign(state, {
    router,
    config,
    files,
    notes,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  })
}

/** The one file somewhere in an input. */
function fileIn(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return null
  if ('promise' in input) return input
  for (const value of Object.values(input)) {
    const found = fileIn(value)
    if (found !== null) return found
  }
  return null
}

type Resolvers = Readonly<Record<string, (variables: Readonly<Record<string, unknown>>) => unknown>>

type Serving = {
  readonly protocol: 'http/1.1' | 'h2'
  readonly calls: Call[]
  readonly state: Pick<FileWorld, 'takeRaw'>
}

async function serve(
  sdl: string,
  { protocol, calls, state }: Serving,
  stack: AsyncDisposableStack,
  resolvers: Resolvers,
): Promise<string> {
  const schema = buildSchema(`${sdl}\n${FEDERATION}`)
  const rootValue = {
    ...resolvers,
    _entities: ({ representations }: { readonly representations: readonly object[] }) =>
      representations.map((one) => ({ ...one, text: 'a text', preview: 'a preview' })),
  }
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    call: Call,
  ): Promise<ExecutionResult> => {
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true
    const operations = isForm ? await processRequest(request, response) : await jsonOf(request)
    call.operations = operations as NonNullable<Call['operations']>
    const { query, variables } = call.operations
    return execute({ schema, document: parse(query), variableValues: variables, rootValue })
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const call: Call = { request, operations: null, aborted: false }
    calls.push(call)
    const stream = (request as unknown as Partial<Http2ServerRequest>).stream
    if (stream === undefined) request.on('aborted', () => (call.aborted = true))
    else stream.on('close', () => (call.aborted = stream.rstCode !== 0))
    request.on('error', () => {})
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true
    if (isForm && state.takeRaw !== null) return state.takeRaw(request, response)
    answer(request, response, call).then(
      (result) => {
        if (!response.destroyed)
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
      },
      (error: unknown) => {
        if (!response.destroyed)
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end(JSON.stringify({ errors: [{ message: String(error) }] }))
      },
    )
  }
  if (protocol === 'h2') {
    const server = createHttp2(handle as never)
    const sessions = new Set<{ destroy(): void }>()
    server.on('session', (session) => sessions.add(session))
    stack.defer(async () => {
      for (const session of sessions) session.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
    return `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
  }
  const server = createServer(handle)
  stack.defer(() => closeServer(server))
  return `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return JSON.parse(text)
}
