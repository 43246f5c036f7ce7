/** The command `__complete`, which the scripts of `completion` call whenever somebody presses Tab. */
import { DEFAULT_NAMESPACE } from '@switchyard/contracts'
import { successResult } from '../output/command-result.ts'
import type { CliCommand } from '../command/command-tree.ts'
import { type WordCandidate, complete } from '../completion/complete.ts'
import { resourceNames } from '../completion/resource-names.ts'
import type { CliContext } from '../run/context.ts'
import { localCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'

export const command = localCommand({
  name: '__complete',
  ...NOUNS.__complete,
  words: { name: 'words', description: 'the words after the name of the program; the last is being typed' },
  examples: ['__complete -- graph upd'],
  run: async ({ words, programFor, context }) => {
    const candidates = await candidatesFor(await programFor(words), words, context)
    const lines = candidates.map(({ word, description }) =>
      description === '' ? word : `${word}\t${description}`,
    )
    return successResult({ result: { candidates } }, lines.join('\n'))
  },
})

async function candidatesFor(
  program: CliCommand,
  words: readonly string[],
  context: CliContext,
): Promise<readonly WordCandidate[]> {
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
