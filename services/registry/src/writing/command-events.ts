import { metrics } from '@opentelemetry/api'
import { declareCounter, declareHistogram, HTTP_DURATIONS, type Logger } from '@switchyard/service-kit'

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
      logger.info(
        { event: 'registry.command.applied', ...facts, ...outcome },
        `the command ${facts.command} ${outcome.changed ? 'was applied' : 'had nothing to change'}`,
      )
    },
    commandRefused(facts: CommandFacts, code: string, milliseconds: number): void {
      const isUnknown = code === 'WRITE_OUTCOME_UNKNOWN'
      commandEnded(facts.command, isUnknown ? 'unknown' : 'refused', milliseconds)
      const event = isUnknown ? 'registry.command.unknown' : 'registry.command.refused'
      logger.info(
        { event, ...facts, code },
        isUnknown
          ? `nobody knows whether the command ${facts.command} was written`
          : `the command ${facts.command} was refused: ${code}`,
      )
    },
    appendConflict(facts: CommandFacts, attempt: number): void {
      logger.debug(
        { event: 'registry.append.conflict', ...facts, attempt },
        'another registry wrote first: the command is decided again',
      )
    },
    appendOutcomeUnknown(facts: CommandFacts, error: unknown): void {
      logger.warn(
        { event: 'registry.append.unknown', ...facts, err: error },
        'NATS did not say whether it stored the record: the sender of the command is told so, and may send it again',
      )
    },
  }
}
