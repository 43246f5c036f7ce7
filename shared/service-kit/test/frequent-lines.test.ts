import { describe, expect, it } from 'vitest'
import { createLogger, FrequentLines, jsonString, withLogContext } from '../src/index.ts'

const ODD = [
  '',
  'plain',
  'with "quotes" and \\',
  '\n\u0001\u007f',
  'ümläut',
  '\ud83d\ude00',
  '\ud83d alone',
  '\u2028',
  'x'.repeat(500),
]

function loggers(level: 'info' | 'warn' = 'info') {
  const lines: string[] = []
  const logger = createLogger({ name: 'sample', level, to: { write: (line: string) => lines.push(line) } })
  return { logger, lines }
}

type Fields = Readonly<Record<string, string | number | boolean | null>>

function membersOf(fields: Fields): string {
  let members = ''
  for (const [name, value] of Object.entries(fields))
    members += `,"${name}":${typeof value === 'string' ? jsonString(value) : JSON.stringify(value)}`
  return members
}

/** The same line, written in both ways. */
function bothWays(fields: Fields, message: string, child?: Readonly<Record<string, unknown>>) {
  const { logger, lines } = loggers()
  const log = child === undefined ? logger : logger.child(child)
  log.info(fields, message)
  new FrequentLines(log).info(membersOf(fields), message)
  return lines.map((line) => line.replace(/"time":"[^"]*"/, '"time":"?"'))
}

describe('frequent lines', () => {
  it.each(ODD)('are the lines that the logger writes, to the byte: %j', (text) => {
    const [usual, frequent] = bothWays({ event: 'sample.told', text, path: text, flag: null }, text)
    expect(frequent).toBe(usual)
  })

  it.each([0, -1, 1.5, 1e21, 1e-9, Number.NaN, Number.POSITIVE_INFINITY, true, false, null])(
    'write %s as the logger does',
    (value) => {
      const [usual, frequent] = bothWays({ event: 'sample.told', value }, 'told')
      expect(frequent).toBe(usual)
    },
  )

  it('carry what a child logger carries', () => {
    const [usual, frequent] = bothWays({ event: 'sample.told' }, 'told', { worker: 3, part: 'router' })
    expect(frequent).toBe(usual)
    expect(JSON.parse(String(frequent))).toMatchObject({ worker: 3, part: 'router' })
  })

  it('carry the ids of the work that they are written for', () => {
    withLogContext({ trace_id: 'a', request_id: 'b' }, () => {
      const [usual, frequent] = bothWays({ event: 'sample.told', request_id: 'own' }, 'told')
      expect(frequent).toBe(usual)
      expect(JSON.parse(String(frequent))).toMatchObject({ trace_id: 'a', request_id: 'own' })
    })
  })

  it('say the time', () => {
    const { logger, lines } = loggers()
    new FrequentLines(logger).info(membersOf({ event: 'sample.told' }), 'told')
    const { time } = JSON.parse(lines[0] ?? '')
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(10_000)
  })

  it('are not wanted where the logger does not write lines of level info', () => {
    expect(new FrequentLines(loggers('warn').logger).isEnabled).toBe(false)
    expect(new FrequentLines(loggers().logger).isEnabled).toBe(true)
  })
})
