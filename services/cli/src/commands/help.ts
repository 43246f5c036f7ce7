import { successResult } from '../output/command-result.ts'
import { CliCommand } from '../command/command-tree.ts'
import { UsageError } from '../run/errors.ts'
import { localCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'

export const command = localCommand({
  name: 'help',
  ...NOUNS.help,
  words: { name: 'command', description: 'the command, as it is typed' },
  examples: ['help', 'help graph update'],
  run: async ({ words, programFor }) => {
    const help = (await findCommand(await programFor(words), words)).fullHelp()
    return successResult({ result: { help } }, help)
  },
})

async function findCommand(program: CliCommand, words: readonly string[]): Promise<CliCommand> {
  let found = program
  for (const word of words) {
    if (found.commands.length === 0) {
      throw new UsageError(`"${found.path()}" is a command; it has no command "${word}" in it.`)
    }
    const next = found.commands.find((item) => item.name() === word || item.aliases().includes(word))
    if (!(next instanceof CliCommand)) throw await unknownCommand(found, word)
    found = next
  }
  return found
}

/** Returns commander's error for an unknown word, which also suggests the command that may be meant. */
async function unknownCommand(group: CliCommand, word: string): Promise<Error> {
  try {
    await group.parseAsync([word], { from: 'user' })
  } catch (error) {
    if (error instanceof Error) return error
  }
  return new UsageError(`There is no command "${word}".`)
}
