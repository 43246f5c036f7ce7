/**
 * Composition errors and hints as a compiler would show them:
 *
 *     error[FIELD_TYPE_MISMATCH]: Type of field "Query.price" is incompatible across subgraphs: …
 *       --> catalogue.graphql:3:10 (subgraph catalogue)
 *        |
 *      3 |   price: Int @shareable
 *        |          ^^^ Int here
 */
import type { CompositionError, CompositionHint, SdlLocation } from '../contract/composition-result.ts'
import { withVisibleControls } from './visible-controls.ts'
import { drawPath } from './draw-path.ts'
import { excerptOf, splitLines } from './source-excerpt.ts'

/** A source whose lines are printed. `file` is the name as a reader would type it. */
export type PrintableSource = { readonly sdl: string; readonly file?: string | undefined }

/** The SDL of each subgraph and the file that it is from, by the name of the subgraph. */
export type PrintableSources = ReadonlyMap<string, PrintableSource>

type Paint = (text: string) => string

/** Functions that put a text between the codes of a colour. */
export type PrintStyle = {
  readonly red: Paint
  readonly yellow: Paint
  readonly dim: Paint
  readonly bold: Paint
}

/** How errors are printed. */
export type PrintOptions = {
  /** Colours. None when left out. */
  readonly style?: PrintStyle | undefined
}
type Severity = 'error' | 'hint'

/** A message longer than this is cut; machines have all of it. */
const LONGEST_MESSAGE = 4000

/** The errors as text for people, with the lines of SDL that they are about, and a count at the end. */
export function printCompositionErrors(
  errors: readonly CompositionError[],
  sources: PrintableSources,
  { style }: PrintOptions = {},
): string {
  return print(errors, sources, 'error', style ?? PLAIN)
}

/** The hints as text for people, in the form of errors. */
export function printCompositionHints(
  hints: readonly CompositionHint[],
  sources: PrintableSources,
  { style }: PrintOptions = {},
): string {
  return print(hints, sources, 'hint', style ?? PLAIN)
}

/**
 * Summarises errors: `2 errors in 3 subgraphs`. `total` is their number if `errors` holds only some of them.
 */
export function summariseErrors(errors: readonly CompositionError[], total = errors.length): string {
  const subgraphs = new Set(errors.flatMap((error) => error.subgraphs)).size
  const many = `${total} ${total === 1 ? 'error' : 'errors'}`
  return subgraphs === 0 ? many : `${many} in ${subgraphs} ${subgraphs === 1 ? 'subgraph' : 'subgraphs'}`
}

function print(
  errors: readonly CompositionError[],
  sources: PrintableSources,
  severity: Severity,
  style: PrintStyle,
): string {
  const lines = new Map<string, readonly string[]>()
  const linesOf = (subgraph: string): readonly string[] | null => {
    const known = lines.get(subgraph)
    const sdl = sources.get(subgraph)?.sdl
    if (known !== undefined || sdl === undefined) return known ?? null
    const split = splitLines(sdl)
    lines.set(subgraph, split)
    return split
  }
  return errors.map((error) => printOne(error, { sources, linesOf, style, severity })).join('\n\n')
}

type Context = {
  readonly sources: PrintableSources
  readonly linesOf: (subgraph: string) => readonly string[] | null
  readonly style: PrintStyle
  readonly severity: Severity
}

function printOne(error: CompositionError, context: Context): string {
  const { style, severity } = context
  const mark = severity === 'error' ? style.red : style.yellow
  const [first = '', ...rest] = messageLines(error)
  const path = drawPath(error, mark)
  return [
    `${mark(style.bold(`${severity}[${withVisibleControls(error.code)}]`))}: ${style.bold(first)}`,
    // The drawing says what the further lines say.
    ...(path.length > 0 ? path : rest).map((line) => `  ${line}`),
    ...inOneFile(error.locations).flatMap((group) => printPlaces(group, context, mark)),
  ].join('\n')
}

function messageLines({ message }: CompositionError): readonly string[] {
  const cut = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)} …`
  return splitLines(cut).map((line) => withVisibleControls(line))
}

/** Places of one subgraph stand under one heading, from top to bottom. */
function inOneFile(locations: readonly SdlLocation[]): readonly (readonly SdlLocation[])[] {
  return [...Map.groupBy(locations, ({ subgraph }) => subgraph).values()].map((group) =>
    [...group].sort((a, b) => a.line - b.line || a.column - b.column),
  )
}

function printPlaces(group: readonly SdlLocation[], context: Context, mark: Paint): readonly string[] {
  const [first] = group
  if (first === undefined) return []
  const { style, sources, linesOf } = context
  const file = sources.get(first.subgraph)?.file
  const name = withVisibleControls(file ?? first.subgraph)
  const owner = file === undefined ? '' : ` (subgraph ${withVisibleControls(first.subgraph)})`
  const lines = linesOf(first.subgraph)
  const gutter = Math.max(...group.map(({ line }) => String(line).length))
  const bar = (number: string) => style.dim(` ${number.padStart(gutter)} |`)
  const heading = ({ line, column }: SdlLocation, label: string) =>
    `${' '.repeat(gutter)} ${style.dim('-->')} ${name}:${line}:${column}${owner}${label === '' ? '' : `:${label}`}`
  const printed: string[] = []
  let previous: SdlLocation | undefined
  for (const location of group) {
    const label = location.label === undefined ? '' : ` ${withVisibleControls(location.label)}`
    const excerpt = lines === null ? null : excerptOf(lines, location)
    if (excerpt === null) {
      printed.push(heading(location, label))
      continue
    }
    if (previous === undefined) printed.push(heading(location, ''), bar(''))
    else if (location.line > previous.line + 1) printed.push(style.dim(' ...'))
    if (previous?.line !== location.line || excerpt.isWindow)
      printed.push(`${bar(String(location.line))} ${excerpt.line}`)
    printed.push(`${bar('')} ${excerpt.blank}${mark(`${excerpt.carets}${label}`)}`)
    previous = location
  }
  return printed
}

const same: Paint = (text) => text
const PLAIN: PrintStyle = { red: same, yellow: same, dim: same, bold: same }
