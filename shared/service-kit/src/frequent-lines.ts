/**
 * Lines of level info that are logged so often that the general way would cost much of what they tell of:
 * nothing in them is redacted or serialised specially, and they are written together with others, within a
 * tenth of a second.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { LineWriter } from './line-writer.ts'
import { logContext } from './log-context.ts'

/** What one line tells. No name of a field that is redacted is among them, and no value is an object. */
export type FlatFields = Readonly<Record<string, string | number | boolean | null>>

/** Writes the same lines as `logger.info` does. */
export class FrequentLines {
  readonly #logger: Logger
  readonly #stream: DestinationStream
  /** What all lines of the logger have after their time: the process and its name. */
  readonly #bindings: string
  /** Unix milliseconds of the last line, and the text of it, which costs half as much as the line. */
  #now = 0
  #time = ''

  constructor(logger: Logger) {
    this.#logger = logger
    const stream: unknown = Reflect.get(logger, pino.symbols.streamSym)
    const bindings: unknown = Reflect.get(logger, pino.symbols.chindingsSym)
    if (!isStream(stream) || typeof bindings !== 'string') throw new Error('This is no logger of pino.')
    this.#stream = stream
    this.#bindings = bindings
  }

  get isEnabled(): boolean {
    return this.#logger.isLevelEnabled('info')
  }

  info(fields: FlatFields, message: string): void {
    const context = logContext()
    const text = JSON.stringify(context === undefined ? fields : { ...context, ...fields })
    const line = `{"level":"info","time":"${this.#timeNow()}"${this.#bindings},${text.slice(1, -1)},"msg":${JSON.stringify(message)}}\n`
    if (this.#stream instanceof LineWriter) this.#stream.writeSoon(line)
    else this.#stream.write(line)
  }

  #timeNow(): string {
    const now = Date.now()
    if (now !== this.#now) this.#time = new Date(now).toISOString()
    this.#now = now
    return this.#time
  }
}

function isStream(value: unknown): value is DestinationStream {
  return typeof value === 'object' && value !== null && 'write' in value && typeof value.write === 'function'
}
