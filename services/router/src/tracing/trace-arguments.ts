/** Reads the value with which a request asks for a trace: `true`, or arguments that leave parts out. */
import type { TraceExclusion } from '@switchyard/contracts'

/** The parts that a trace has. */
export type TraceParts = {
  readonly rawInputData: boolean
  readonly input: boolean
  readonly output: boolean
  readonly loadStats: boolean
  readonly plannerStats: boolean
  readonly parseStats: boolean
  readonly normalizeStats: boolean
  readonly validateStats: boolean
}

export type TraceArguments = TraceParts & {
  /** Every time in the trace is a constant. */
  readonly predictableTimings: boolean
}

export type AskedTrace = {
  readonly arguments: TraceArguments
  /** Warnings about arguments that do not exist. */
  readonly warnings: readonly string[]
}

const PARTS: Readonly<Record<TraceExclusion, keyof TraceParts>> = {
  raw_input_data: 'rawInputData',
  input: 'input',
  output: 'output',
  load_stats: 'loadStats',
  planner_stats: 'plannerStats',
  parse_stats: 'parseStats',
  normalize_stats: 'normalizeStats',
  validate_stats: 'validateStats',
}
const PART_OF_ARGUMENT: ReadonlyMap<string, keyof TraceParts> = new Map(
  Object.entries(PARTS).map(([name, part]) => [`exclude_${name}`, part]),
)
const PREDICTABLE = 'enable_predictable_debug_timings'

const EVERYTHING: TraceArguments = {
  rawInputData: true,
  input: true,
  output: true,
  loadStats: true,
  plannerStats: true,
  parseStats: true,
  normalizeStats: true,
  validateStats: true,
  predictableTimings: false,
}

const WHOLE: AskedTrace = { arguments: EVERYTHING, warnings: [] }

/** Most unknown arguments of a client that a trace repeats in its warnings. */
const MAX_WARNINGS = 10
/**
 * Longest name that is repeated in whole. Every existing argument is shorter; of a longer text, such as a
 * secret in the wrong place, only the beginning is shown.
 */
const MAX_NAME = 60
const SHOWN_OF_LONGER = 20

/**
 * Returns the arguments, or null if no trace is asked for. A `false` among other words is enough for that.
 */
export function parseTraceArguments(value: string): AskedTrace | null {
  if (value === 'true') return WHOLE
  const words = value.split(',').flatMap((word) => word.trim() || [])
  if (words.length === 0) return null
  const left = { ...EVERYTHING }
  const unknown = new Set<string>()
  for (const word of words) {
    const name = word.toLowerCase()
    const part = PART_OF_ARGUMENT.get(name)
    if (name === 'false') return null
    if (part !== undefined) left[part] = false
    else if (name === PREDICTABLE) left.predictableTimings = true
    else if (name !== 'true') unknown.add(word)
  }
  return { arguments: left, warnings: warningsOf([...unknown]) }
}

/** Leaves out the parts that the token excludes, whatever the client asked for. */
export function without(asked: TraceArguments, exclude: readonly TraceExclusion[]): TraceArguments {
  const left = { ...asked }
  for (const name of exclude) left[PARTS[name]] = false
  return left
}

function warningsOf(unknown: readonly string[]): readonly string[] {
  const told = unknown
    .slice(0, MAX_WARNINGS)
    .map((word) => `There is no trace argument ${named(word)}: it was ignored.`)
  const more = unknown.length - told.length
  return more === 0 ? told : [...told, `${more} further arguments that do not exist were ignored.`]
}

/** In quotes, and with escapes for what is not to be seen or changes how the rest is shown. */
function named(word: string): string {
  const shown = word.length <= MAX_NAME ? word : `${word.slice(0, SHOWN_OF_LONGER)}…`
  const length = word.length <= MAX_NAME ? '' : ` (${word.length} characters)`
  return JSON.stringify(shown).replaceAll(INVISIBLE, escaped) + length
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]/gu

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
