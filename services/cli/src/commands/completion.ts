import { successResult } from '../output/command-result.ts'
import { SCRIPTS, type Shell, SHELLS } from '../completion/scripts.ts'
import { UsageError } from '../run/errors.ts'
import { localCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import type { ValueType } from '../command/value-types.ts'

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

export const command = localCommand({
  name: 'completion',
  ...NOUNS.completion,
  argument: { name: 'shell', description: SHELLS.join(', '), type: shell },
  notes: NOTES,
  examples: ['completion bash', 'completion zsh', 'completion fish'],
  run: async ({ argument }) =>
    successResult({ result: { shell: argument, script: SCRIPTS[argument] } }, SCRIPTS[argument]),
})
