/** Results that show what the registry knows: lists, and one thing with its details. */
import { type CommandResult, done } from '../command-result.ts'
import type { CliContext } from '../context.ts'
import { type Detail, printDetails } from './details.ts'
import { styleFor } from './style.ts'
import { printTable, type Table } from './table.ts'

/** A list: columns for people, lines for programs. */
export function listed(result: object, table: Table, { stdout, env }: CliContext): CommandResult {
  return done({ result }, printTable(table, stdout, styleFor(stdout, env)))
}

/** One thing with all that is known about it. */
export function detailed(
  json: CommandResult['json'],
  details: readonly Detail[],
  { stdout, env }: CliContext,
): CommandResult {
  return done(json, printDetails(details, styleFor(stdout, env)))
}
