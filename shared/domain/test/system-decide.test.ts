import type { SystemRecord } from '@switchyard/contracts'
import { describe, expect, it } from 'vitest'
import {
  applySystemRecord,
  decideSystem,
  emptySystem,
  type SystemCommand,
  type SystemState,
} from '../src/index.ts'

const WITH_BOOTSTRAP = { hasBootstrapKey: true }
const WITHOUT_BOOTSTRAP = { hasBootstrapKey: false }
const TIME = '2026-11-21T08:00:00.000Z'

function create(name: string, scopes: readonly string[] = ['read']): SystemCommand {
  return { type: 'create-api-key', id: `id-${name}`, name, sha256: 'a'.repeat(64), scopes }
}

/** The state after commands that must be accepted. */
function after(...commands: readonly SystemCommand[]): SystemState {
  return commands.reduce((state, command, index) => {
    const decision = decideSystem(state, command, WITH_BOOTSTRAP)
    if (decision.kind === 'refused') throw new Error(decision.problem.detail)
    const record: SystemRecord = {
      v: 1,
      commandId: `${index}`,
      actor: 'key:admin',
      time: TIME,
      after: state.lastApplied,
      events: [...decision.events],
    }
    return applySystemRecord(state, record, index + 1)
  }, emptySystem())
}

function codeOf(state: SystemState, command: SystemCommand, circumstances = WITH_BOOTSTRAP): string {
  const decision = decideSystem(state, command, circumstances)
  return decision.kind === 'refused' ? decision.problem.code : decision.kind
}

describe('API keys', () => {
  it('remember when and by whom they were made, and nothing of their text but its hash', () => {
    expect(after(create('ci', ['publish:default'])).apiKeys.get('id-ci')).toEqual({
      id: 'id-ci',
      name: 'ci',
      sha256: 'a'.repeat(64),
      scopes: ['publish:default'],
      createdAt: TIME,
      createdBy: 'key:admin',
    })
  })

  it('have a name of their own while they exist', () => {
    const state = after(create('ci'))
    expect(codeOf(state, { ...create('ci'), id: 'other' })).toBe('ALREADY_EXISTS')
    expect(codeOf(state, { ...create('cd'), id: 'id-ci' })).toBe('ALREADY_EXISTS')
    expect(codeOf(after(create('ci'), { type: 'delete-api-key', id: 'id-ci' }), create('ci'))).toBe('events')
  })

  it('may name a namespace that does not exist yet', () => {
    expect(codeOf(emptySystem(), create('ci', ['deploy:soon']))).toBe('events')
  })

  it('are deleted by their id, not by their name', () => {
    const state = after(create('ci'))
    expect(codeOf(state, { type: 'delete-api-key', id: 'id-ci' })).toBe('events')
    expect(codeOf(state, { type: 'delete-api-key', id: 'ci' })).toBe('NOT_FOUND')
    expect(codeOf(state, { type: 'delete-api-key', id: 'constructor' })).toBe('NOT_FOUND')
  })

  it('keep one administrator, unless the registry has a bootstrap key', () => {
    const state = after(create('root', ['admin']), create('ci', ['read', 'deploy:default']))
    const command = { type: 'delete-api-key', id: 'id-root' } as const
    expect(codeOf(state, command, WITHOUT_BOOTSTRAP)).toBe('LAST_ADMIN_KEY')
    expect(codeOf(state, command, WITH_BOOTSTRAP)).toBe('events')
    expect(codeOf(state, { type: 'delete-api-key', id: 'id-ci' }, WITHOUT_BOOTSTRAP)).toBe('events')
    const two = after(create('root', ['admin']), create('root-2', ['admin', 'read']))
    expect(codeOf(two, command, WITHOUT_BOOTSTRAP)).toBe('events')
  })

  it('are remembered with the command that made or deleted them, for whoever repeats it', () => {
    const state = after(create('ci'), { type: 'delete-api-key', id: 'id-ci' })
    expect([...state.commands].map(([id, { sequence, apiKey }]) => [id, sequence, apiKey?.name])).toEqual([
      ['0', 1, 'ci'],
      ['1', 2, 'ci'],
    ])
  })
})
