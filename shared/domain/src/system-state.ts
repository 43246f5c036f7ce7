/** The fold over `registry.events._system`: API keys, and the public halves of trace and signing keys. */
import type { Jwks, SystemEvent, SystemRecord } from '@switchyard/contracts'
import { PersistentMap } from './state/persistent-map.ts'
import { unreachable } from './state/unreachable.ts'

export type ApiKey = {
  readonly id: string
  readonly name: string
  /** SHA-256 of the whole key text. */
  readonly sha256: string
  readonly scopes: readonly string[]
  /** RFC 3339, by the record that created it. */
  readonly createdAt: string
  /** The actor of that record. */
  readonly createdBy: string
}

/** The outcome of a command, with which its repetition is answered. */
export type SystemCommandMemory = {
  readonly commandHash: string | null
  readonly sequence: number
  /** The key that was created, or that was deleted. */
  readonly apiKey: ApiKey | null
  /** Id of the trace key that was created or retired. */
  readonly traceKid: string | null
}

export type PublicKey = {
  readonly jwk: Jwks['keys'][number] & { readonly x: string }
  /** RFC 3339, by the record that created it. */
  readonly since: string
  /** The sequence of that record, which orders keys whatever clocks say. */
  readonly sequence: number
}

export type RetiredKey = PublicKey & { readonly until: string }

export type SystemState = {
  readonly lastApplied: number
  readonly lastSequence: number
  readonly apiKeys: PersistentMap<ApiKey>
  readonly traceKeys: PersistentMap<PublicKey>
  /** Kept for ever: what was retired never comes back under the same id. */
  readonly retiredTraceKeys: PersistentMap<RetiredKey>
  readonly signingKeys: PersistentMap<PublicKey>
  /** The outcomes of all commands by their ids. Key changes are few, so they are kept for ever. */
  readonly commands: PersistentMap<SystemCommandMemory>
}

export function emptySystem(): SystemState {
  return {
    lastApplied: 0,
    lastSequence: 0,
    apiKeys: PersistentMap.empty(),
    traceKeys: PersistentMap.empty(),
    retiredTraceKeys: PersistentMap.empty(),
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
    (current, event) => applySystemEvent(current, event, record, sequence),
    seen,
  )
  const memory: SystemCommandMemory = {
    commandHash: record.commandHash ?? null,
    sequence,
    apiKey: keyOfEvents(record.events, changed) ?? keyOfEvents(record.events, state),
    traceKid: traceKidOf(record.events),
  }
  return { ...changed, lastApplied: sequence, commands: changed.commands.set(record.commandId, memory) }
}

/** Names of API keys by id, also of those that were deleted. */
export function apiKeyNames({ apiKeys, commands }: SystemState): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [, { apiKey }] of commands) if (apiKey !== null) names.set(apiKey.id, apiKey.name)
  for (const [id, { name }] of apiKeys) names.set(id, name)
  return names
}

function keyOfEvents(events: readonly SystemEvent[], state: SystemState): ApiKey | null {
  const event = events.find(({ type }) => type === 'api-key.created' || type === 'api-key.deleted')
  return event !== undefined && 'id' in event ? (state.apiKeys.get(event.id) ?? null) : null
}

function traceKidOf(events: readonly SystemEvent[]): string | null {
  for (const event of events) {
    if (event.type === 'trace-key.created') return event.jwk.kid
    if (event.type === 'trace-key.retired') return event.kid
  }
  return null
}

function applySystemEvent(
  state: SystemState,
  event: SystemEvent,
  { time, actor }: Pick<SystemRecord, 'time' | 'actor'>,
  sequence: number,
): SystemState {
  switch (event.type) {
    case 'api-key.created': {
      const { id, name, sha256, scopes } = event
      const key: ApiKey = { id, name, sha256, scopes, createdAt: time, createdBy: actor }
      return { ...state, apiKeys: state.apiKeys.set(id, key) }
    }
    case 'api-key.deleted':
      return { ...state, apiKeys: state.apiKeys.delete(event.id) }
    case 'trace-key.created':
      return withTraceKey(state, { jwk: event.jwk, since: time, sequence })
    case 'trace-key.retired':
      return withoutTraceKey(state, event.kid, time)
    case 'signing-key.created': {
      const key = { jwk: event.jwk, since: time, sequence }
      return { ...state, signingKeys: state.signingKeys.set(event.jwk.kid, key) }
    }
    case 'signing-key.retired':
      return { ...state, signingKeys: state.signingKeys.delete(event.kid) }
    default:
      return unreachable(event)
  }
}

function withTraceKey(state: SystemState, key: PublicKey): SystemState {
  return { ...state, traceKeys: state.traceKeys.set(key.jwk.kid, key) }
}

function withoutTraceKey(state: SystemState, kid: string, until: string): SystemState {
  const key = state.traceKeys.get(kid)
  if (key === undefined) return state
  return {
    ...state,
    traceKeys: state.traceKeys.delete(kid),
    retiredTraceKeys: state.retiredTraceKeys.set(kid, { ...key, until }),
  }
}
