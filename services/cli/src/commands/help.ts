import { addLocalCommand } from '../make-command.ts'
import type { Invocation, Noun, ProgramFor } from '../command.ts'
import { done } from '../command-result.ts'
import { CliCommand } from '../command-tree.ts'
import { UsageError } from '../errors.ts'

export function addHelpCommand(
  program: CliCommand,
  invocation: Invocation,
  noun: Noun,
  programFor: ProgramFor,
): void {
  addLocalCommand(program, invocation, {
    ...noun,
    words: { name: 'command', description: 'the command, as it is typed' },
    examples: ['help', 'help graph update'],
    run: async ({ words }) => {
      const help = (await find(await programFor(words), words)).fullHelp()
      return done({ result: { help } }, help)
    },
  })
}

async function find(program: CliCommand, words: readonly string[]): Promise<CliCommand> {
  let command = program
  for (const word of words) {
    if (command.commands.length === 0) {
      throw new UsageError(`"${pathOf(command)}" is a command; it has no command "${word}" in it.`)
    }
    const next = command.commands.find((item) => item.name() === word || item.aliases().includes(word))
    // Commander says that there is no such command, and which one may be meant.
    if (!(next instanceof CliCommand)) throw await unknown(command, word)
    command = next
  }
  return command
}

async function unknown(command: CliCommand, word: string): Promise<Error> {
  try {
    await command.parseAsync([word], { from: 'user' })
  } catch (error) {
    if (error instanceof Error) return error
  }
  return new UsageError(`There is no command "${word}".`)
}

export function pathOf(command: CliCommand): string {
  const { parent } = command
  return parent instanceof CliCommand && parent.parent !== null
    ? `${pathOf(parent)} ${command.name()}`
    : command.name()
}
