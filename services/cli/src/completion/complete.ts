/** Finds the words that may come next on a command line that is not finished yet. */
import { CliArgument, CliCommand, CliOption } from '../command/command-tree.ts'
import type { WordCompletion } from '../command/value-types.ts'

/** A word that may come next. The description may be empty. */
export type WordCandidate = { readonly word: string; readonly description: string }

/** All words that may come next. */
export type NextWords = {
  readonly candidates: readonly WordCandidate[]
  /** The kind of names, files or folders that may come next as well. */
  readonly also: WordCompletion | null
  /** The text that stands before each candidate in the same word, such as `--namespace=`. */
  readonly prefix: string
  /** Values of the options so far, by the name that commander gives them. */
  readonly values: ReadonlyMap<string, string>
}

/** `words` are those after the program's name; the last one is being typed, and may be empty. */
export function complete(program: CliCommand, words: readonly string[]): NextWords {
  const current = words.at(-1) ?? ''
  const state = readLine(program, words.slice(0, -1))
  const { command, option, values } = state
  const answer = { candidates: [], also: null, prefix: '', values }
  if (command === null) return answer
  const [name, assigned] = splitAtEqualSign(current)
  if (assigned !== undefined) {
    const meant = optionsOf(command).find((item) => item.short === name || item.long === name)
    return { ...answer, also: completionOf(meant), prefix: `${name}=` }
  }
  // An option that takes several values may be followed by the next option.
  if (option !== null && !(current.startsWith('-') && state.hasValue)) {
    return { ...answer, also: completionOf(option) }
  }
  if (current.startsWith('-'))
    return { ...answer, candidates: optionCandidates(command, current, state.used) }
  if (command.commands.length > 0) return { ...answer, candidates: commandCandidates(command, current) }
  const argument = command.registeredArguments[state.operands]
  if (argument instanceof CliArgument) return { ...answer, also: argument.completion ?? null }
  return { ...answer, candidates: optionCandidates(command, current, state.used) }
}

type Line = {
  /** Null if there is no such command. */
  readonly command: CliCommand | null
  /** The option that still waits for its value. */
  readonly option: CliOption | null
  readonly hasValue: boolean
  readonly operands: number
  readonly used: ReadonlySet<CliOption>
  readonly values: ReadonlyMap<string, string>
}

function readLine(program: CliCommand, words: readonly string[]): Line {
  let command: CliCommand | null = program
  let option: CliOption | null = null
  let hasValue = false
  let operands = 0
  const used = new Set<CliOption>()
  const values = new Map<string, string>()
  for (const word of words) {
    if (command === null) break
    const [name, assigned] = splitAtEqualSign(word)
    if (word.startsWith('-') && word !== '-') {
      option = optionsOf(command).find((item) => item.short === name || item.long === name) ?? null
      hasValue = false
      if (option === null) continue
      used.add(option)
      if (assigned !== undefined) values.set(option.attributeName(), assigned)
      if (assigned !== undefined || !takesValue(option)) option = null
    } else if (option !== null) {
      values.set(option.attributeName(), word)
      hasValue = true
      if (!option.variadic) option = null
    } else if (command.commands.length > 0) {
      command = childOf(command, word)
    } else {
      operands += 1
    }
  }
  return { command, option, hasValue, operands, used, values }
}

function childOf(command: CliCommand, word: string): CliCommand | null {
  const child = command.commands.find((item) => item.name() === word || item.aliases().includes(word))
  return child instanceof CliCommand ? child : null
}

function optionsOf(command: CliCommand): readonly CliOption[] {
  return command.options.filter((option) => option instanceof CliOption)
}

function takesValue(option: CliOption): boolean {
  return option.required || option.optional
}

function completionOf(option: CliOption | undefined): WordCompletion | null {
  return option?.completion ?? null
}

function splitAtEqualSign(word: string): readonly [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function optionCandidates(
  command: CliCommand,
  current: string,
  used: ReadonlySet<CliOption>,
): readonly WordCandidate[] {
  const own = command.createHelp().visibleOptions(command)
  return own
    .filter((option) => !(option instanceof CliOption && used.has(option)))
    .flatMap((option) => {
      const words =
        current.startsWith('--') || current === '-' || current === ''
          ? [option.long]
          : [option.short, option.long]
      return words.flatMap((word) => (word == null ? [] : [{ word, description: option.description }]))
    })
    .filter(({ word }) => word.startsWith(current))
}

/** An alias is offered to who began to type it; who looks around sees each command once. */
function commandCandidates(command: CliCommand, current: string): readonly WordCandidate[] {
  return command.subcommands().flatMap((item) => {
    const names = current === '' ? [item.name()] : [item.name(), ...item.aliases()]
    const word = names.find((name) => name.startsWith(current))
    return word === undefined ? [] : [{ word, description: item.description() }]
  })
}
