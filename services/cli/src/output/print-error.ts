/** An error for people: one sentence, then all reasons when there are several. */
import type { CliError } from '../run/errors.ts'
import { printableText } from '@switchyard/service-kit/printable'
import type { Style } from './style.ts'

/** The text without a line end. */
export function printError(error: CliError, style: Style): string {
  const lines = [`${style.red('error')}: ${printableText(error.message)}`]
  // A single reason that the sentence already says is not said twice.
  const problems = error.problems.filter((text) => error.problems.length > 1 || !error.message.includes(text))
  for (const [index, text] of problems.map(printableText).entries()) {
    // Further lines of a reason must not look like lines of ours.
    const mark = problems.length === 1 ? '  ' : `  ${index + 1}. `
    lines.push(mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`))
  }
  return lines.join('\n')
}
