/** The fold over `registry.events._system`: API keys, and the public halves of trace and signing keys. */
import type { SystemEvent, SystemRecord } from '@switchyard/contracts'
import { PersistentMap } from './persistent-map.ts'
import { unreachable } from './unreachable.ts'

export type ApiKey = {
  readonly id: string
  readonly name: string
  /** SHA-256 of the whole key text. */
  readonly sha256: string
  readonly scopes: readonly string[]
}

export type PublicKey = {
  readonly jwk: { readonly kid: string; readonly x: string }
  /** RFC 3339, by the record that created it. */
  readonly since: string
}

export type SystemState = {
  readonly lastApplied: number
  readonly lastSequence: number
  readonly apiKeys: PersistentMap<ApiKey>
  readonly traceKeys: PersistentMap<PublicKey>
  readonly signingKeys: PersistentMap<PublicKey>
  /** Ids of every command applied: key changes are few, so they are kept for ever. */
  readonly commands: PersistentMap<number>
}

export function emptySystem(): SystemState {
  return {
    lastApplied: 0,
    lastSequence: 0,
    apiKeys: PersistentMap.empty(),
    traceKeys: PersistentMap.empty(),
    signingKeys: PersistentMap.empty(),
    commands: PersistentMap.empty(),
  }
}

/** Skips by the same rules as `applyRecord`. */
export function applySystemRecord(state: SystemState, record: SystemRecord, sequence: number): SystemState {
  if (sequence <= state.lastSequence) return state
  const seen = { ...state, lastSequence: sequence }
  if (record.after !== state.lastApplied || state.commands.has(record.commandId)) return seen
  const changed = record.events.reduce(
    (current, event) => applySystemEvent(current, event, record.time),
    seen,
  )
  return {
    ...changed,
    lastApplied: sequence,
    commands: changed.commands.set(record.commandId, sequence),
  }
}

function applySystemEvent(state: SystemState, event: SystemEvent, time: string): SystemState {
  switch (event.type) {
    case 'api-key.created': {
      const { id, name, sha256, scopes } = event
      return { ...state, apiKeys: state.apiKeys.set(id, { id, name, sha256, scopes }) }
    }
    case 'api-key.deleted':
      return { ...state, apiKeys: state.apiKeys.delete(event.id) }
    case 'trace-key.created':
      return { ...state, traceKeys: state.traceKeys.set(event.jwk.kid, { jwk: event.jwk, since: time }) }
    case 'trace-key.retired':
      return { ...state, traceKeys: state.traceKeys.delete(event.kid) }
    case 'signing-key.created':
      return { ...state, signingKeys: state.signingKeys.set(event.jwk.kid, { jwk: event.jwk, since: time }) }
    case 'signing-key.retired':
      return { ...state, signingKeys: state.signingKeys.delete(event.kid) }
    default:
      return unreachable(event)
  }
}
