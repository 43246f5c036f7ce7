/**
 * Limits what is read from a NATS in one turn of the event loop. The system hands over up to 2 MiB at once,
 * which are 50,000 small messages, and the client would read all of them before anybody else has a turn.
 */
import { Socket } from 'node:net'

/** Bytes of one turn: two pieces as the system hands them over. */
const BYTES_IN_TURN = 128 * 1024

/**
 * Paces the present connection of a client, which has no setting for it and shows its socket to nobody. Does
 * nothing where the socket is not found: the hostile tests of brokers notice that.
 */
export function paceReading(connection: object): void {
  const socket = memberOf(memberOf(memberOf(connection, 'protocol'), 'transport'), 'socket')
  if (!(socket instanceof Socket)) return
  let left = BYTES_IN_TURN
  let isScheduled = false
  const nextTurn = (): void => {
    isScheduled = false
    left = BYTES_IN_TURN
    socket.resume()
  }
  socket.on('data', (piece: Uint8Array) => {
    left -= piece.length
    if (!isScheduled) {
      isScheduled = true
      setImmediate(nextTurn)
    }
    if (left <= 0) socket.pause()
  })
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
