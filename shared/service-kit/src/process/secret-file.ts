import { readFileSync } from 'node:fs'
import { UnusableFileError } from '../servers/server-problem.ts'

/**
 * A secret in a file, read whenever it is asked for. While the file cannot be read, what it held before is
 * used.
 */
export class SecretFile {
  readonly #path: string
  readonly #form: RegExp
  readonly #what: string
  #last = ''

  /** `what` the file should hold, for messages; `form` tells whether it does. */
  constructor(path: string, form = /^\S+$/, what = 'one line without white space') {
    this.#path = path
    this.#form = form
    this.#what = what
  }

  /** Throws when the file cannot be read, or holds something else. */
  check(): string {
    const text = readFileSync(this.#path, 'utf8').trim()
    if (!this.#form.test(text)) throw new UnusableFileError(`${this.#path} does not hold ${this.#what}`)
    this.#last = text
    return text
  }

  readonly read = (): string => {
    try {
      this.check()
    } catch {
      // Whoever looks for the reason why there is no connection calls `check`.
    }
    return this.#last
  }
}
