/**
 * The rules for what a terminal shows.
 *
 * Colours are written only where a person looks: on a terminal, and unless NO_COLOR is set
 * (https://no-color.org). They are the only codes that reach a terminal. Names, messages and schemas come
 * from subgraphs, registries and other teams, so everything that a command writes loses the codes a terminal
 * would act on.
 */
import { printableOutput, printableText } from '@switchyard/service-kit/printable'
import type { CliContext, CliWorld, OutputStream, Printer } from '../run/context.ts'

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

const CLEAR_LINE = '\r\u001b[2K'

/** Returns the context of commands in a process. Its streams remove codes that a terminal would act on. */
export function commandContext(world: CliWorld): CliContext {
  return { ...world, stdout: printerOn(world.stdout), stderr: printerOn(world.stderr) }
}

/** Returns the printer for a stream. A stream that is no terminal gets no colours at all. */
export function printerOn(stream: OutputStream): Printer {
  const printable = stream.isTTY ? printableOutput : printableText
  const write = (text: string): void => stream.write(printable(text))
  return {
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns
    },
    get isClosed() {
      return stream.isClosed === true
    },
    write,
    writeData: stream.isTTY ? write : (text) => stream.write(text),
    clearLine: () => stream.write(CLEAR_LINE),
    drained: async () => stream.drained?.(),
  }
}
