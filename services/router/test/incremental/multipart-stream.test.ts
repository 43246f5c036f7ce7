import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { MultipartStream } from '../../src/incremental/multipart-stream.ts'
import { subsequentPayload } from '../../src/incremental/payloads.ts'
import { readParts } from '../support/parts.ts'

const IDLE = { pause: () => {}, resume: () => {} }

const stack: (() => void)[] = []
afterEach(() => stack.splice(0).forEach((close) => close()))

/** Each request is answered by `answer`. */
async function serve(answer: (response: ServerResponse) => void): Promise<number> {
  const server = createServer({ noDelay: true }, (_, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.push(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

function ask(port: number, version = '1.1'): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('utf8')
  socket.write(`GET / HTTP/${version}\r\nHost: x\r\n\r\n`)
  return socket
}

/** Resolves when the answer is written, of which nothing is read. */
async function askAndNotRead(port: number, events: readonly string[]): Promise<Socket> {
  const socket = ask(port).pause()
  await once(socket, 'connect')
  while (!events.includes('written')) await new Promise(setImmediate)
  return socket
}

/** https://www.rfc-editor.org/rfc/rfc9112#name-chunked-transfer-coding */
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** Reads until the text ends with `end`. */
async function until(socket: Socket, end: string): Promise<string> {
  let text = ''
  while (!text.endsWith(end)) text += String((await once(socket, 'data'))[0])
  return text
}

describe('the bytes of a stream', () => {
  it('are those of the protocol, and each part is complete before the next is known', async () => {
    let stream: MultipartStream | undefined
    const port = await serve((response) => {
      stream = new MultipartStream(response, () => ({ Vary: 'Accept', 'Cache-Control': 'no-store' }), IDLE)
      stream.write('{"data":{"a":"ü😀"},"hasNext":true}', false)
    })
    const socket = ask(port)
    const first = await until(socket, '--graphql\r\n')
    const [headers = '', body] = first.split(/\r\n\r\n([^]*)/)
    expect(headers.split('\r\n').filter((line) => !line.startsWith('Date: '))).toEqual([
      'HTTP/1.1 200 OK',
      'Vary: Accept',
      'Cache-Control: no-cache',
      'Content-Type: multipart/mixed; boundary="graphql"; incrementalSpec=v0.2',
      'X-Accel-Buffering: no',
      'Connection: keep-alive',
      'Keep-Alive: timeout=5',
      'Transfer-Encoding: chunked',
    ])
    expect(body).toBe(
      chunk(
        '--graphql\r\nContent-Type: application/json\r\n\r\n{"data":{"a":"ü😀"},"hasNext":true}\r\n--graphql',
      ),
    )
    stream?.write('{"hasNext":true}', false)
    expect(await until(socket, '--graphql\r\n')).toBe(
      chunk('\r\nContent-Type: application/json\r\n\r\n{"hasNext":true}\r\n--graphql'),
    )
    stream?.write('{"hasNext":false}', true)
    expect(await until(socket, '0\r\n\r\n')).toBe(
      `${chunk('\r\nContent-Type: application/json\r\n\r\n{"hasNext":false}\r\n--graphql--\r\n')}0\r\n\r\n`,
    )
    expect(stream?.parts).toBe(3)
    socket.destroy()
  })

  it('end with the only part when nothing follows', async () => {
    const port = await serve((response) => new MultipartStream(response, () => ({}), IDLE).write('{}', true))
    const socket = ask(port)
    const [, body] = (await until(socket, '0\r\n\r\n')).split(/\r\n\r\n([^]*)/)
    expect(body).toBe(
      `${chunk('--graphql\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql--\r\n')}0\r\n\r\n`,
    )
    socket.destroy()
  })

  it('are not chunked for HTTP/1.0', async () => {
    const port = await serve((response) => new MultipartStream(response, () => ({}), IDLE).write('{}', true))
    const text = await until(ask(port, '1.0'), '--graphql--\r\n')
    expect(text).not.toMatch(/transfer-encoding/i)
    expect(text).toMatch(
      /\r\n\r\n--graphql\r\nContent-Type: application\/json\r\n\r\n\{\}\r\n--graphql--\r\n$/,
    )
  })

  it('are read the same wherever they are cut', async () => {
    const values = ['--graphql', '\r\n--graphql\r\n', '😀', '']
    const payloads = values.map((value, index) =>
      subsequentPayload({
        incremental: [{ data: { value }, id: String(index) }],
        completed: [{ id: String(index) }],
        pending: [],
        hasNext: index < values.length - 1,
      }),
    )
    const port = await serve((response) => {
      const stream = new MultipartStream(response, () => ({}), IDLE)
      for (const [index, payload] of payloads.entries()) stream.write(payload, index === payloads.length - 1)
    })
    const outgoing = request({ port, host: '127.0.0.1' }).end()
    const [response] = await once(outgoing, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const whole = readParts([bytes])
    expect(whole.map((part) => part.text)).toEqual(payloads)
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(readParts([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
    expect(readParts([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
  })

  it('come in one chunk when they are there in one turn, the first one before all others', async () => {
    const port = await serve((response) => {
      const stream = new MultipartStream(response, () => ({}), IDLE)
      for (const part of ['1', '2', '3']) stream.write(part, false)
      setImmediate(() => {
        stream.write('4', false)
        stream.write('5', true)
      })
    })
    const [, body] = (await until(ask(port), '0\r\n\r\n')).split(/\r\n\r\n([^]*)/)
    const head = '\r\nContent-Type: application/json\r\n\r\n'
    const part = (text: string) => `${head}${text}\r\n--graphql`
    expect(body).toBe(
      `${chunk(`--graphql${part('1')}`)}${chunk(part('2') + part('3'))}${chunk(`${part('4')}${part('5')}--\r\n`)}0\r\n\r\n`,
    )
  })

  it('do not wait for the end of the turn when they are large', async () => {
    const events: string[] = []
    const large = 'x'.repeat(5_000_000)
    const port = await serve((response) => {
      const stream = new MultipartStream(response, () => ({}), { ...IDLE, pause: () => events.push('pause') })
      stream.write('1', false)
      stream.write(large, false)
      events.push('written')
    })
    const socket = await askAndNotRead(port, events)
    expect(events).toEqual(['pause', 'written'])
    socket.destroy()
  })

  it('are not written any more when the client left within the turn', async () => {
    const left = Promise.withResolvers<void>()
    const events: string[] = []
    const port = await serve((response) => {
      const stream = new MultipartStream(response, () => ({}), { ...IDLE, pause: () => events.push('pause') })
      const write = response.write.bind(response)
      response.write = (text: string) => {
        events.push(response.destroyed ? 'written too late' : 'written')
        return write(text)
      }
      stream.write('1', false)
      stream.write('2', false)
      response.destroy()
      setImmediate(() => setImmediate(left.resolve))
    })
    const socket = ask(port)
    await Promise.all([left.promise, once(socket, 'close')])
    expect(events).toEqual(['written'])
  })

  it('wait for a client that does not read, and say so', async () => {
    const large = JSON.stringify({ data: 'x'.repeat(5_000_000) })
    const events: string[] = []
    const resumed = Promise.withResolvers<void>()
    const port = await serve((response) => {
      const stream = new MultipartStream(response, () => ({}), {
        pause: () => events.push('pause'),
        resume: () => {
          events.push('resume')
          stream.write('{}', true)
          resumed.resolve()
        },
      })
      stream.write(large, false)
      events.push('written')
    })
    const socket = await askAndNotRead(port, events)
    expect(events).toEqual(['pause', 'written'])
    const text = await until(socket.resume(), '--graphql--\r\n\r\n0\r\n\r\n')
    await resumed.promise
    expect(events).toEqual(['pause', 'written', 'resume'])
    expect(text).toContain(large)
    socket.destroy()
  })

  it('wait over HTTP/2, too', async () => {
    const events: string[] = []
    const server = createHttp2Server((_, response) => {
      const stream = new MultipartStream(response as unknown as ServerResponse, () => ({}), {
        pause: () => events.push('pause'),
        resume: () => {
          events.push('resume')
          stream.write('{}', true)
        },
      })
      stream.write(JSON.stringify({ data: 'x'.repeat(5_000_000) }), false)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    stack.push(() => {
      session.destroy()
      server.close()
    })
    const stream = session.request()
    await once(stream, 'response')
    expect(events).toEqual(['pause'])
    const chunks: Buffer[] = []
    for await (const bytes of stream) chunks.push(bytes)
    expect(events).toEqual(['pause', 'resume'])
    expect(readParts(chunks).map((part) => part.text.length)).toEqual([5_000_011, 2])
  })

  it('are not written to a client that has left', async () => {
    const left = Promise.withResolvers<MultipartStream>()
    const port = await serve((response) => {
      const stream = new MultipartStream(response, () => ({}), IDLE)
      stream.write('{}', false)
      response.on('close', () => left.resolve(stream))
    })
    const socket = ask(port)
    await until(socket, '--graphql\r\n')
    socket.destroy()
    const stream = await left.promise
    stream.write('{}', true)
    expect(stream.parts).toBe(1)
  })
})
