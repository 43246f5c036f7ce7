import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLogger, SecretFile, ServerProblems } from '../src/index.ts'

const REFUSED = { code: 'NATS_CREDENTIALS_REFUSED', message: 'NATS refused the credentials.' }
const AWAY = { code: 'NATS_UNREACHABLE', message: 'NATS cannot be reached.' }
const FORBIDDEN = { code: 'NATS_PERMISSION_MISSING', message: 'NATS does not permit it.' }

describe('what is wrong with a server', () => {
  it('is logged once for as long as it lasts, and so is its end', () => {
    const { problems, lines } = recorded()
    for (let attempt = 0; attempt < 3; attempt += 1) problems.tell(REFUSED)
    expect(problems.current).toBe(REFUSED.message)
    problems.tell(AWAY)
    problems.tell(AWAY)
    problems.tell(null)
    problems.tell(null)
    expect(problems.current).toBeNull()
    problems.tell(REFUSED)
    expect(lines).toEqual([
      ['nats.problem', REFUSED.code],
      ['nats.problem', AWAY.code],
      ['nats.recovered', AWAY.code],
      ['nats.problem', REFUSED.code],
    ])
  })

  it('is not logged again as a problem when it was a warning, nor the other way round', () => {
    const { problems, lines } = recorded()
    problems.warn(FORBIDDEN)
    problems.tell(FORBIDDEN)
    problems.warn(FORBIDDEN)
    expect(problems.current).toBe(FORBIDDEN.message)
    expect(lines).toEqual([['nats.warning', FORBIDDEN.code]])
    problems.tell(null)
    problems.tell(FORBIDDEN)
    problems.warn(FORBIDDEN)
    expect(lines.slice(1)).toEqual([
      ['nats.recovered', FORBIDDEN.code],
      ['nats.problem', FORBIDDEN.code],
    ])
  })
})

describe('a secret in a file', () => {
  it('is what the file held last while the file is away or holds something else, which is told when asked for', () => {
    const folder = mkdtempSync(join(tmpdir(), 'secret-file-'))
    try {
      const path = join(folder, 'password')
      const file = new SecretFile(path)
      expect(file.read()).toBe('')
      expect(() => file.check()).toThrow('ENOENT')
      writeFileSync(path, 'sesame\n')
      expect(file.read()).toBe('sesame')
      rmSync(path)
      expect(file.read()).toBe('sesame')
      writeFileSync(path, 'two words\n')
      expect(() => file.check()).toThrow(/does not hold one line without white space/)
      expect(file.read()).toBe('sesame')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

function recorded() {
  const lines: [string, string][] = []
  const write = (line: string): void => {
    const { event, code } = JSON.parse(line) as { event: string; code: string }
    lines.push([event, code])
  }
  return {
    lines,
    problems: new ServerProblems(createLogger({ name: 't', level: 'info', to: { write } }), 'nats'),
  }
}
