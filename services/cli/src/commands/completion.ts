import { DEFAULT_NAMESPACE } from '@switchyard/contracts'
import { addLocalCommand } from '../make-command.ts'
import type { Invocation, Noun, ProgramFor } from '../command.ts'
import { done } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { type Candidate, complete } from '../completion/complete.ts'
import { resourceNames } from '../completion/resource-names.ts'
import { SCRIPTS, type Shell, SHELLS } from '../completion/scripts.ts'
import type { CliContext } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { ValueType } from '../value-types.ts'

const shell: ValueType<Shell> = {
  parse: (word) => {
    const known = SHELLS.find((name) => name === word)
    if (known !== undefined) return known
    throw new UsageError(`There is no completion for "${word}"; there is one for ${SHELLS.join(', ')}.`)
  },
  completion: SHELLS,
}

const NOTES = `For the running shell, and for all that start later:
  bash   source <(switchyard completion bash)      in ~/.bashrc
  zsh    source <(switchyard completion zsh)       in ~/.zshrc, after compinit
  fish   switchyard completion fish | source       in ~/.config/fish/config.fish`

export function addCompletionCommand(program: CliCommand, invocation: Invocation, noun: Noun): void {
  addLocalCommand(program, invocation, {
    ...noun,
    argument: { name: 'shell', description: SHELLS.join(', '), type: shell },
    notes: NOTES,
    examples: ['completion bash', 'completion zsh', 'completion fish'],
    run: async ({ argument }) =>
      done({ result: { shell: argument, script: SCRIPTS[argument] } }, SCRIPTS[argument]),
  })
}

export function addCompleteCommand(
  program: CliCommand,
  invocation: Invocation,
  noun: Noun,
  programFor: ProgramFor,
): void {
  addLocalCommand(program, invocation, {
    ...noun,
    words: { name: 'words', description: 'the words after the name of the program; the last is being typed' },
    examples: ['__complete -- graph upd'],
    run: async ({ words, context }) => {
      const candidates = await candidatesFor(await programFor(words), words, context)
      const lines = candidates.map(({ word, description }) =>
        description === '' ? word : `${word}\t${description}`,
      )
      return done({ result: { candidates } }, lines.join('\n'))
    },
  })
}

async function candidatesFor(
  program: CliCommand,
  words: readonly string[],
  context: CliContext,
): Promise<readonly Candidate[]> {
  const { candidates, also, prefix, values } = complete(program, words)
  const typed = (words.at(-1) ?? '').slice(prefix.length)
  const plain = (names: readonly string[]) =>
    names
      .filter((name) => name.startsWith(typed))
      .map((name) => ({ word: `${prefix}${name}`, description: '' }))
  if (also === null) return candidates
  if (also === 'file' || also === 'folder') return [{ word: `:${also}`, description: '' }]
  if (typeof also !== 'string') return plain(also)
  const where = {
    namespace: values.get('namespace') ?? DEFAULT_NAMESPACE,
    dataDir: values.get('dataDir'),
    registryUrl: values.get('registryUrl'),
  }
  return plain(await resourceNames(also, where, context))
}
