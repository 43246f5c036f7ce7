/** Answers the arguments of a service's program that are no command of it. */
import { say } from '../text/printable.ts'

/** The writer of the answer, and where the exit code of the process is set. */
type Answering = {
  readonly say: typeof say
  readonly process: { exitCode?: number | string | null | undefined }
}

/**
 * Prints `help` if these arguments ask for it. Prints an error and the first line of `help` to stderr
 * otherwise, with 2 as the exit code.
 */
export function answerUsage(
  words: readonly string[],
  help: string,
  answering: Answering = { say, process },
): void {
  const [word] = words
  if (words.length === 1 && (word === '--help' || word === '-h')) {
    answering.say('stdout', help)
    return
  }
  const [usage = ''] = help.split('\n', 1)
  answering.say('stderr', `error: the arguments "${words.join(' ')}" are not understood\n${usage}\n`)
  answering.process.exitCode = 2
}
