/** Forms that arrive in pieces of any size, and large ones. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isLongRun } from '@switchyard/testkit'
import { heldBytes } from '../../support/heap.ts'
import { until } from '../../support/router.ts'
import { END, FORM_TYPE, fieldOf, formOf, GUARD, partOf, STORE } from './support/forms.ts'
import { type FileWorld, hashOf, startFileWorld, takeWhole } from './support/file-world.ts'

const MIB = 1024 * 1024
const stack = new AsyncDisposableStack()
let world: FileWorld
beforeAll(async () => {
  world = stack.use(
    await startFileWorld({ limits: 'max_file_size: 400MiB, max_size: 500MiB, idle_timeout: 1s' }),
  )
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  world.files.length = 0
  world.take = takeWhole
})

/** Sends the pieces over a socket, each in a chunk and a write of its own. */
async function sendCut(pieces: readonly Buffer[]): Promise<unknown> {
  const socket = connect(world.router.port, '127.0.0.1').setNoDelay(true)
  try {
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString())).on('error', () => {})
    await once(socket, 'connect')
    const head = Object.entries({
      ...FORM_TYPE,
      ...GUARD,
      'transfer-encoding': 'chunked',
      connection: 'close',
    })
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
    for (const piece of pieces.filter(({ length }) => length > 0)) {
      socket.write(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      )
      await new Promise(setImmediate)
    }
    socket.write('0\r\n\r\n')
    if (!socket.closed) await once(socket, 'close')
    const body = /\r\n\r\n([^]*)$/.exec(text)?.[1] ?? ''
    return JSON.parse(body)
  } finally {
    socket.destroy()
  }
}

function cutAt(body: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % body.length), body.length].toSorted((a, b) => a - b)
  return at.slice(1).map((end, index) => body.subarray(at[index], end))
}

describe('a form', () => {
  /** Bytes that look like the boundary of the form, its beginnings and its ends. */
  const treacherous = fc
    .array(
      fc.constantFrom(
        '\r\n',
        '--',
        '----a-boundary-of-a-test',
        '\r\n------a-boundary-of-a-tes',
        '-',
        '\r',
        '\n',
        'x',
      ),
      { maxLength: 40 },
    )
    .map((parts) =>
      parts
        .join('')
        .replaceAll('\r\n------a-boundary-of-a-test', 'y')
        .replace(/^------a-boundary-of-a-test/, 'z'),
    )

  it('means the same however it is cut', async () => {
    const contents = fc.tuple(treacherous, treacherous)
    const cuts = fc.array(fc.nat(), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(contents, cuts, async ([first, second], where) => {
        const body = formOf(
          {
            query: 'mutation ($files: [Upload!]!) { storeAll(files: $files) { hash size } }',
            variables: { files: [null, null] },
          },
          { 0: ['variables.files.0'], 1: ['variables.files.1'] },
          { 0: { content: first }, 1: { content: second } },
        )
        expect(await sendCut(cutAt(body, where))).toEqual({
          data: { storeAll: [first, second].map((text) => ({ hash: hashOf(text), size: text.length })) },
        })
      }),
      { seed: 7, numRuns: isLongRun() ? 300 : 60 },
    )
  })

  it('may come byte by byte', async () => {
    const body = formOf(
      { query: STORE, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: 'abc' } },
    )
    const pieces = [...body].map((byte) => Buffer.of(byte))
    expect(await sendCut(pieces)).toMatchObject({ data: { store: { hash: hashOf('abc') } } })
  })

  it('may have anything before its first part and behind its last one', async () => {
    const good = formOf(
      { query: STORE, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: 'abc' } },
    )
    const body = Buffer.concat([Buffer.from('a preamble\r\n'), good, Buffer.from('an epilogue')])
    expect(await sendCut([body])).toMatchObject({ data: { store: { size: 3 } } })
  })

  it('may name its parts as it likes, and has what it names nowhere else', async () => {
    const odd = 'a"; filename="b'
    const body = Buffer.concat([
      fieldOf('operations', JSON.stringify({ query: STORE, variables: { file: null } })),
      fieldOf('map', JSON.stringify({ [odd]: ['variables.file'] })),
      partOf(
        `Content-Disposition: form-data; name="${odd.replaceAll('"', '\\"')}"; filename="x\\"; name=\\"map"\r\nContent-Type: text/html\\"`,
        'abc',
      ),
      END,
    ])
    expect(await sendCut([body])).toMatchObject({ data: { store: { size: 3 } } })
  })

  it.each([
    ['a part', 'a\\', '; name=operations; x='],
    ['a file', '0', 'x\\'],
    ['a file with line breaks', '0', 'x\\r\\n\\0'],
  ])('cannot say something else by the name of %s', async (_, part, name) => {
    const head = (text: string) => text.replaceAll('\\', '\\\\')
    const body = Buffer.concat([
      fieldOf('operations', JSON.stringify({ query: STORE, variables: { file: null } })),
      fieldOf('map', JSON.stringify({ [part]: ['variables.file'] })),
      partOf(
        `Content-Disposition: form-data; name="${head(part)}"; filename="${head(name)}"`,
        '{"query":"{ a }"}',
      ),
      END,
    ])
    expect(await sendCut([body])).toMatchObject({ data: { store: { size: 17 } } })
    expect(world.files[0]?.operations?.query).toContain('store')
  })
})

