/** An error for people: one sentence, then all reasons when there are several. */
import type { CliError } from '../errors.ts'
import { withoutControls } from './without-controls.ts'
import type { Style } from './style.ts'

/** The text without a line end. */
export function printError(error: CliError, style: Style): string {
  const lines = [`${style.red('error')}: ${withoutControls(error.message)}`]
  // A single reason that the sentence already says is not said twice.
  const problems = error.problems.filter((text) => error.problems.length > 1 || !error.message.includes(text))
  for (const [index, text] of problems.map(withoutControls).entries()) {
    lines.push(problems.length === 1 ? `  ${text}` : `  ${index + 1}. ${text}`)
  }
  return lines.join('\n')
}
