/** A command that is a value, as commander knows it; and what was typed, back as values. */
import type { CommandSpec } from './command.ts'
import { CliArgument, CliCommand, CliOption } from './command-tree.ts'
import { UsageError } from './errors.ts'
import type { OptionSpec, OptionSpecs, OptionValues } from './options.ts'
import { OUTPUT } from './shared-options.ts'
import { anyText, type ValueType } from './value-types.ts'

export type RawOptions = Readonly<Record<string, unknown>>
/** What was typed, as commander took it apart. */
export type Given = { readonly words: readonly string[]; readonly raw: RawOptions }

export function declareCommand<Value, Specs extends OptionSpecs>(
  parent: CliCommand,
  spec: CommandSpec<Value, Specs>,
  shared: OptionSpecs,
  action: (given: Given) => Promise<void>,
): CliCommand {
  const command = new CliCommand(spec.name).description(spec.description).copyInheritedSettings(parent)
  command.examples = spec.examples
  command.notes = spec.notes ?? ''
  if (spec.argument !== undefined) {
    const { name, description, type } = spec.argument
    command.addArgument(new CliArgument(`<${name}>`, description ?? '', type.completion))
  }
  for (const option of Object.values(spec.options ?? {})) command.addOption(toOption(option))
  if (spec.annotated === true) command.addOption(toOption(OUTPUT.output).helpGroup('Shared options:'))
  for (const option of Object.values(shared)) command.addOption(toOption(option).helpGroup('Shared options:'))
  if (spec.words !== undefined) {
    command.addArgument(new CliArgument(`[${spec.words.name}...]`, spec.words.description, undefined))
  }
  command.action(() => {
    refuseMissing(command)
    valuesOf(OUTPUT, command.opts())
    return action({ words: command.args, raw: command.opts() })
  })
  parent.addCommand(command, spec.hidden === true ? { hidden: true } : {})
  return command
}

/** After unknown options, which commander refuses: a misspelt one is told as such, not as a missing one. */
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

export function argumentOf<Value, Specs extends OptionSpecs>(
  spec: CommandSpec<Value, Specs>,
  word: string | undefined,
): Value {
  // Commander has refused a missing one by now.
  const type: ValueType<unknown> = spec.argument?.type ?? anyText
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an argument, Value is unknown
  return type.parse(word ?? '') as Value
}

export function valuesOf<Specs extends OptionSpecs>(
  specs: Specs | undefined,
  raw: RawOptions,
): OptionValues<Specs> {
  const values = Object.entries(specs ?? {}).map(([name, spec]) => [
    name,
    spec.parse(raw[new CliOption(spec.flags).attributeName()]),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an entry for each spec, made by that spec
  return Object.fromEntries(values) as OptionValues<Specs>
}
