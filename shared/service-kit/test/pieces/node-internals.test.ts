/** What limits on pieces use of Node.js beside its documentation is there, and works as it is used. */
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import {
  NodeInternalsMissingError,
  requireReadingHandle,
  requireStreamInternals,
} from '../../src/pieces/node-internals.ts'
import { readingOf } from '../../src/pieces/socket-turns.ts'

describe('this Node.js', () => {
  it('has what requests and streams are gathered by', () => {
    expect(() => requireStreamInternals()).not.toThrow()
  })

  it('reads nothing from a socket that waits, even if its reader goes on, and all of it afterwards', async () => {
    const accepted: Socket[] = []
    const server = createServer((socket) => void accepted.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await waitFor('the connection', () => accepted.length === 1)
    const [socket] = accepted
    if (socket === undefined) throw new Error('There is no connection.')
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    const reading = readingOf(socket)
    client.write('a')
    await waitFor('what was sent', () => text === 'a')
    reading.pause()
    client.write('b')
    await waitFor('what was sent to leave', () => client.bytesWritten === 2)
    socket.pause()
    socket.resume()
    socket.read(0)
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(text).toBe('a')
    reading.resume()
    await waitFor('the rest', () => text === 'ab')
    client.destroy()
    socket.destroy()
    server.close()
  })
})

describe('a later Node.js', () => {
  it('without what requests are gathered by serves nobody', () => {
    const message =
      /has no IncomingMessage\.prototype\._dump and no _readableState\.buffer of streams\. Without/
    expect(() => requireStreamInternals({ push() {} }, {})).toThrow(message)
    expect(() => requireStreamInternals({}, new Readable())).toThrow(NodeInternalsMissingError)
    expect(() => requireStreamInternals(IncomingMessage.prototype, new Readable())).not.toThrow()
  })

  it('whose sockets cannot be told to wait serves nobody', () => {
    expect(() => requireReadingHandle({ readStop() {} })).toThrow(/has no readStart of the handle of sockets/)
  })
})
