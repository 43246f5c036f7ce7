/** Options of commands, declared as values: how they are written, what they hold, and how that is checked. */
import { splitWords } from './arguments.ts'
import { UsageError } from '../run/errors.ts'
import type { WordCompletion, ValueType } from './value-types.ts'

/** One option of a command. */
export type OptionSpec<Value> = {
  /** The flags in commander's form: `-f, --force`, `--schema <file>`, `--label <labels...>`. */
  readonly flags: string
  readonly description: string
  readonly required: boolean
  /** Known, so that a refusal can say why, but not shown. */
  readonly hidden?: true
  readonly fallback?: string
  readonly completion?: WordCompletion | undefined
  /** `raw` is what commander collected. */
  readonly parse: (raw: unknown) => Value
}

/** The options of a command, by the names that the command has for their values. */
export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>

/** The checked values of options. */
export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends OptionSpec<infer Value> ? Value : never
}

/** An option without a value. `--no-…` is true unless given. */
export function flag(flags: string, description: string): OptionSpec<boolean> {
  const whenAbsent = flags.includes('--no-')
  return {
    flags,
    description,
    required: false,
    parse: (raw) => (typeof raw === 'boolean' ? raw : whenAbsent),
  }
}

/** An option with a value that need not be given. */
export function optional<Value>(
  flags: string,
  description: string,
  type: ValueType<Value>,
): OptionSpec<Value | undefined> {
  const parse = (raw: unknown) => (typeof raw === 'string' ? type.parse(raw) : undefined)
  return { flags, description, required: false, completion: type.completion, parse }
}

/** An option that must be given. */
export function required<Value>(
  flags: string,
  description: string,
  type: ValueType<Value>,
): OptionSpec<Value> {
  return {
    flags,
    description,
    required: true,
    completion: type.completion,
    parse: (raw) => type.parse(text(raw)),
  }
}

/** An option whose value is this when it is not given. */
export function defaulted<Value>(
  flags: string,
  description: string,
  type: ValueType<Value>,
  fallback: string,
): OptionSpec<Value> {
  return { ...required(flags, description, type), required: false, fallback }
}

/** Several words, separated by spaces; `parse` gets all of them. */
export function list<Value>(
  flags: string,
  description: string,
  parse: (words: readonly string[]) => Value,
): OptionSpec<Value | undefined> {
  return {
    flags,
    description,
    required: false,
    parse: (raw) => (Array.isArray(raw) ? parse(splitWords(raw.map(text))) : undefined),
  }
}

/** Returns an option that takes at least one word and has to be given. */
export function requiredList<Value>(
  flags: string,
  description: string,
  type: ValueType<Value>,
): OptionSpec<readonly Value[]> {
  return {
    flags,
    description,
    required: true,
    completion: type.completion,
    parse: (raw) => atLeastOne(flags, raw).map(type.parse),
  }
}

/** Returns an option that takes at least one word if it is given at all. */
export function optionalList<Value>(
  flags: string,
  description: string,
  type: ValueType<Value>,
): OptionSpec<readonly Value[] | undefined> {
  return {
    flags,
    description,
    required: false,
    completion: type.completion,
    parse: (raw) => (raw === undefined ? undefined : atLeastOne(flags, raw).map(type.parse)),
  }
}

/** Returns an option that may be given several times. Each value is taken as it stands, with its spaces. */
export function repeated<Value>(
  flags: string,
  description: string,
  type: ValueType<Value>,
): OptionSpec<readonly Value[] | undefined> {
  return {
    flags,
    description,
    required: false,
    completion: type.completion,
    parse: (raw) => (Array.isArray(raw) ? raw.map((one) => type.parse(text(one))) : undefined),
  }
}

/** `--label` and `--unset-labels` together: what the labels become; undefined leaves them as they are. */
export function chosenLabels(options: {
  readonly label: string[] | undefined
  readonly unsetLabels: boolean
}): string[] | undefined {
  if (!options.unsetLabels) return options.label
  if (options.label === undefined) return []
  throw new UsageError('--label and --unset-labels contradict each other.')
}

/** The same option, left out of help and completion. */
export function hidden<Value>(spec: OptionSpec<Value>): OptionSpec<Value> {
  return { ...spec, hidden: true }
}

function atLeastOne(flags: string, raw: unknown): readonly string[] {
  const words = splitWords(Array.isArray(raw) ? raw.map(text) : [])
  if (words.length > 0) return words
  throw new UsageError(`${/--[a-z][a-z-]+(?= )/.exec(flags)?.[0] ?? flags} needs at least one name.`)
}

function text(raw: unknown): string {
  if (typeof raw === 'string') return raw
  throw new TypeError(`commander gave ${typeof raw} for an option with a value`)
}
