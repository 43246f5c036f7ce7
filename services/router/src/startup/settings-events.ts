/** Logs and counts the changes of the settings file while the router runs. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import type { RetiredUse } from '../config/retired-settings.ts'
import { METER } from '../observe/meter.ts'

/** Names in one line of the log. */
const MAX_NAMES = 50

export const SETTINGS_RELOADS = declareCounter('switchyard.router.settings_reloads', {
  description: 'Readings of a settings file that had changed, by whether the router took it',
  labels: { outcome: ['applied', 'refused'] },
})

/** The log events of this file. */
export const LOGGED = {
  applied: logEvent('settings.applied', {
    level: 'info',
    fields: ['settings', 'count'],
    says: 'The settings file has changed, and requests from now on are answered by it. `settings`: those that have another value, 50 at most; `count`: all of them.',
  }),
  needRestart: logEvent('settings.need-restart', {
    level: 'warn',
    fields: ['settings', 'count'],
    says: 'These settings have changed in the file and keep their values. [The others](configuration.md#settings-that-change-while-a-router-runs) are in force.',
    advice: 'Restart routers one after the other',
  }),
  retired: logEvent('settings.retired', {
    level: 'warn',
    fields: ['settings', 'count'],
    says: 'These are [no settings any more](upgrades.md#settings-that-are-gone) and have no effect. The message says where each is, what holds instead, and which version will refuse it. Logged at the start and whenever the file has changed.',
    advice: 'Take them out of the file',
  }),
  refused: logEvent('settings.refused', {
    level: 'error',
    fields: ['problems'],
    says: 'The settings file has changed and cannot be used, or is gone: all settings stay as they are.',
    advice: 'Correct the file, which is tried again. `switchyard router config --check` says the same',
  }),
}

/** Logs and counts the outcomes of settings that are read again. */
export class SettingsEvents {
  readonly #log: Logger
  readonly #reloads = metrics.getMeter(METER).createCounter(SETTINGS_RELOADS.name, SETTINGS_RELOADS.options)

  constructor(logger: Logger) {
    this.#log = logger
  }

  /** `changed`: the settings that have another value for requests that come from now on. */
  applied(changed: readonly string[]): void {
    this.#reloads.add(1, { outcome: 'applied' })
    const names = changed.slice(0, MAX_NAMES)
    LOGGED.applied.write(
      this.#log,
      { settings: names, count: changed.length },
      changed.length === 0
        ? 'The settings file was read again; nothing in it is different for requests'
        : `Settings that were read again are in force: ${names.join(', ')}`,
    )
  }

  /** The file has other values of these, which the router does not take while it runs. */
  needRestart(settings: readonly string[]): void {
    const names = settings.slice(0, MAX_NAMES)
    LOGGED.needRestart.write(
      this.#log,
      { settings: names, count: settings.length },
      `These settings have changed in the file, and keep their values until the router is restarted: ${names.join(', ')}`,
    )
  }

  /** Somebody still gives settings of earlier versions. */
  retired(uses: readonly RetiredUse[]): void {
    const told = uses.map(
      ({ name, source, now, refusedFrom }) =>
        `${name} (${source}; refused from version ${refusedFrom}): ${now}`,
    )
    LOGGED.retired.write(
      this.#log,
      { settings: uses.map(({ name }) => name), count: uses.length },
      `These are no settings any more and have no effect. Take them out before a later version refuses them. ${told.join('; ')}`,
    )
  }

  refused(problems: readonly string[]): void {
    this.#reloads.add(1, { outcome: 'refused' })
    LOGGED.refused.write(
      this.#log,
      { problems },
      `The settings file has changed and cannot be used: all settings stay as they are. ${problems.join('; ')}`,
    )
  }
}
