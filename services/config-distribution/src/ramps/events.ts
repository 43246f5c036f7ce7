/** Log events and metrics of ramps. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { describeJudgement } from '@switchyard/guards'
import type { RampCommand } from './management-api.ts'

/** The log events of this file. */
export const LOGGED = {
  moved: logEvent('ramp.moved', {
    level: 'info',
    fields: ['namespace', 'rollout', 'action', 'judgement'],
    says: 'A ramp was sent on to its next step, was ended, or its rollout was completed.',
  }),
  stopped: logEvent('ramp.stopped', {
    level: 'warn',
    fields: ['namespace', 'rollout', 'action', 'judgement'],
    says: 'A guard or the emergency stop aborted a rollout, or a step ended without being clear, so that its ramp was paused. `judgement` has the figures that decided.',
    advice: '`switchyard rollout figures` lists errors by code and operation; `rollout resume` goes on',
  }),
  held: logEvent('ramp.held', {
    level: 'warn',
    fields: ['namespace', 'rollout', 'routers'],
    says: 'A step is over, and less than 90 % of the living routers have reported figures of it. The ramp waits for them.',
    advice:
      'Look at the routers that are named: an older version ignores rollouts, and one without the fleet key reports nothing',
  }),
  refused: logEvent('ramp.command-refused', {
    level: 'error',
    fields: ['namespace', 'rollout', 'action', 'reason'],
    says: 'The registry refused a command about a ramp, which stays where it is.',
    advice:
      'Give SWITCHYARD_ROLLOUT_API_KEY, or the file that SWITCHYARD_ROLLOUT_API_KEY_FILE names, a key with the scope `rollout:<namespace>`',
  }),
  away: logEvent('ramp.registry-away', {
    level: 'warn',
    fields: ['namespace', 'rollout', 'action', 'reason'],
    says: 'The registry could not be asked to move a ramp, which stays where it is. It is tried again.',
    advice: 'Look at the registry, and at SWITCHYARD_REGISTRY_URL',
  }),
  lookFailed: logEvent('ramp.look-failed', {
    level: 'error',
    fields: ['err'],
    says: 'ramps could not be judged; it is tried again every second',
    advice: 'Report this, with the line',
  }),
  unattended: logEvent('ramp.unattended', {
    level: 'warn',
    fields: ['namespace', 'rollout', 'reason'],
    says: 'A rollout is on a ramp that nobody moves: this service has no API key for the registry, or not its address. `reason` says what is missing.',
    advice:
      'Set SWITCHYARD_REGISTRY_URL, and SWITCHYARD_ROLLOUT_API_KEY or SWITCHYARD_ROLLOUT_API_KEY_FILE. A file is read again every second',
  }),
}

const ACTIONS = ['advance', 'pause', 'abort', 'complete', 'end-ramp'] as const

export const RAMP_COMMANDS = declareCounter('switchyard.config_distribution.ramp_commands', {
  description: 'Commands about ramps that took effect, by what they did',
  labels: { action: ACTIONS },
})

/** Returns the functions that log and count the events of ramps. */
export function createRampEvents(logger: Logger) {
  const counter = metrics
    .getMeter('@switchyard/config-distribution')
    .createCounter(RAMP_COMMANDS.name, RAMP_COMMANDS.options)
  for (const action of ACTIONS) counter.add(0, { action })
  return {
    moved({ namespace, rollout, action, body }: RampCommand): void {
      counter.add(1, { action })
      const judgement = figuresOf(body)
      const event = action === 'abort' || action === 'pause' ? LOGGED.stopped : LOGGED.moved
      event.write(
        logger,
        { namespace, rollout, action, judgement },
        `rollout "${rollout}": ${WORDS[action]}${judgement.length === 0 ? '' : ` (${judgement.join('; ')})`}`,
      )
    },
    held(namespace: string, rollout: string, routers: readonly string[]): void {
      LOGGED.held.write(
        logger,
        { namespace, rollout, routers: routers.slice(0, MOST_NAMED) },
        routers.length === 0
          ? `the ramp of rollout "${rollout}" waits: no living router was heard`
          : `the ramp of rollout "${rollout}" waits for figures of ${routers.slice(0, MOST_NAMED).join(', ')}${routers.length > MOST_NAMED ? ` and ${routers.length - MOST_NAMED} more` : ''}`,
      )
    },
    failed(kind: 'refused' | 'away', { namespace, rollout, action }: RampCommand, reason: string): void {
      const event = kind === 'away' ? LOGGED.away : LOGGED.refused
      event.write(
        logger,
        { namespace, rollout, action, reason },
        `rollout "${rollout}" could not be told to ${action}: ${reason}`,
      )
    },
    lookFailed(error: unknown): void {
      LOGGED.lookFailed.write(logger, { err: error })
    },
    unattended(namespace: string, rollout: string, reason: string): void {
      LOGGED.unattended.write(
        logger,
        { namespace, rollout, reason },
        `nobody moves the ramp of rollout "${rollout}": ${reason}`,
      )
    },
  }
}
export type RampEvents = ReturnType<typeof createRampEvents>

const MOST_NAMED = 10

const WORDS: Readonly<Record<RampCommand['action'], string>> = {
  advance: 'its ramp went on to the next step',
  'end-ramp': 'its ramp ended at its last percentage',
  complete: 'it was completed',
  pause: 'its ramp was paused, since its step is not clear',
  abort: 'it was aborted',
}

function figuresOf({ judgement, emergency }: RampCommand['body']): readonly string[] {
  if (emergency !== undefined) {
    return [`${emergency.errors} of ${emergency.requests} requests inside failed within ten seconds`]
  }
  return judgement === undefined ? [] : describeJudgement(judgement)
}
