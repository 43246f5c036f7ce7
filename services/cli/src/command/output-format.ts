/** The forms in which a command answers. */
import { UsageError } from '../run/errors.ts'
import type { ValueType } from './value-types.ts'

const OUTPUT_FORMATS = ['text', 'json', 'github'] as const

/** A form of answers. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** The value of `--output`. */
export const outputFormat: ValueType<OutputFormat> = {
  parse: (word) => {
    const format = OUTPUT_FORMATS.find((known) => known === word)
    if (format !== undefined) return format
    throw new UsageError(`--output takes one of ${OUTPUT_FORMATS.join(', ')}, not "${word}".`)
  },
  completion: OUTPUT_FORMATS,
}

/**
 * Looked up before the command line is parsed, since errors in it are answered in the form asked for, too.
 */
export function formatAsked(args: readonly string[]): OutputFormat {
  const end = args.indexOf('--')
  const words = end === -1 ? args : args.slice(0, end)
  if (words.some((word) => word === '--json' || /^-[a-z]*j[a-z]*$/.test(word))) return 'json'
  const asked = words.findLast(
    (word, index) => word.startsWith('--output=') || words[index - 1] === '--output',
  )
  return OUTPUT_FORMATS.find((format) => format === asked?.replace(/^--output=/, '')) ?? 'text'
}
