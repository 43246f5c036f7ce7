/**
 * JSON lines with stable event names. Secrets are cut by field name, wherever a line's first two levels carry
 * them.
 */
import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { logContext } from './log-context.ts'
import { printableJson } from '../text/printable.ts'
import { standardStream } from './standard-streams.ts'
import { VERSION } from '../text/version.ts'
import { logEvent } from './log-event.ts'

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
  const { to = 'stdout' } = options
  const stream = typeof to === 'object' ? to : standardStream(to, (lines) => tellLost(logger, lines))
  const logger = pino(
    {
      name: options.name,
      // As spans and metrics name it; some events have a `version` of something else.
      base: { pid: process.pid, hostname: hostname(), 'service.version': VERSION },
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
      // Clients and subgraphs choose what some fields hold, and somebody reads the log at a terminal.
      hooks: { streamWrite: printableJson },
    },
    stream,
  )
  return logger
}

const NOTHING = {}

/** The log events of this file. */
export const LOGGED = {
  linesLost: logEvent('log.lines-lost', {
    level: 'warn',
    fields: ['lines'],
    says: 'lines of this log were lost, since nobody read them or the disk was full; further lines are written again',
    advice: 'Find out what holds up the reader of the log',
  }),
}

/** Its reader took nothing for a while, or the disk was full. */
function tellLost(logger: Logger, lines: number): void {
  LOGGED.linesLost.write(logger, { lines })
}
