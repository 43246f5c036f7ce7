/** Requests with files that are refused, or do harm. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Reply, routerOn, send, until } from '../../support/router.ts'
import {
  END,
  FORM_TYPE,
  fieldOf,
  fileOf,
  formOf,
  GUARD,
  partOf,
  type SentFile,
  STORE,
} from './support/forms.ts'
import { type FileWorld, startFileWorld, takeWhole } from './support/file-world.ts'

const stack = new AsyncDisposableStack()
let world: FileWorld
beforeAll(async () => {
  const limits = 'max_files: 3, max_file_size: 110KiB, max_size: 300KiB, idle_timeout: 500ms, timeout: 3s'
  const settings = 'csrf: { guard: never }\nsubscriptions: { enabled: true }\n'
  world = stack.use(await startFileWorld({ limits, settings }))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  world.files.length = 0
  world.notes.length = 0
  world.take = takeWhole
  world.noted = () => Promise.resolve()
})

const refusalOf = ({ status, json }: Reply) => ({
  status,
  code: json.errors?.[0]?.extensions['code'],
  message: json.errors?.[0]?.message,
})

function ask(
  body: Buffer,
  headers: Readonly<Record<string, string>> = { ...FORM_TYPE, ...GUARD },
): Promise<Reply> {
  return send(world.router.graphqlUrl, { method: 'POST', headers: { ...headers }, body })
}

const FILE: SentFile = { content: 'the content' }
const ONE = { query: STORE, variables: { file: null } }
const AT_FILE = { 0: ['variables.file'] }
const GOOD = formOf(ONE, AT_FILE, { 0: FILE })

async function refused(body: Buffer, expected: string, code = 'UPLOAD_INVALID', status = 400): Promise<void> {
  const refusal = refusalOf(await ask(body))
  expect(refusal).toMatchObject({ code, status })
  expect(refusal.message).toContain(expected)
}

describe('before anything is read', () => {
  it('needs a guard header in every setting', async () => {
    expect(refusalOf(await ask(GOOD, FORM_TYPE))).toMatchObject({ status: 403, code: 'CSRF_PREVENTED' })
    for (const name of ['x-apollo-operation-name', 'x-requested-with', 'graphql-require-preflight'])
      expect((await ask(GOOD, { ...FORM_TYPE, [name]: 'x' })).json.data).toMatchObject({
        store: { size: 11 },
      })
  })

  it('gets 415 where it is compressed, or where files are off', async () => {
    const compressed = await ask(GOOD, { ...FORM_TYPE, ...GUARD, 'content-encoding': 'gzip' })
    expect(refusalOf(compressed)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    await using off = await routerOn(world.config)
    await off.ready
    const reply = await send(off.graphqlUrl, {
      method: 'POST',
      headers: { ...FORM_TYPE, ...GUARD },
      body: GOOD,
    })
    expect(refusalOf(reply)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  it('gets 413 where it says that it is too large', async () => {
    const outgoing = httpRequest(world.router.graphqlUrl, {
      method: 'POST',
      headers: { ...FORM_TYPE, ...GUARD, 'content-length': String(301 * 1024) },
    })
    outgoing.on('error', () => {})
    outgoing.flushHeaders()
    const [response] = await once(outgoing, 'response')
    expect(response.statusCode).toBe(413)
    outgoing.destroy()
  })

  it('needs a boundary', async () => {
    const reply = await ask(GOOD, { 'content-type': 'multipart/form-data', ...GUARD })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'UPLOAD_INVALID' })
    for (const boundary of ['"a b"', 'a;b=c"', '"a\\"b"', '""', 'ä']) {
      const type = `multipart/form-data; boundary=${boundary}`
      const odd = await ask(GOOD, { 'content-type': Buffer.from(type).toString('latin1'), ...GUARD })
      expect(refusalOf(odd)).toMatchObject({ status: 400 })
    }
    const quoted = FORM_TYPE['content-type'].replace(/boundary=(.*)/, 'charset=utf-8; Boundary="$1"; x=y')
    expect((await ask(GOOD, { 'content-type': quoted, ...GUARD })).json.data).toMatchObject({
      store: { size: 11 },
    })
    const long = await ask(GOOD, {
      'content-type': `multipart/form-data; boundary=${'b'.repeat(5000)}`,
      ...GUARD,
    })
    expect(refusalOf(long)).toMatchObject({ status: 400, code: 'UPLOAD_INVALID' })
  })
})

describe('a form', () => {
  const [operations, map, file] = [
    fieldOf('operations', JSON.stringify(ONE)),
    fieldOf('map', JSON.stringify(AT_FILE)),
    fileOf('0', FILE),
  ]

  it.each([
    ['without map', [operations, file, END], 'a file where it was not expected'],
    ['without operations', [map, file, END], '"map" where it was not expected'],
    ['with the files first', [file, operations, map, END], 'a file where it was not expected'],
    [
      'with operations twice',
      [operations, operations, map, file, END],
      '"operations" where it was not expected',
    ],
    ['with a third field', [operations, map, map, file, END], 'where it was not expected'],
    ['with nothing', [END], 'no field "operations"'],
    ['with operations alone', [operations, END], 'no field "map"'],
    ['that is cut off in a file', [operations, map, file.subarray(0, -5)], 'malformed'],
    ['that is cut off in a field', [operations.subarray(0, -10)], 'malformed'],
    [
      'with a part that has no name',
      [operations, map, partOf('Content-Disposition: form-data; filename="x"', 'x'), END],
      'has no name',
    ],
    ['with a file too few', [operations, map, END], 'The file "0" is missing'],
    [
      'with a file that is not in the map',
      [operations, map, file, fileOf('1', FILE), END],
      'the file "1", which the field "map" does not name',
    ],
    ['with a file twice', [operations, map, file, file, END], 'the file "0", which was sent before'],
  ])('%s is refused', async (_, parts, expected) => {
    await refused(Buffer.concat(parts), expected)
  })

  it.each([
    ['is no JSON', '{', 'is not valid JSON'],
    ['is no object', '[]', 'is no JSON object'],
    ['is null', 'null', 'is no JSON object'],
    ['names no file', '{}', 'names no file'],
    ['has a path that is no list', '{"0":"variables.file"}', 'no list of paths'],
    ['has no path', '{"0":[]}', 'no path'],
    ['has a path of another kind', '{"0":[7]}', 'no path'],
    ['gives a file two places', '{"0":["variables.file","variables.other"]}', 'several places'],
    ['gives two files one place', '{"0":["variables.file"],"1":["variables.file"]}', 'two files the place'],
    ['has a path to something else', '{"0":["operationName"]}', 'does not begin with "variables."'],
    ['has a path to all variables', '{"0":["variables"]}', 'does not begin with "variables."'],
    ['has the path of a batch', '{"0":["0.variables.file"]}', 'Several operations in one request'],
    ['has a place that does not exist', '{"0":["variables.another"]}', 'which does not exist'],
    ['has a place below null', '{"0":["variables.file.name"]}', 'which does not exist'],
    ['has a place in a prototype', '{"0":["variables.__proto__.polluted"]}', 'which does not exist'],
    [
      'has a place in a constructor',
      '{"0":["variables.constructor.prototype.polluted"]}',
      'which does not exist',
    ],
    ['has a very deep place', `{"0":["variables${'.a'.repeat(50_000)}"]}`, 'more than 100 keys'],
    ['names a part of the form', '{"map":["variables.file"]}', 'taken by a field'],
  ])('whose map %s is refused', async (_, text, expected) => {
    await refused(formOf(ONE, text, { 0: FILE }), expected)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(world.files).toEqual([])
  })

  it('whose place holds a value is refused', async () => {
    await refused(
      formOf({ query: STORE, variables: { file: 'a text' } }, AT_FILE, { 0: FILE }),
      'where there is a value',
    )
    await refused(formOf({ query: STORE }, AT_FILE, { 0: FILE }), 'which does not exist')
    const own = '{"query":"{ version }","variables":{"__proto__":{"polluted":null}}}'
    await refused(formOf(own, '{"0":["variables.__proto__.polluted"]}', { 0: FILE }), 'declares no variable')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('is refused where a place is for no file', async () => {
    const declared = { query: STORE, variables: { file: null, more: null } }
    await refused(
      formOf(declared, { 0: ['variables.more'] }, { 0: FILE }),
      'the operation declares no variable "$more"',
    )
    const inObject = {
      query: 'mutation ($input: Attachment!) { storeIn(input: $input) { size } }',
      variables: { input: null },
    }
    await refused(
      formOf(inObject, { 0: ['variables.input'] }, { 0: FILE }),
      'where the operation takes no file',
    )
    const inText = { query: 'mutation ($text: String) { note(text: $text) }', variables: { text: null } }
    const reply = await ask(formOf(inText, { 0: ['variables.text'] }, { 0: FILE }))
    expect(refusalOf(reply)).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it('with several operations is refused', async () => {
    await refused(
      formOf(JSON.stringify([ONE, ONE]), { 0: ['0.variables.file'] }, { 0: FILE }),
      'does not begin with',
    )
    await refused(
      formOf(JSON.stringify([ONE, ONE]), AT_FILE, { 0: FILE }),
      'The field "operations" is a list',
    )
  })

  it('with too much is refused', async () => {
    const many = Object.fromEntries([0, 1, 2, 3].map((part) => [part, [`variables.files.${part}`]]))
    const files = {
      query: 'mutation ($files: [Upload!]!) { storeAll(files: $files) { size } }',
      variables: { files: [null, null, null, null] },
    }
    await refused(formOf(files, many, {}), 'names 4 files, more than the 3', 'PAYLOAD_TOO_LARGE', 413)
    const extra = Buffer.concat([
      operations,
      map,
      file,
      ...[1, 2, 3].map((part) => fileOf(String(part), FILE)),
      END,
    ])
    expect((await ask(extra)).status).toBeGreaterThanOrEqual(400)
    const large = { content: Buffer.alloc(111 * 1024) }
    await refused(formOf(ONE, AT_FILE, { 0: large }), 'uploads.max_file_size', 'PAYLOAD_TOO_LARGE', 413)
    const three = { 0: ['variables.files.0'], 1: ['variables.files.1'], 2: ['variables.files.2'] }
    const part = { content: Buffer.alloc(105 * 1024) }
    const total = formOf({ ...files, variables: { files: [null, null, null] } }, three, {
      0: part,
      1: part,
      2: part,
    })
    await refused(total, 'uploads.max_size', 'PAYLOAD_TOO_LARGE', 413)
    const { outgoing, reply } = begin(total)
    expect(refusalOf(await reply)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    outgoing.destroy()
    const fields = Buffer.concat([
      fieldOf('operations', JSON.stringify({ ...ONE, extensions: { x: 'x'.repeat(263_000) } })),
      map,
      file,
      END,
    ])
    await refused(fields, '"operations" and "map" are larger', 'PAYLOAD_TOO_LARGE', 413)
  })

  it('of millions of tiny parts is refused after the first ones', async () => {
    const tiny = partOf('A: b', 'x')
    const body = Buffer.concat([operations, map, ...Array.from({ length: 5000 }, () => tiny)])
    expect((await ask(body)).status).toBe(413)
    expect((await ask(Buffer.concat([operations, map, file, END]))).json.data).toMatchObject({
      store: { size: 11 },
    })
  })

  it('with a part whose header fields do not end is refused', async () => {
    const body = Buffer.concat([
      operations,
      map,
      Buffer.from(`------a-boundary-of-a-test\r\nA: ${'b'.repeat(250_000)}`),
    ])
    expect(refusalOf(await ask(body))).toMatchObject({ status: 400, code: 'UPLOAD_INVALID' })
  })
})

describe('a plan', () => {
  it('that needs a file in several calls is refused, and nothing is called', async () => {
    const query = 'mutation ($file: Upload) { store(file: $file) { size } attach(file: $file) }'
    await refused(
      formOf({ query, variables: { file: null } }, AT_FILE, { 0: FILE }),
      'the files of $file in 2 calls of subgraphs',
      'UPLOAD_NOT_ROUTABLE',
    )
    const entity = 'mutation ($file: Upload) { store(file: $file) { note { preview(file: $file) } } }'
    await refused(
      formOf({ query: entity, variables: { file: null } }, AT_FILE, { 0: FILE }),
      '2 calls',
      'UPLOAD_NOT_ROUTABLE',
    )
    expect([...world.files, ...world.notes]).toEqual([])
  })

  it('of a subscription is refused', async () => {
    const query = 'subscription ($file: Upload) { noted(file: $file) }'
    const body = formOf({ query, variables: { file: null } }, AT_FILE, { 0: FILE })
    const reply = await ask(body, { ...FORM_TYPE, ...GUARD, accept: 'text/event-stream, application/json' })
    expect(refusalOf(reply)).toMatchObject({ code: 'UPLOAD_NOT_ROUTABLE' })
  })
})

/** Sends what there is, and goes on with the rest when a test says so. */
function begin(first: Buffer) {
  const outgoing = httpRequest(world.router.graphqlUrl, {
    method: 'POST',
    headers: { ...FORM_TYPE, ...GUARD },
  })
  outgoing.on('error', () => {})
  const reply = once(outgoing, 'response').then(async ([response]) => {
    let text = ''
    for await (const chunk of response) text += String(chunk)
    return { status: response.statusCode, json: JSON.parse(text) } as Reply
  })
  outgoing.write(first)
  return { outgoing, reply }
}

