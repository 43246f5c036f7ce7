/** The settings of a worker: what the file held when its primary started, and what it has held since. */
import type { EffectiveSettings } from '../config/effective-settings.ts'
import { type LoadedSettings, loadSettings, reloadSettings } from '../config/reload-settings.ts'
import type { RouterConfig, RouterConfigInput, SettingsFile } from '../config/router-config.ts'
import { messageOf } from '../errors/http-error.ts'
import type { SettingsEvents } from '../observe/settings-events.ts'

/** Follows what the primary tells, one text after the other. */
export class WorkerSettings {
  readonly #file: SettingsFile | null
  readonly #input: Omit<RouterConfigInput, 'file'>
  #settings: EffectiveSettings
  #config: RouterConfig
  #changing: Promise<void> = Promise.resolve()

  /** `reloaded`: what the file holds now; null: the same. Throws RouterConfigError. */
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

  /** Before they are divided among the workers. */
  get current(): RouterConfig {
    return this.#config
  }

  /** `apply`: puts them in force. What goes wrong is told to `events`, and nothing changes then. */
  change(text: string, apply: (config: RouterConfig) => Promise<void>, events: SettingsEvents): void {
    this.#changing = this.#changing.then(async () => {
      try {
        const next = this.#read(text)
        await apply(next.config)
        this.#settings = next.settings
        this.#config = next.config
      } catch (error) {
        events.refused([messageOf(error)])
      }
    })
  }

  #read(text: string): LoadedSettings {
    const file = { path: this.#file?.path ?? '', text }
    return reloadSettings(this.#settings, { ...this.#input, file })
  }
}
