/** Logs and counts the changes of the settings file while the router runs. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, type Logger } from '@switchyard/service-kit'
import type { RetiredUse } from '../config/retired-settings.ts'
import { METER } from '../observe/meter.ts'

/** Names in one line of the log. */
const MAX_NAMES = 50

export const SETTINGS_RELOADS = declareCounter('switchyard.router.settings_reloads', {
  description: 'Readings of a settings file that had changed, by whether the router took it',
  labels: { outcome: ['applied', 'refused'] },
})

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
    this.#log.info(
      { event: 'settings.applied', settings: names, count: changed.length },
      changed.length === 0
        ? 'The settings file was read again; nothing in it is different for requests'
        : `Settings that were read again are in force: ${names.join(', ')}`,
    )
  }

  /** The file has other values of these, which the router does not take while it runs. */
  needRestart(settings: readonly string[]): void {
    const names = settings.slice(0, MAX_NAMES)
    this.#log.warn(
      { event: 'settings.need-restart', settings: names, count: settings.length },
      `These settings have changed in the file, and keep their values until the router is restarted: ${names.join(', ')}`,
    )
  }

  /** Somebody still gives settings of earlier versions. */
  retired(uses: readonly RetiredUse[]): void {
    const told = uses.map(
      ({ name, source, now, refusedFrom }) =>
        `${name} (${source}; refused from version ${refusedFrom}): ${now}`,
    )
    this.#log.warn(
      { event: 'settings.retired', settings: uses.map(({ name }) => name), count: uses.length },
      `These are no settings any more and have no effect. Take them out before a later version refuses them. ${told.join('; ')}`,
    )
  }

  refused(problems: readonly string[]): void {
    this.#reloads.add(1, { outcome: 'refused' })
    this.#log.error(
      { event: 'settings.refused', problems },
      `The settings file has changed and cannot be used: all settings stay as they are. ${problems.join('; ')}`,
    )
  }
}
