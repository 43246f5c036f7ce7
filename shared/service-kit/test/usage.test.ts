/** The answers of a service's program to arguments that are no command of it. */
import { describe, expect, it } from 'vitest'
import { answerUsage } from '../src/index.ts'

const HELP = 'Usage: program [command]\n\nCommands:\n  command  does it\n'

function answerTo(...words: readonly string[]) {
  const answer = { stdout: '', stderr: '', exitCode: 0 as number | string | null | undefined }
  answerUsage(words, HELP, { say: (stream, text) => void (answer[stream] += text), process: answer })
  return answer
}

describe('the arguments of a program', () => {
  it.each(['--help', '-h'])('are answered with help (%s)', (word) => {
    expect(answerTo(word)).toEqual({ stdout: HELP, stderr: '', exitCode: 0 })
  })

  it('are refused if they are no command', () => {
    expect(answerTo('comand', '--help')).toEqual({
      stdout: '',
      stderr: 'error: the arguments "comand --help" are not understood\nUsage: program [command]\n',
      exitCode: 2,
    })
  })
})
