/** Files from real clients, to a real server of subgraphs, and calls that could be repeated. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { compose } from '@switchyard/composition'
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs'
import { createSchema, createYoga } from 'graphql-yoga'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packed } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { routerOn, send, until } from '../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import { FORM_TYPE, formOf, GUARD, STORE } from './support/forms.ts'
import { type FileWorld, hashOf, startFileWorld } from './support/file-world.ts'

const PAGE = new URL('../../../../../docs/uploads.md', import.meta.url)
const stack = new AsyncDisposableStack()
let world: FileWorld
beforeAll(async () => {
  const settings = [
    'dev_mode: true',
    'batching: { enabled: true }',
    'engine: { enable_request_tracing: true }',
    'subgraphs: { retry: { max_retries: 3, budget: 1 }, hedge: { enabled: true, after: 1ms } }',
  ]
  world = stack.use(await startFileWorld({ settings: `${settings.join('\n')}\n` }))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  world.files.length = 0
})

const ONE = { query: STORE, variables: { file: null } }
const AT_FILE = { 0: ['variables.file'] }

describe('a file', () => {
  it('comes from Apollo Client with apollo-upload-client', async () => {
    const link = new UploadHttpLink({
      uri: world.router.graphqlUrl,
      headers: { 'Apollo-Require-Preflight': 'true' },
    })
    const client = new ApolloClient({ link, cache: new InMemoryCache() })
    const content = 'x'.repeat(200_000)
    const mutation = gql`
      mutation ($files: [Upload!]!) {
        storeAll(files: $files) {
          name
          type
          hash
        }
      }
    `
    const files = [
      new File([content], 'ä.txt', { type: 'text/plain' }),
      new File(['b'], 'b.png', { type: 'image/png' }),
    ]
    const { data } = await client.mutate({ mutation, variables: { files } })
    expect(data).toMatchObject({
      storeAll: [
        { name: 'ä.txt', type: 'text/plain', hash: hashOf(content) },
        { name: 'b.png', type: 'image/png', hash: hashOf('b') },
      ],
    })
  })

  it('comes from curl, as docs/uploads.md says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-uploads-'))
    try {
      await writeFile(join(folder, 'photo.jpg'), Buffer.alloc(2_000_000, 'p'))
      const [, command = ''] = /```sh\n(curl [^]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? []
      const here = command.replace('localhost:4000', new URL(world.router.url).host)
      expect(here).not.toBe(command)
      const { stdout } = await promisify(execFile)('bash', ['-c', here], { cwd: folder })
      expect(JSON.parse(stdout)).toEqual({ data: { store: { name: 'photo.jpg', size: 2_000_000 } } })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('reaches a subgraph in Yoga, whose scalar has another name', async () => {
    await using own = new AsyncDisposableStack()
    const typeDefs = 'scalar File type Query { a: Int } type Mutation { text(file: File!): String }'
    const resolvers = { Mutation: { text: (_: unknown, { file }: { readonly file: File }) => file.text() } }
    const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false })
    const server = createServer((request, response) => void yoga(request, response))
    own.defer(() => closeServer(server))
    const routingUrl = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
    const composed = compose({ subgraphs: [{ name: 'yoga', sdl: typeDefs, routingUrl }] })
    if (composed.kind === 'failed') throw new Error('The schema of Yoga does not compose.')
    const config = own.use(await ConfigWorld.create())
    const base = packed({
      formatVersion: 1,
      supergraphSdl: composed.supergraphSdl,
      subgraphs: [{ name: 'yoga', routingUrl }],
      compatibilityVersion: 'join/v0.3',
    })
    await config.publish({ revision: 1, base, flags: { next: base } })
    const router = own.use(await routerOn(config, { settings: 'uploads: { enabled: true }' }))
    await router.ready
    const operations = { query: 'mutation ($file: File!) { text(file: $file) }', variables: { file: null } }
    const body = formOf(operations, AT_FILE, { 0: { content: 'the text of a file' } })
    for (const flag of [{}, { 'x-feature-flag': 'next' }]) {
      const headers = { ...FORM_TYPE, ...GUARD, ...flag }
      const { json } = await send(router.graphqlUrl, { method: 'POST', headers, body })
      expect(json).toEqual({ data: { text: 'the text of a file' } })
    }
  })
})

describe('a request with files', () => {
  const ask = (body: Buffer, headers: Readonly<Record<string, string>> = {}) =>
    send(world.router.graphqlUrl, { method: 'POST', headers: { ...FORM_TYPE, ...GUARD, ...headers }, body })

  it('is called once, however often calls may be repeated', async () => {
    const query = 'query ($file: Upload!) { sizeOf(file: $file) }'
    const { promise, resolve } = Promise.withResolvers<void>()
    const { take } = world
    world.take = async (content, name) => {
      await promise
      return take(content, name)
    }
    const asked = [1, 2].map(() =>
      ask(formOf({ query, variables: { file: null } }, AT_FILE, { 0: { content: 'abc' } })),
    )
    await until(() => world.files.length === 2, 'both are called')
    await new Promise((later) => setTimeout(later, 50))
    resolve()
    for (const reply of asked) expect((await reply).json).toEqual({ data: { sizeOf: 3 } })
    expect(world.files.length).toBe(2)
    world.take = () => {
      world.files.at(-1)?.request.socket.destroy()
      return new Promise(() => {})
    }
    const failed = await ask(formOf({ query, variables: { file: null } }, AT_FILE, { 0: { content: 'abc' } }))
    expect(failed.json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_UNREACHABLE')
    expect(world.files.length).toBe(3)
    world.take = take
  })

  it('shows in its trace the name, type and size of each file, and nothing of its content', async () => {
    const content = 'a very secret content '.repeat(1000)
    const body = formOf(ONE, AT_FILE, { 0: { content, name: 'plan.txt', type: 'text/plain' } })
    const { text, json } = await ask(body, { 'x-vendor-trace': 'true' })
    expect(json.data).toMatchObject({ store: { size: content.length } })
    expect(text).not.toContain('very secret')
    const { trace } = JSON.parse(text).extensions
    const file = { name: 'plan.txt', type: 'text/plain', size: content.length }
    expect(trace.request.body.variables).toEqual({ file })
    const [{ fetch }] = trace.fetches.children
    expect(fetch.trace.input.body.variables).toEqual({ file })
    expect(fetch.trace.input.headers['content-type']).toBeDefined()
  })

  it('leaves requests without files as they are', async () => {
    const json = { 'content-type': 'application/json' }
    const body = Buffer.from('{"query":"{ version }"}')
    expect((await send(world.router.graphqlUrl, { method: 'POST', headers: json, body })).json.data).toEqual({
      version: 1,
    })
    const list = Buffer.from('[{"query":"{ version }"}]')
    expect((await send(world.router.graphqlUrl, { method: 'POST', headers: json, body: list })).text).toBe(
      '[{"data":{"version":1}}]',
    )
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await send(world.router.graphqlUrl, { method: 'POST', headers: form, body })).status).toBe(415)
  })
})
