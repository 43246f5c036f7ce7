/** Adds a command, which is a value, to the tree of commands that commander reads command lines with. */
import type { ExecutableCommand, Invocation, RawOptions } from './command.ts'
import { CliArgument, CliCommand, CliOption } from './command-tree.ts'
import { UsageError } from '../run/errors.ts'
import type { OptionSpec } from './options.ts'

/** The heading under which help lists the options that every command of a kind has. */
export const SHARED_OPTIONS_HEADING = 'Shared options:'

/** The command gets the settings of `parent`, such as where help is written. */
export function registerCommand(
  parent: CliCommand,
  { spec, sharedOptions, execute }: ExecutableCommand,
  invocation: Invocation,
): void {
  const command = new CliCommand(spec.name).description(spec.description).copyInheritedSettings(parent)
  command.examples = spec.examples
  command.notes = spec.notes ?? ''
  if (spec.argument !== undefined) {
    const { name, description, type } = spec.argument
    command.addArgument(new CliArgument(`<${name}>`, description ?? '', type.completion))
  }
  for (const option of Object.values(spec.options ?? {})) command.addOption(toOption(option))
  for (const option of Object.values(sharedOptions)) {
    command.addOption(toOption(option).helpGroup(SHARED_OPTIONS_HEADING))
  }
  if (spec.words !== undefined) {
    command.addArgument(new CliArgument(`[${spec.words.name}...]`, spec.words.description, undefined))
  }
  command.action(() => {
    refuseMissing(command)
    return execute({ words: command.args, options: command.opts() }, invocation)
  })
  parent.addCommand(command, spec.hidden === true ? { hidden: true } : {})
}

/**
 * Refuses a line without an option that must be given. Commander refuses unknown options before, so that a
 * misspelt option is told as misspelt and not as missing.
 */
function refuseMissing(command: CliCommand): void {
  const given: RawOptions = command.opts()
  const missing = command.options.filter(
    (option) => option instanceof CliOption && option.needed && given[option.attributeName()] === undefined,
  )
  if (missing.length === 0) return
  const names = missing.map(({ flags }) => `'${flags}'`).join(', ')
  throw new UsageError(`required option${missing.length === 1 ? '' : 's'} ${names} not specified.`)
}

function toOption(spec: OptionSpec<unknown>): CliOption {
  const option = new CliOption(spec.flags, spec.description, spec)
  if (spec.hidden === true) option.hideHelp()
  if (spec.fallback !== undefined) option.default(spec.fallback)
  return option
}
