/** Answers of subgraphs that are cut into pieces of one byte. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { LineInOrder, PIECES, SocketTurns } from '@switchyard/service-kit'
import { AnswerIntake } from '../../src/call/in-flight/answer-intake.ts'
import { AnswerTurns, PIECES_IN_TURN } from '../../src/call/in-flight/answer-turns.ts'
import { CallInFlight } from '../../src/call/in-flight/call-in-flight.ts'
import { Http2Pool } from '../../src/transport/http2/http2-pool.ts'
import type { CallOutcome } from '../../src/call/in-flight/receivers.ts'
import { frame } from '../support/http2-frames.ts'
import { send } from '../transport/http1/support.ts'

function begun(turns: AnswerTurns) {
  const told: string[] = []
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: () => void told.push('aborted'),
    pause: () => void told.push('paused'),
    resume: () => void told.push('resumed'),
  }
  const call = new CallInFlight({
    codings: [],
    subgraph: 'products',
    context: { traceId: '', spanId: '', traceFlags: 0 },
    maxResponseSize: 1e9,
    intake: new AnswerIntake(1e9),
    turns,
    onOver: () => {},
  })
  const outcomes: CallOutcome[] = []
  call.add({ hold: () => {}, over: (outcome) => void outcomes.push(outcome) })
  call.onRequestStart(controller)
  call.onResponseStart(controller, 200, { 'content-type': 'application/json' })
  const take = (text: string) => {
    for (const byte of Buffer.from(text)) call.onResponseData(controller, Buffer.from([byte]))
  }
  return { call, told, outcomes, take }
}

describe('an answer in pieces of one byte', () => {
  it('is kept in few pieces, and read as what it is', () => {
    const { call, outcomes, take } = begun(new AnswerTurns())
    take(`${' '.repeat(8000)}{"data":1}`)
    call.onResponseEnd()
    const [outcome] = outcomes
    if (outcome?.kind !== 'answer') throw new Error('There is no answer.')
    expect(outcome.body.read(false)).toEqual({ body: { data: 1 } })
    expect(outcome.body.chunks.length).toBeLessThanOrEqual(10)
    expect(outcome.body.length).toBe(8010)
  })

  it('is given up if there are more of them than a program sends by accident', () => {
    const { told, outcomes, take } = begun(new AnswerTurns())
    take(' '.repeat(PIECES.any + 1000))
    expect(told.filter((what) => what === 'aborted')).toHaveLength(1)
    expect(outcomes).toHaveLength(1)
    expect(JSON.stringify(outcomes)).toContain(`an answer in more than ${PIECES.any} pieces`)
  })

  it('waits for the next turn beyond so many pieces of all answers', () => {
    const due: (() => void)[] = []
    const turns = new AnswerTurns((next) => void due.push(next))
    const [one, other] = [begun(turns), begun(turns)]
    one.take(' '.repeat(PIECES_IN_TURN - 1))
    other.take(' ')
    expect([one.told, other.told]).toEqual([[], []])
    other.take(' ')
    expect([one.told, other.told]).toEqual([[], ['paused']])
    one.take(' ')
    for (const next of due.splice(0)) next()
    expect([one.told, other.told]).toEqual([
      ['paused', 'resumed'],
      ['paused', 'resumed'],
    ])
    other.take(' ')
    expect(other.told).toEqual(['paused', 'resumed'])
  })
})

const ANSWER = '{"data":{}}'

/** Answers each call over HTTP/2 in frames of one byte. */
async function cutting(spaces: number): Promise<{ readonly origin: string } & AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write(frame('settings'))
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      let at = bytes.indexOf('PRI') === 0 ? 24 : 0
      for (let end = at; at + 9 <= bytes.length; at = end) {
        end = at + 9 + bytes.readUIntBE(at, 3)
        if (end > bytes.length) break
        if (bytes[at + 3] === 1) answer(socket, bytes.readUInt32BE(at + 5))
      }
      bytes = bytes.subarray(at)
    })
  })
  const answer = (socket: Socket, stream: number): void => {
    const one = (byte: string) => frame('data', { stream, payload: Buffer.from(byte) })
    socket.write(
      Buffer.concat([
        // `:status: 200` (RFC 7541, appendix A).
        frame('headers', { flags: 4, stream, payload: Buffer.from([0x88]) }),
        ...Array.from({ length: spaces }, () => one(' ')),
        ...Array.from(ANSWER, one),
        frame('data', { flags: 1, stream }),
      ]),
    )
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function poolOf(origin: string): Http2Pool {
  const url = new URL(origin)
  return new Http2Pool({
    origin: url,
    maxConnections: 1,
    turns: new SocketTurns(new LineInOrder()),
    connectTimeout: 5000,
    open: () => connect({ host: url.hostname, port: Number(url.port) }),
    sending: () => {},
  })
}

describe('an answer over HTTP/2 in frames of one byte', () => {
  it('is read', async () => {
    await using server = await cutting(5000)
    const pool = poolOf(server.origin)
    const { body } = await send(pool).done
    expect(body.trim()).toBe(ANSWER)
    await pool.destroy()
  })

  it('is given up if there are more of them than a program sends by accident', async () => {
    await using server = await cutting(PIECES.any + 1000)
    const pool = poolOf(server.origin)
    const { error } = await send(pool).done
    expect(error?.message).toContain(`comes in more than ${PIECES.any} pieces`)
    await pool.destroy()
  })
})
