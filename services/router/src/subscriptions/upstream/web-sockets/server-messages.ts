/**
 * The messages of a server in the protocol graphql-transport-ws:
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
import { isJsonObject, type JsonObject } from '@switchyard/engine'

export type ServerMessage =
  | { readonly type: 'connection_ack' | 'ping' | 'pong' }
  | { readonly type: 'next'; readonly id: string; readonly payload: JsonObject }
  | { readonly type: 'error'; readonly id: string; readonly payload: readonly JsonObject[] }
  | { readonly type: 'complete'; readonly id: string }

/** Returns the message that a parsed JSON text is. Null if it is none. */
export function serverMessageOf(value: unknown): ServerMessage | null {
  if (!isJsonObject(value)) return null
  const { type, id, payload } = value
  switch (type) {
    case 'connection_ack':
    case 'ping':
    case 'pong':
      return payload === undefined || payload === null || isJsonObject(payload) ? { type } : null
    case 'next':
      return typeof id === 'string' && isJsonObject(payload) ? { type, id, payload } : null
    case 'error':
      return typeof id === 'string' && isListOfErrors(payload) ? { type, id, payload } : null
    case 'complete':
      return typeof id === 'string' ? { type, id } : null
    default:
      return null
  }
}

function isListOfErrors(payload: unknown): payload is readonly JsonObject[] {
  return Array.isArray(payload) && payload.length > 0 && payload.every(isJsonObject)
}
