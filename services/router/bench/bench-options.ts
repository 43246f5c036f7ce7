/** The options of a benchmark on its command line. */
import { parseArgs } from 'node:util'

/** Defaults by name: a number of 0 or more, a text, a switch, or null for a text that may be absent. */
export type Defaults = Readonly<Record<string, number | string | boolean | null>>

type Given<Default> = Default extends number
  ? number
  : Default extends boolean
    ? boolean
    : Default extends null
      ? string | null
      : string

/**
 * Reads the options in `words`, over the defaults. Ends the process with 2 if the words are no such options,
 * and with 0 after printing the options if they are `--help`.
 */
export function benchOptions<Options extends Defaults>(
  defaults: Options,
  words: readonly string[] = process.argv.slice(2),
): { readonly [Name in keyof Options]: Given<Options[Name]> } {
  if (words.includes('--help')) {
    process.stdout.write(usageOf(defaults))
    process.exit(0)
  }
  try {
    return optionsIn(words, defaults)
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    process.stderr.write(usageOf(defaults))
    return process.exit(2)
  }
}

/** Throws an error whose message says what is wrong. */
export function optionsIn<Options extends Defaults>(
  words: readonly string[],
  defaults: Options,
): { readonly [Name in keyof Options]: Given<Options[Name]> } {
  const types = Object.entries(defaults).map(([name, value]) => [
    name,
    { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
  ])
  const parsed = parseArgs({ args: [...words], options: Object.fromEntries(types) })
  const values = new Map<string, unknown>(Object.entries(parsed.values))
  const options = Object.entries(defaults).map(([name, fallback]) => [
    name,
    valueOf(name, values.get(name), fallback),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value has the type of its default
  return Object.fromEntries(options) as { readonly [Name in keyof Options]: Given<Options[Name]> }
}

function valueOf(name: string, given: unknown, fallback: Defaults[string]): Defaults[string] {
  if (typeof given === 'boolean') return given
  if (typeof given !== 'string') return fallback
  if (typeof fallback !== 'number') return given
  const number = Number(given)
  if (given.trim() !== '' && number >= 0 && Number.isFinite(number)) return number
  throw new Error(`--${name} is ${JSON.stringify(given)}: expected a number of 0 or more.`)
}

function usageOf(defaults: Defaults): string {
  const lines = Object.entries(defaults).map(([name, value]) => {
    if (typeof value === 'boolean') return `  --${name}`
    const kind = typeof value === 'number' ? 'number' : 'text'
    return `  --${name} <${kind}>${value === null || value === '' ? '' : `   default: ${value}`}`
  })
  return `options:\n${lines.join('\n')}\n`
}
