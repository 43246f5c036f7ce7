/** Publishes one message many times, as fast as NATS takes them, in a thread of its own. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { workerData } from 'node:worker_threads'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `flood` hands over
const { port, subject, payload, count } = workerData as {
  readonly port: number
  readonly subject: string
  readonly payload: string
  readonly count: number
}

const socket = connect(port, '127.0.0.1')
await once(socket, 'data')
socket.write('CONNECT {"verbose":false,"pedantic":false,"user":"test","pass":"secret"}\r\n')
const message = `PUB ${subject} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`
const inPiece = Math.max(1, Math.floor(65_536 / message.length))
for (let left = count; left > 0; left -= inPiece)
  if (!socket.write(message.repeat(Math.min(left, inPiece)))) await once(socket, 'drain')
socket.write('PING\r\n')
let answer = ''
while (!answer.includes('PONG')) answer += String((await once(socket, 'data'))[0])
socket.destroy()
