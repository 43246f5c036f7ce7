/**
 * Watches the settings file of a running router. Its content is read from time to time, and compared: that
 * sees editors that rename a new file into its place, and the links that Kubernetes swaps under a ConfigMap,
 * on file systems of any kind. However often the file is written, it is taken once in an interval at most.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@switchyard/values'
import { RouterConfigError } from '../settings/config-error.ts'
import type { EffectiveSettings } from '../config/effective-settings.ts'
import { type LoadedSettings, type ReloadedSettings, reloadSettings } from '../config/reload-settings.ts'
import type { RouterConfigInput, SettingsFile } from '../config/router-config.ts'
import { announceRetired } from './announce-settings.ts'
import type { SettingsEvents } from './settings-events.ts'

/** The file that a router was started with. */
export type WatchedSettings = {
  readonly path: string
  /** The text of the file as it was read at the start. */
  readonly text: string
  /** The settings that were made of the text. */
  readonly running: EffectiveSettings
  /** Checks another text. Throws if it cannot be used. */
  readonly read: (text: string, running: EffectiveSettings) => ReloadedSettings
}

type Options = WatchedSettings & {
  /** Milliseconds. */
  readonly interval: number
  /** Puts settings in force. `text` is the text of the file. Rejects, and changes nothing, if that fails. */
  readonly apply: (settings: ReloadedSettings, text: string) => Promise<void>
  readonly events: SettingsEvents
}

/** Makes the options for following a file that was read at the start. */
export function watchedSettings(
  input: Omit<RouterConfigInput, 'file'>,
  { path, text }: SettingsFile,
  { settings: running }: LoadedSettings,
): WatchedSettings {
  const read = (next: string, before: EffectiveSettings) =>
    reloadSettings(before, { ...input, file: { path, text: next } })
  return { path, text, running, read }
}

/** A file that is being written is read again after this many milliseconds, until it stays the same. */
const SETTLE_MS = 200
const SETTLE_TRIES = 20

/** Disposing ends the watching. */
export class SettingsFileWatch implements Disposable {
  readonly #options: Options
  readonly #timer: NodeJS.Timeout
  #running: EffectiveSettings
  /** The text of the file that is in force. */
  #text: string
  /** The message about the latest text that cannot be used, so that it is logged once. */
  #refused: string | null = null
  #isLooking = false
  /** Whether a look was requested while another one was in progress. */
  #looksAgain = false
  #isOver = false

  constructor(options: Options) {
    this.#options = options
    this.#running = options.running
    this.#text = options.text
    this.#timer = setInterval(() => void this.#look(false), options.interval).unref()
  }

  /** Looks at the file at once, and says again what is wrong with it. */
  look(): void {
    void this.#look(true)
  }

  async #look(isAsked: boolean): Promise<void> {
    if (this.#isLooking) {
      this.#looksAgain ||= isAsked
      return
    }
    this.#isLooking = true
    if (isAsked) this.#refused = null
    try {
      const text = await this.#settled()
      if (text !== null) await this.#take(text)
    } catch (error) {
      this.#refuse(error)
    }
    this.#isLooking = false
    if (!this.#looksAgain || this.#isOver) return
    this.#looksAgain = false
    await this.#look(true)
  }

  /** Returns the text of the file once it is not being written any more; null if it is the one in force. */
  async #settled(): Promise<string | null> {
    let text = await readFile(this.#options.path, 'utf8')
    for (let tries = 0; tries < SETTLE_TRIES && text !== this.#text; tries++) {
      await sleep(SETTLE_MS, undefined, { ref: false })
      const before = text
      text = await readFile(this.#options.path, 'utf8')
      if (text === before) return text
    }
    if (text === this.#text) this.#refused = null
    return null
  }

  async #take(text: string): Promise<void> {
    const { read, apply, events } = this.#options
    const next = read(text, this.#running)
    if (this.#isOver) return
    await apply(next, text)
    this.#running = next.settings
    this.#text = text
    this.#refused = null
    events.applied(next.changed)
    if (next.needRestart.length > 0) events.needRestart(next.needRestart)
    announceRetired(next.config, events)
  }

  #refuse(error: unknown): void {
    const problems = error instanceof RouterConfigError ? error.problems : [messageOf(error)]
    const said = problems.join('\n')
    if (said === this.#refused || this.#isOver) return
    this.#refused = said
    this.#options.events.refused(problems)
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }
}