describe('a file that does not go on', () => {
  it('gets 408 where its client sends nothing more, and the subgraph is given up', async () => {
    const { outgoing, reply } = begin(GOOD.subarray(0, -30))
    expect(refusalOf(await reply)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
    await until(() => world.files.every(({ aborted }) => aborted), 'the call has ended')
    outgoing.destroy()
  })

  it('gets 408 where all of it takes too long', async () => {
    const { outgoing, reply } = begin(GOOD.subarray(0, -END.length - 2))
    const more = setInterval(() => outgoing.write(Buffer.alloc(4200, 'more')), 150)
    const refusal = refusalOf(await reply)
    clearInterval(more)
    expect(refusal).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
    expect(refusal.message).toContain('uploads.timeout')
    outgoing.destroy()
  })

  it('is answered with what the subgraph said before its end', async () => {
    world.take = () => Promise.reject(new Error('No such files, please'))
    const body = formOf(ONE, AT_FILE, { 0: { content: Buffer.alloc(90 * 1024) } })
    const { json } = await ask(body)
    expect(json.data).toEqual({ store: null })
    expect(json.errors?.length).toBe(1)
  })

  it('fails the field where the subgraph dies', async () => {
    world.take = () => {
      world.files[0]?.request.socket.destroy()
      return new Promise(() => {})
    }
    const { json } = await ask(GOOD)
    expect(json.data).toEqual({ store: null })
    expect(json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_UNREACHABLE')
    world.take = takeWhole
    expect((await ask(GOOD)).json.data).toMatchObject({ store: { size: 11 } })
  })
})
