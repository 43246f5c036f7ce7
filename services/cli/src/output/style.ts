/** Colours, only where a person looks: on a terminal, and unless NO_COLOR is set (https://no-color.org). */
import type { OutputStream } from '../context.ts'

/** Functions that put a text between the codes of a colour, or return it as it is. */
export type Style = {
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
}

/** The colours for one stream. */
export function styleFor(output: OutputStream, env: Readonly<Record<string, string | undefined>>): Style {
  const colours = output.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { red: paint(31), green: paint(32), yellow: paint(33), dim: paint(2), bold: paint(1) }
}
