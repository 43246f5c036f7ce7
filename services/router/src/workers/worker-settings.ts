/** The settings of a worker: what the file held when its primary started, and what it has held since. */
import { messageOf } from '@switchyard/values'
import type { EffectiveSettings } from '../config/effective-settings.ts'
import { RouterConfigError } from '../settings/config-error.ts'
import { type LoadedSettings, loadSettings, reloadSettings } from '../config/reload-settings.ts'
import type { RouterConfig, RouterConfigInput, SettingsFile } from '../config/router-config.ts'
import type { PreparedSettings } from '../startup/start-router.ts'

/** Follows what the primary tells, one text after the other. */
export class WorkerSettings {
  readonly #file: SettingsFile | null
  readonly #input: Omit<RouterConfigInput, 'file'>
  #settings: EffectiveSettings
  #config: RouterConfig
  /** Settings for which it is not decided yet whether they are put in force. */
  #prepared: { readonly next: LoadedSettings; readonly settings: PreparedSettings } | null = null

  /**
   * Loads the settings. `reloaded` is the present text of the file; null if it is the same. Throws
   * RouterConfigError.
   */
  constructor(
    { file, reloaded }: { readonly file: SettingsFile | null; readonly reloaded: string | null },
    input: Omit<RouterConfigInput, 'file'>,
  ) {
    this.#file = file
    this.#input = input
    const first = loadSettings({ ...input, file })
    this.#settings = first.settings
    const { settings, config } = reloaded === null ? first : this.#read(reloaded)
    this.#settings = settings
    this.#config = config
  }

  /** The settings in force, before they are divided among the workers. */
  get current(): RouterConfig {
    return this.#config
  }

  /**
   * Checks settings, and lets `prepare` open all that they need. Resolves with their problems, or with null
   * if `decide` can put them in force at once.
   */
  async prepare(
    text: string,
    prepare: (config: RouterConfig) => Promise<PreparedSettings>,
  ): Promise<readonly string[] | null> {
    await this.decide(false)
    try {
      const next = this.#read(text)
      this.#prepared = { next, settings: await prepare(next.config) }
      return null
    } catch (error) {
      return error instanceof RouterConfigError ? error.problems : [messageOf(error)]
    }
  }

  /** Puts in force what was prepared last, or lets go of it. */
  async decide(isTaken: boolean): Promise<void> {
    const prepared = this.#prepared
    this.#prepared = null
    if (prepared === null) return
    const { next, settings } = prepared
    if (!isTaken) return await settings.letGo()
    settings.putInForce()
    this.#settings = next.settings
    this.#config = next.config
  }

  #read(text: string): LoadedSettings {
    const file = { path: this.#file?.path ?? '', text }
    return reloadSettings(this.#settings, { ...this.#input, file })
  }
}
