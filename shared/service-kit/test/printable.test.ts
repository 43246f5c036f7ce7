import { describe, expect, it } from 'vitest'
import { createLogger } from '../src/logging/logger.ts'
import { FrequentLines, jsonString } from '../src/logging/frequent-lines.ts'
import { printableJson, printableLine, printableOutput, printableText } from '../src/text/printable.ts'

/** C0 with ESC, an OSC that sets the clipboard, DEL, C1, and marks that change the direction of text. */
const HOSTILE = [
  '\u0000\u0007\u001b',
  '\u001b]52;c;YQ==\u0007',
  '\u001b[2J\u001b[31m',
  '\u007f\u009b\u009d',
  '\u202a\u202b\u202c\u202d\u202e',
  '\u2066\u2067\u2068\u2069',
  '\u200e\u200f\u061c',
].join('')
// oxlint-disable-next-line no-control-regex -- these are what it is about
const ACTED_ON = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

describe('text from elsewhere', () => {
  it('has nothing left that a terminal acts on', () => {
    for (const printable of [printableLine, printableText, printableJson]) {
      const shown = printable(printable === printableJson ? JSON.stringify(HOSTILE) : HOSTILE)
      expect(shown).not.toMatch(ACTED_ON)
      expect(shown).toContain('YQ==')
    }
  })

  it('stays on one line where one is expected, however a line may be ended', () => {
    const text = ['a', 'b\r', 'c\u0085d\u2028e\u2029f\vg\fh\ti'].join('\n')
    expect(printableLine(text)).toBe('a b c d e f g h i')
  })

  it('keeps its lines and tabs where several are expected', () => {
    expect(printableText('type A {\r\n\tb: C # ünïcode 🦆 \u05d0\n}\n')).toBe(
      'type A {\n\tb: C # ünïcode 🦆 \u05d0\n}\n',
    )
  })

  it('is the same document in JSON', () => {
    const document = { [HOSTILE]: [HOSTILE, '\u2028\\u2028\\', 1] }
    expect(JSON.parse(printableJson(JSON.stringify(document)))).toEqual(document)
  })

  it('keeps the colours of output, and no other code', () => {
    const coloured = '\u001b[31mred\u001b[0m'
    expect(printableOutput(`${coloured}\u001b[2K\u001b[8m\u001b]0;title\u0007`)).toBe(
      `${coloured}[2K[8m]0;title`,
    )
  })
})

describe('a line of a log', () => {
  it('shows what a client chose as escapes, by each way of logging', () => {
    const lines: string[] = []
    const logger = createLogger({ name: 'test', to: { write: (line) => void lines.push(line) } })
    logger.info({ event: 'e', path: HOSTILE }, HOSTILE)
    new FrequentLines(logger).info(`,"path":${jsonString(HOSTILE)}`, HOSTILE)
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      expect(line.trimEnd()).not.toMatch(ACTED_ON)
      expect(JSON.parse(line)).toMatchObject({ path: HOSTILE, msg: HOSTILE })
    }
  })
})
