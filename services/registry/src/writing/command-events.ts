import { metrics } from '@opentelemetry/api'
import {
  declareCounter,
  declareHistogram,
  HTTP_DURATIONS,
  logEvent,
  type Logger,
} from '@switchyard/service-kit'

export type CommandEvents = ReturnType<typeof commandEvents>

export type CommandFacts = {
  readonly namespace: string
  readonly command: string
  readonly commandId: string
  readonly actor: string
  readonly traceparent: string
  /** The id of the API key or trace key that the command is about. The id is no secret. */
  readonly keyId?: string
}

const LABELS = { command: '', outcome: ['applied', 'unchanged', 'refused', 'unknown'] }

export const COMMANDS = declareCounter('switchyard.registry.commands', {
  description: 'Commands that were carried out or refused, by kind and outcome',
  labels: LABELS,
})

export const COMMAND_DURATION = declareHistogram('switchyard.registry.command_duration', {
  unit: 's',
  description: 'How long it took to decide and write commands, without waiting for what they cause',
  boundaries: HTTP_DURATIONS,
  labels: LABELS,
})

/** The log events of this file. */
export const LOGGED = {
  commandApplied: logEvent('registry.command.applied', {
    level: 'info',
    fields: ['namespace', 'command', 'commandId', 'actor', 'traceparent', 'sequence', 'changed'],
    says: 'A command was carried out, or had nothing to change.',
  }),
  commandRefused: logEvent('registry.command.refused', {
    level: 'info',
    fields: ['namespace', 'command', 'commandId', 'actor', 'traceparent', 'code'],
    says: 'A command was refused, and changed nothing.',
  }),
  commandUnknown: logEvent('registry.command.unknown', {
    level: 'info',
    fields: ['namespace', 'command', 'commandId', 'actor', 'traceparent', 'code'],
    says: 'NATS did not say whether it wrote the record of a command.',
    advice: 'Send the command again with its idempotency key. The command line does so by itself',
  }),
  appendConflict: logEvent('registry.append.conflict', {
    level: 'debug',
    fields: ['attempt'],
    says: 'another registry wrote first: the command is decided again',
  }),
  appendUnknown: logEvent('registry.append.unknown', {
    level: 'warn',
    fields: ['err'],
    says: 'NATS did not say whether it stored the record: the sender of the command is told so, and may send it again',
    advice: 'Look at NATS',
  }),
}

/** Returns the functions that log and count commands, and how their records were written. */
export function commandEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/registry')
  const commands = meter.createCounter(COMMANDS.name, COMMANDS.options)
  const commandDurations = meter.createHistogram(COMMAND_DURATION.name, COMMAND_DURATION.options)
  const commandEnded = (command: string, outcome: string, milliseconds: number): void => {
    commands.add(1, { command, outcome })
    commandDurations.record(milliseconds / 1000, { command, outcome })
  }
  return {
    commandApplied(
      facts: CommandFacts,
      outcome: { sequence: number; changed: boolean },
      milliseconds: number,
    ): void {
      commandEnded(facts.command, outcome.changed ? 'applied' : 'unchanged', milliseconds)
      LOGGED.commandApplied.write(
        logger,
        { ...facts, ...outcome },
        `the command ${facts.command} ${outcome.changed ? 'was applied' : 'had nothing to change'}`,
      )
    },
    commandRefused(facts: CommandFacts, code: string, milliseconds: number): void {
      const isUnknown = code === 'WRITE_OUTCOME_UNKNOWN'
      commandEnded(facts.command, isUnknown ? 'unknown' : 'refused', milliseconds)
      const message = isUnknown
        ? `nobody knows whether the command ${facts.command} was written`
        : `the command ${facts.command} was refused: ${code}`
      const event = isUnknown ? LOGGED.commandUnknown : LOGGED.commandRefused
      event.write(logger, { ...facts, code }, message)
    },
    appendConflict(facts: CommandFacts, attempt: number): void {
      LOGGED.appendConflict.write(logger, { ...facts, attempt })
    },
    appendOutcomeUnknown(facts: CommandFacts, error: unknown): void {
      LOGGED.appendUnknown.write(logger, { ...facts, err: error })
    },
  }
}
