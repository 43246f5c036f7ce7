/** An error for people: one sentence, then all reasons when there are several. */
import type { CliError } from '../errors.ts'
import { printable } from './printable.ts'
import type { Style } from './style.ts'

/** The text without a line end. */
export function printError(error: CliError, style: Style): string {
  const lines = [`${style.red('error')}: ${printable(error.message)}`]
  // A single reason that the sentence already says is not said twice.
  const problems = error.problems.filter((text) => error.problems.length > 1 || !error.message.includes(text))
  for (const [index, text] of problems.map(printable).entries()) {
    lines.push(problems.length === 1 ? `  ${text}` : `  ${index + 1}. ${text}`)
  }
  return lines.join('\n')
}
