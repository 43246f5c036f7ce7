/**
 * Composition errors as a compiler would show them:
 *
 *     error INVALID_FIELD_SHARING: Non-shareable field "Query.price" is resolved from multiple subgraphs: …
 *       --> catalogue.graphql:3:3 (subgraph catalogue)
 *       3 |   price: Int
 *         |   ^
 */
import type { CompositionError } from './composition-result.ts'

export type PrintableSource = { readonly sdl: string; readonly file?: string }

/** Longer source lines are shown in a window around the column. */
const WINDOW = 100

export function printCompositionErrors(
  errors: readonly CompositionError[],
  sources: ReadonlyMap<string, PrintableSource>,
): string {
  return errors.map((error) => printError(error, sources)).join('\n\n')
}

function printError(error: CompositionError, sources: ReadonlyMap<string, PrintableSource>): string {
  const lines = [`error ${error.code}: ${error.message}`]
  for (const { subgraph, line, column } of error.locations) {
    const source = sources.get(subgraph)
    const file = source?.file
    lines.push(
      `  --> ${file ?? subgraph}:${line}:${column}${file === undefined ? '' : ` (subgraph ${subgraph})`}`,
    )
    const text = source?.sdl.split(/\r\n|\n|\r/)[line - 1]
    if (text !== undefined) lines.push(...printSourceLine(text, line, column))
  }
  return lines.join('\n')
}

function printSourceLine(text: string, line: number, column: number): readonly string[] {
  const start = text.length <= WINDOW ? 0 : Math.max(0, column - 1 - WINDOW / 2)
  const shown = text.slice(start, start + WINDOW)
  const gutter = String(line)
  // Tabs stay tabs, so that the caret lands under the same column in any terminal.
  const indent = shown.slice(0, Math.max(0, column - 1 - start)).replaceAll(/[^\t]/g, ' ')
  return [`  ${gutter} | ${shown}`, `  ${' '.repeat(gutter.length)} | ${indent}^`]
}
