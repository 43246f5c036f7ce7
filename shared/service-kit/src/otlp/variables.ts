import { type Environment, EnvironmentError } from '../process/environment.ts'

/** Reads variables, and collects what is wrong with all of them. */
export class OtelVariables {
  readonly warnings: string[] = []
  readonly #env: Environment
  readonly #problems: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  has(name: string): boolean {
    return this.text(name) !== undefined
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  list(name: string): readonly string[] | undefined {
    return this.text(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  }

  /** Returns the exporters of a signal, without `none`; undefined if the variable is not set. */
  exporters<const Value extends string>(name: string, known: readonly Value[]): readonly Value[] | undefined {
    const named = this.list(name)
    if (named === undefined) return undefined
    for (const one of named)
      if (one !== 'none' && !known.some((value) => value === one))
        this.wrong(name, one, `expected ${known.join(', ')}, several with commas, or none`)
    if (named.length > 1 && named.includes('none'))
      this.wrong(name, named.join(','), 'expected none alone, or exporters')
    return known.filter((value) => named.includes(value))
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = values.find((known) => known === text)
    if (value === undefined) this.wrong(name, text, `expected ${values.join(' or ')}`)
    return value ?? fallback
  }

  integer(name: string, fallback: number, max: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= max) return value
    this.wrong(name, text, `expected a whole number from 1 to ${max}`)
    return fallback
  }

  /** `name=value,name=value` with values as in URLs, as W3C Baggage has them. */
  pairs(name: string): Readonly<Record<string, string>> {
    const pairs: Record<string, string> = {}
    for (const part of this.list(name) ?? []) {
      const [, key, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*)$/.exec(part) ?? []
      const decoded = value === undefined ? null : decodedOrNull(value)
      // The value is not shown: it may be what lets into the collector.
      if (key === undefined || decoded === null || /[\r\n\0]/.test(decoded)) {
        this.wrong(name, null, 'expected header=value, separated by commas, with values encoded as in URLs')
        return {}
      }
      pairs[key] = decoded
    }
    return pairs
  }

  /** `value` null: it is not shown. */
  wrong(name: string, value: string | null, expectation: string): void {
    const shown =
      value === null ? 'set to a value that is not shown here' : JSON.stringify(value.slice(0, 200))
    this.#problems.push(`${name} is ${shown}: ${expectation}`)
  }

  check(): void {
    if (this.#problems.length > 0) throw new EnvironmentError([...new Set(this.#problems)])
  }
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
