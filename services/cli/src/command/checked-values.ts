/** Turns the words of a command line into values, each by the type that the command declares for it. */
import type { CommandSpec, RawOptions } from './command.ts'
import { CliOption } from './command-tree.ts'
import type { OptionSpecs, OptionValues } from './options.ts'
import { anyText, type ValueType } from './value-types.ts'

/** The value of the argument. Commander has refused a missing one before. Throws a UsageError. */
export function argumentValue<Value>(
  argument: CommandSpec<Value, OptionSpecs>['argument'],
  word: string | undefined,
): Value {
  const type: ValueType<unknown> = argument?.type ?? anyText
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an argument, Value is unknown
  return type.parse(word ?? '') as Value
}

/** The values of these options, those that were not given included. Throws a UsageError. */
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
