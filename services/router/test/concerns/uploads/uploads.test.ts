/** Requests with files, from the client to the subgraph and back. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordMetrics } from '@switchyard/testkit'
import { type Reply, send, until } from '../../support/router.ts'
import { http2SessionOn } from '../../support/streams.ts'
import { END, FORM_TYPE, formOf, GUARD, type SentFile, STORE } from './support/forms.ts'
import { type FileWorld, hashOf, startFileWorld, takeWhole } from './support/file-world.ts'

const stack = new AsyncDisposableStack()
const { measured } = stack.use(recordMetrics())
let world: FileWorld
afterAll(() => stack.disposeAsync())

const outcomes = () =>
  measured.filter(({ name }) => name === 'switchyard.router.uploads').map(({ labels }) => labels['outcome'])

function ask(body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return send(world.router.graphqlUrl, {
    method: 'POST',
    headers: { ...FORM_TYPE, ...GUARD, ...headers },
    body,
  })
}

function store(file: SentFile): Promise<Reply> {
  return ask(formOf({ query: STORE, variables: { file: null } }, { 0: ['variables.file'] }, { 0: file }))
}

beforeEach(() => {
  measured.length = 0
  world.files.length = 0
  world.notes.length = 0
  world.take = takeWhole
  world.noted = () => Promise.resolve()
})

describe.each(['http/1.1', 'h2'] as const)('a request with files, to subgraphs over %s,', (protocol) => {
  beforeAll(async () => {
    world = stack.use(await startFileWorld({ protocol }))
  })

  it('reaches the subgraph with the file as it is, its name and its type', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256))
    const { json } = await store({ content, name: 'Größe "1".bin', type: 'image/png' })
    expect(json).toEqual({
      data: {
        store: {
          name: 'Größe "1".bin'.replaceAll('"', '%22'),
          type: 'image/png',
          size: content.length,
          hash: hashOf(content),
        },
      },
    })
    const [call] = world.files
    expect(call?.request.headers).toMatchObject({ 'apollo-require-preflight': 'true' })
    expect(call?.request.headers['content-length']).toBeUndefined()
    expect(outcomes()).toEqual(['sent'])
  })

  it('may have several files, in a list and in an input', async () => {
    const query = 'mutation ($files: [Upload!]!) { storeAll(files: $files) { name size } }'
    const all = await ask(
      formOf(
        { query, variables: { files: [null, null, null] } },
        { a: ['variables.files.2'], b: ['variables.files.0'], c: ['variables.files.1'] },
        { b: { content: 'bb' }, a: { content: '' }, c: { content: 'c'.repeat(200_000) } },
      ),
    )
    expect(all.json).toEqual({
      data: {
        storeAll: [
          { name: 'b.txt', size: 2 },
          { name: 'c.txt', size: 200_000 },
          { name: 'a.txt', size: 0 },
        ],
      },
    })
    const inInput = await ask(
      formOf(
        {
          query: 'mutation ($input: Attachment!) { storeIn(input: $input) { size } }',
          variables: { input: { note: 'x', inner: { file: null } } },
        },
        { 0: ['variables.input.inner.file'] },
        { 0: { content: 'four' } },
      ),
    )
    expect(inInput.json).toEqual({ data: { storeIn: { size: 4 } } })
  })

  it('may give one file where a list is expected, and a file within a scalar of any kind', async () => {
    const query = 'mutation ($files: [Upload!]!) { storeAll(files: $files) { size } }'
    const alone = await ask(
      formOf({ query, variables: { files: null } }, { 0: ['variables.files'] }, { 0: { content: 'ab' } }),
    )
    expect(alone.json).toEqual({ data: { storeAll: [{ size: 2 }] } })
    const any = await ask(
      formOf(
        {
          query: 'mutation ($value: Anything) { storeAny(value: $value) { size } }',
          variables: { value: { deep: [{ file: null, large: 1 }] } },
        },
        { 0: ['variables.value.deep.0.file'] },
        { 0: { content: 'abc' } },
      ),
    )
    expect(any.json).toEqual({ data: { storeAny: { size: 3 } } })
  })

  it('gets what other subgraphs add, and a query may have files as well', async () => {
    const query = 'mutation ($file: Upload) { store(file: $file) { note { text } } }'
    const added = await ask(
      formOf({ query, variables: { file: null } }, { 0: ['variables.file'] }, { 0: { content: 'x' } }),
    )
    expect(added.json).toEqual({ data: { store: { note: { text: 'a text' } } } })
    const entity = 'mutation ($file: Upload) { store { note { preview(file: $file) } } }'
    const late = await ask(
      formOf(
        { query: entity, variables: { file: null } },
        { 0: ['variables.file'] },
        { 0: { content: 'x' } },
      ),
    )
    expect(late.json).toEqual({ data: { store: { note: { preview: 'a preview' } } } })
    expect(world.notes.at(-1)?.operations?.variables['file']).not.toBeNull()
    const size = await ask(
      formOf(
        { query: 'query ($file: Upload!) { sizeOf(file: $file) version }', variables: { file: null } },
        { 0: ['variables.file'] },
        { 0: { content: 'abc' } },
      ),
    )
    expect(size.json).toEqual({ data: { sizeOf: 3, version: 1 } })
    expect(world.notes.at(-1)?.request.headers['content-type']).toBe('application/json')
  })

  it('keeps the client waiting until what precedes the file is done', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    world.noted = () => promise
    const query = 'mutation ($file: Upload) { note(text: "n") store(file: $file) { size } }'
    const content = Buffer.alloc(20 * 1024 * 1024, 'x')
    const body = formOf({ query, variables: { file: null } }, { 0: ['variables.file'] }, { 0: { content } })
    const outgoing = httpRequest(world.router.graphqlUrl, {
      method: 'POST',
      headers: { ...FORM_TYPE, ...GUARD },
    })
    const answered = once(outgoing, 'response')
    outgoing.end(body)
    await until(() => world.notes.length === 1, 'the first field is called')
    expect(outgoing.writableFinished).toBe(false)
    expect(world.files).toEqual([])
    resolve()
    const [response] = await answered
    let text = ''
    for await (const chunk of response) text += String(chunk)
    expect(JSON.parse(text)).toEqual({ data: { note: 'noted n', store: { size: content.length } } })
  })

  it('is answered without the file where nothing needs it', async () => {
    const query =
      'mutation ($file: Upload) { store(file: $file) @include(if: false) { size } note(text: "n") }'
    const body = formOf(
      { query, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: Buffer.alloc(5 * 1024 * 1024) } },
    )
    expect((await ask(body)).json).toEqual({ data: { note: 'noted n' } })
    expect(world.files).toEqual([])
    expect(outcomes()).toEqual(['unused'])
  })

  it('ends at the subgraph where the client leaves in the middle of a file', async () => {
    const body = formOf(
      { query: STORE, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: 'begun' } },
    )
    const outgoing = httpRequest(world.router.graphqlUrl, {
      method: 'POST',
      headers: { ...FORM_TYPE, ...GUARD },
    })
    outgoing.on('error', () => {})
    outgoing.write(body.subarray(0, -END.length - 4))
    outgoing.write(Buffer.alloc(100_000, 'y'))
    await until(() => world.files.length === 1, 'the subgraph is called')
    outgoing.destroy()
    await until(() => world.files[0]?.aborted === true, 'its call has ended')
    expect((await store({ content: 'again' })).json.data).toMatchObject({ store: { size: 5 } })
  })

  it('reads as before over HTTP/2', async () => {
    using session = await http2SessionOn(world.router)
    const stream = session.request({ ':method': 'POST', ':path': '/graphql', ...FORM_TYPE, ...GUARD })
    const body = formOf(
      { query: STORE, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: 'x'.repeat(70_000) } },
    )
    for (let at = 0; at < body.length; at += 10_000) {
      stream.write(body.subarray(at, at + 10_000))
      await new Promise(setImmediate)
    }
    stream.end()
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    expect(JSON.parse(text).data.store.size).toBe(70_000)
  })
})
