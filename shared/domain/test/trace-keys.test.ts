import { SystemRecord } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import { applySystemRecord, decideTraceKey, emptySystem, type SystemState } from '../src/index.ts'

const jwk = (kid: string) => ({ kty: 'OKP' as const, crv: 'Ed25519' as const, x: `x-${kid}`, kid })

/** The state after these events, one record each. */
function after(...events: SystemRecord['events']): SystemState {
  return events.reduce(
    (state, event, index) =>
      applySystemRecord(
        state,
        {
          v: 1,
          commandId: `c${index}`,
          actor: 'bootstrap',
          time: `2026-11-2${index % 10}T08:00:00.000Z`,
          after: state.lastApplied,
          events: [event],
        },
        index + 1,
      ),
    emptySystem(),
  )
}

const created = (kid: string) => ({ type: 'trace-key.created' as const, jwk: jwk(kid) })
const retired = (kid: string) => ({ type: 'trace-key.retired' as const, kid })
const create = (state: SystemState, kid: string) =>
  decideTraceKey(state, { type: 'create-trace-key', jwk: jwk(kid) })

describe('trace keys', () => {
  it('are known with their order and date until they are retired, and with both dates afterwards', () => {
    const state = after(created('k1'), created('k2'), retired('k1'))
    expect(state.traceKeys.get('k2')).toEqual({
      jwk: jwk('k2'),
      since: '2026-11-21T08:00:00.000Z',
      sequence: 2,
    })
    expect(state.traceKeys.get('k1')).toBeUndefined()
    expect(state.retiredTraceKeys.get('k1')).toEqual({
      jwk: jwk('k1'),
      since: '2026-11-20T08:00:00.000Z',
      until: '2026-11-22T08:00:00.000Z',
      sequence: 1,
    })
    expect(state.commands.get('c2')?.traceKid).toBe('k1')
  })

  it('are announced once, and never again after they were retired', () => {
    expect(create(after(), 'k1')).toEqual({ kind: 'events', events: [created('k1')] })
    expect(create(after(created('k1')), 'k1')).toEqual({ kind: 'unchanged' })
    expect(create(after(created('k1'), retired('k1')), 'k1')).toMatchObject({
      kind: 'refused',
      problem: { code: 'ALREADY_EXISTS' },
    })
  })

  it('are ten at most; a retired one makes room', () => {
    const ten = Array.from({ length: 10 }, (_, index) => created(`k${index}`))
    expect(create(after(...ten), 'another')).toMatchObject({ problem: { code: 'LIMIT_EXCEEDED' } })
    expect(create(after(...ten, retired('k3')), 'another')).toMatchObject({ kind: 'events' })
  })

  it('are retired once, and only when they were there', () => {
    const retire = (state: SystemState) => decideTraceKey(state, { type: 'retire-trace-key', kid: 'k1' })
    expect(retire(after(created('k1')))).toEqual({ kind: 'events', events: [retired('k1')] })
    expect(retire(after(created('k1'), retired('k1')))).toEqual({ kind: 'unchanged' })
    expect(retire(after())).toMatchObject({ kind: 'refused', problem: { code: 'NOT_FOUND' } })
  })

  it('have no private half in any record', () => {
    const record = (key: object) => ({
      v: 1,
      commandId: 'c',
      actor: 'bootstrap',
      time: '2026-11-21T08:00:00.000Z',
      after: 0,
      events: [{ type: 'trace-key.created', jwk: key }],
    })
    expect(SystemRecord.safeParse(record(jwk('k1'))).success).toBe(true)
    expect(SystemRecord.safeParse(record({ ...jwk('k1'), d: 'private' })).success).toBe(false)
  })
})
