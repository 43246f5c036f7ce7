/**
 * The messages of clients in the protocol `graphql-transport-ws`:
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
import { splitMembers, stringIn } from './split-members.ts'

/** A message of a client. The payloads of `subscribe` and `ping` are JSON texts. */
export type ClientMessage =
  | {
      readonly type: 'connection_init'
      /** Null if there is none. */
      readonly payload: Readonly<Record<string, unknown>> | null
    }
  | {
      readonly type: 'ping'
      /** The payload that is to be sent back; null if there is none, or if it is too large for that. */
      readonly payload: string | null
    }
  | { readonly type: 'pong' }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: string }
  | { readonly type: 'complete'; readonly id: string }

/** Something that is no message of the protocol. */
export type InvalidMessage = {
  readonly type: 'invalid'
  /** The reason for the client, which fits into a close frame. */
  readonly reason: string
}

/** Characters of an id. Clients use UUIDs or numbers, and the router repeats ids in each of its answers. */
const MAX_ID = 1000
/** Characters of the payload of `connection_init`. Headers may be as large by default. */
const MAX_INIT = 32 * 1024
/** Characters of the payload of a ping that are sent back. */
const MAX_PING = 1024

/** Reads the text of a message. */
export function readMessage(text: string): ClientMessage | InvalidMessage {
  const members = splitMembers(text)
  if (members === null) return invalid('Invalid message: expected a JSON object')
  const type = stringIn(members.get('type') ?? '')
  const payload = presentIn(members, 'payload')
  switch (type) {
    case 'connection_init':
      return initWith(payload)
    case 'ping':
      return isEchoed(payload) ? { type, payload } : { type, payload: null }
    case 'pong':
      return { type }
    case 'subscribe':
      return subscribeWith(members, payload)
    case 'complete': {
      const id = idIn(members)
      return id === null ? invalid(NO_ID) : { type, id }
    }
    default:
      return invalid(`Invalid message: unknown type ${(type ?? 'none').slice(0, 40)}`)
  }
}

const NO_ID = `Invalid message: expected an id, a string of 1 to ${MAX_ID} characters`

function initWith(payload: string | null): ClientMessage | InvalidMessage {
  const wrong = 'Invalid message: the payload of connection_init is no object'
  if (payload === null) return { type: 'connection_init', payload: null }
  if (payload.length > MAX_INIT)
    return invalid('Invalid message: the payload of connection_init is too large')
  try {
    const value: unknown = JSON.parse(payload)
    return isObject(value) ? { type: 'connection_init', payload: value } : invalid(wrong)
  } catch {
    return invalid(wrong)
  }
}

function subscribeWith(
  members: ReadonlyMap<string, string>,
  payload: string | null,
): ClientMessage | InvalidMessage {
  const id = idIn(members)
  if (id === null) return invalid(NO_ID)
  if (payload === null || !payload.startsWith('{'))
    return invalid('Invalid message: the payload of subscribe is no object')
  return { type: 'subscribe', id, payload }
}

function idIn(members: ReadonlyMap<string, string>): string | null {
  const id = stringIn(members.get('id') ?? '')
  return id === null || id === '' || id.length > MAX_ID ? null : id
}

/** Returns the text of a member; null if it is absent or null. */
function presentIn(members: ReadonlyMap<string, string>, name: string): string | null {
  const text = members.get(name) ?? 'null'
  return text === 'null' ? null : text
}

/** Whether the payload of a ping is sent back. */
function isEchoed(payload: string | null): boolean {
  if (payload === null || payload.length > MAX_PING) return false
  try {
    return isObject(JSON.parse(payload))
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(reason: string): InvalidMessage {
  return { type: 'invalid', reason }
}
