/** What a request for a trace says: `true`, or arguments that leave parts out. */
import type { TraceExclusion } from '@switchyard/contracts'

/** true: the trace has this part. */
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
  /** Of arguments that there are not. */
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

/** Of what clients make up, so much is repeated. */
const MAX_WARNINGS = 10
/**
 * Every argument that there is is shorter. Of what is longer, a secret in the wrong place for example, the
 * beginning is named.
 */
const MAX_NAME = 60
const SHOWN_OF_LONGER = 20

/** null: no trace is asked for. A `false` among other words is taken at its word, too. */
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

/** What the token leaves out stays out, whatever was asked for. */
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