describe('a large file', () => {
  it('is passed on with little memory, as fast as the subgraph takes it', async () => {
    // A collection may hold a busy machine for longer than `idle_timeout` of the others.
    await using own = await startFileWorld({ limits: 'max_file_size: 400MiB, max_size: 500MiB' })
    const size = (isLongRun() ? 300 : 75) * MIB
    const chunk = randomBytes(MIB)
    const head = formOf(
      { query: STORE, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content: '' } },
    ).subarray(0, -END.length - 2)
    let received = 0
    let most = 0
    let isSlow = true
    own.takeRaw = (request, response) => {
      request.on('data', (bytes: Buffer) => {
        received += bytes.length
        if (isSlow && received > 20 * MIB) {
          request.pause()
          isSlow = false
          setTimeout(() => request.resume(), 200)
        }
      })
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"store":{"size":1}}}')
      })
    }
    const before = await heldBytes()
    const outgoing = httpRequest(own.router.graphqlUrl, {
      method: 'POST',
      headers: { ...FORM_TYPE, ...GUARD },
    })
    const answered = once(outgoing, 'response')
    outgoing.write(head)
    let sent = 0
    for (; sent < size; sent += chunk.length) {
      if (!outgoing.write(chunk)) await once(outgoing, 'drain')
      if (sent % (25 * MIB) === 0) most = Math.max(most, (await heldBytes()) - before)
    }
    outgoing.end(Buffer.concat([Buffer.from('\r\n'), END]))
    const [response] = await answered
    let text = ''
    for await (const bytes of response) text += String(bytes)
    expect(JSON.parse(text)).toMatchObject({ data: { store: { size: 1 } } })
    expect(received).toBeGreaterThan(size)
    // What the client and the subgraph of this process hold is in it.
    expect(most).toBeLessThan(16 * MIB)
  })

  it('fails the field where the subgraph takes nothing more', async () => {
    world.takeRaw = (request) => void request.pause()
    const content = Buffer.alloc(30 * MIB)
    const body = formOf(
      { query: STORE, variables: { file: null } },
      { 0: ['variables.file'] },
      { 0: { content } },
    )
    const outgoing = httpRequest(world.router.graphqlUrl, {
      method: 'POST',
      headers: { ...FORM_TYPE, ...GUARD },
    })
    outgoing.on('error', () => {})
    const answered = once(outgoing, 'response')
    outgoing.end(body)
    const [response] = await answered
    let text = ''
    for await (const bytes of response) text += String(bytes)
    expect(JSON.parse(text).errors[0].extensions.code).toBe('SUBGRAPH_TIMEOUT')
    // A server that reads nothing does not see that a connection has ended.
    world.files[0]?.request.resume()
    await until(() => world.files.every(({ aborted }) => aborted), 'the call has ended')
    world.takeRaw = null
  })
})
