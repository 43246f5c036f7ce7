/**
 * The command line `switchyard`, as a function: arguments and a context in, an exit code out.
 *
 * Whatever happens, stdout carries the result and nothing else: text for people, or with `--json` exactly one JSON document.
 */
import { CommanderError } from 'commander'
import type { CommandResult } from './command-result.ts'
import type { CliContext } from './context.ts'
import { CliError, UsageError } from './errors.ts'
import { EXIT } from './exit-codes.ts'
import { printError } from './output/print-error.ts'
import { styleFor } from './output/style.ts'
import { buildProgram } from './program.ts'

export type { CliContext, Input, Output, ServiceName } from './context.ts'
export { EXIT } from './exit-codes.ts'

export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const json = wantsJson(args)
  // An object, since the assignment happens in a callback that type narrowing does not see.
  const outcome: { result?: CommandResult; exitCode?: number } = {}
  const program = buildProgram({
    context,
    json,
    finish: (result) => void (outcome.result = result),
    exitWith: (exitCode) => void (outcome.exitCode = exitCode),
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    return reportFailure(error, json, context)
  }
  if (outcome.result !== undefined) return reportResult(outcome.result, json, context)
  return outcome.exitCode ?? EXIT.done
}

function reportResult(result: CommandResult, json: boolean, context: CliContext): number {
  if (json) {
    const { compositions = [], routers = { serving: 0, total: 0 } } = result.json
    writeJson(context, {
      ok: result.exitCode === EXIT.done,
      result: result.json.result,
      compositions,
      routers,
    })
  } else {
    if (result.text !== '') context.stdout.write(`${result.text}\n`)
    if (result.remarks !== '') context.stderr.write(`${result.remarks}\n`)
  }
  return result.exitCode
}

function reportFailure(error: unknown, json: boolean, context: CliContext): number {
  if (error instanceof CommanderError) {
    // Help and version were asked for: commander printed them.
    if (error.exitCode === 0) return EXIT.done
    if (json) writeJson(context, { ok: false, error: new UsageError(commanderMessage(error)).body() })
    return EXIT.usage
  }
  // Anything else is a defect: main prints it with its stack.
  if (!(error instanceof CliError)) throw error
  if (json) writeJson(context, { ok: false, error: error.body() })
  else context.stderr.write(`${printError(error, styleFor(context.stderr, context.env))}\n`)
  return error.exitCode
}

function commanderMessage(error: CommanderError): string {
  // `(outputHelp)` is what commander throws when a group is named without a command.
  if (error.code === 'commander.help') return 'A command is missing; see --help.'
  return error.message.replace(/^error: /, '')
}

function writeJson(context: CliContext, document: unknown): void {
  context.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** Looked up before the command line is parsed, since errors in it are answered in the form asked for, too. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  return options.some((word) => word === '--json' || /^-[a-z]*j[a-z]*$/.test(word))
}
