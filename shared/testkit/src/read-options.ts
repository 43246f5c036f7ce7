/** Options of programs that developers start by hand. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { messageOf } from '@switchyard/values'

/**
 * Values of the options of this process. `--help` prints `usage` and ends with 0; an option that there is not
 * ends with 2 and says so, with `usage`.
 */
export function readOptions<Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n${usage}\n`)
    return process.exit(2)
  }
}
