/** Results that show what the registry knows: lists, and one thing with its details. */
import { type CommandResult, successResult } from './command-result.ts'
import type { CliContext } from '../run/context.ts'
import { type Detail, printDetails } from './details.ts'
import { styleFor } from './style.ts'
import { printTable, type TextTable } from './table.ts'

/** A list: columns for people, lines for programs. */
export function tableResult(result: object, table: TextTable, { stdout, env }: CliContext): CommandResult {
  return successResult({ result }, printTable(table, stdout, styleFor(stdout, env)))
}

/** One thing with all that is known about it. */
export function detailsResult(
  json: CommandResult['json'],
  details: readonly Detail[],
  { stdout, env }: CliContext,
): CommandResult {
  return successResult(json, printDetails(details, styleFor(stdout, env)))
}
