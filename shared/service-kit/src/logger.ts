/**
 * JSON lines with stable event names. Secrets are cut by field name, wherever a line's first two levels carry
 * them.
 */
import { logContext } from './log-context.ts'
import { isNobodyReading } from './terminal.ts'
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type LoggerOptions = {
  readonly name: string
  readonly level?: LogLevel
  /** Where lines go; standard output unless given. Tests collect lines with a stream of their own. */
  readonly to?: 'stdout' | 'stderr' | DestinationStream
}

const SECRET_FIELDS = ['authorization', 'cookie', 'apiKey', 'bootstrapApiKey', 'password', 'secret', 'token']

export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      name: options.name,
      level: options.level ?? 'info',
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
        censor: '[hidden]',
      },
      serializers: { err: stdSerializers.err, error: stdSerializers.err },
      mixin: () => logContext() ?? NOTHING,
      // Most lines have no context, and are not copied.
      mixinMergeStrategy: (line, context) => (context === NOTHING ? line : { ...context, ...line }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    streamOf(options.to ?? 'stdout'),
  )
}

const NOTHING = {}

/** Synchronous on purpose: the last line before an exit is the one that matters most. */
function streamOf(to: 'stdout' | 'stderr' | DestinationStream): DestinationStream {
  if (typeof to === 'object') return to
  const stream = destination({ dest: to === 'stdout' ? 1 : 2, sync: true })
  // A service does not end because nobody reads its log any more.
  stream.on('error', (error: unknown) => {
    if (!isNobodyReading(error)) throw error
  })
  return stream
}
