/** Options whose value is a JSON object: written in place, or in a file. */
import { isRecord, messageOf } from '@switchyard/values'
import type { CliContext } from '../run/context.ts'
import { UsageError } from '../run/errors.ts'
import { readTextFile } from './files.ts'

/** Returns the object. Null if the option is not given. Throws a UsageError or a FileError. */
export async function readJsonOption(
  option: `--${string}`,
  given: string | undefined,
  context: Pick<CliContext, 'cwd'>,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (given === undefined) return null
  const inline = /^\s*[{["]/.test(given)
  const path = given.startsWith('@') ? given.slice(1) : given
  const text = inline ? given : await readTextFile({ path, what: `${option.slice(2)} file` }, context.cwd)
  const where = inline ? 'this' : path
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${option} takes a JSON object or @file; ${where} is no JSON: ${messageOf(error)}`)
  }
  if (isRecord(value)) return value
  throw new UsageError(`${option} takes a JSON object or @file; ${where} is JSON, but no object.`)
}
