/**
 * The command line `switchyard`, as a function: arguments and a context in, an exit code out.
 *
 * Whatever happens, stdout carries the result and nothing else: text for people, or with `--json` exactly one
 * JSON document.
 */
import { printableJson } from '@switchyard/service-kit/printable'
import { CommanderError } from 'commander'
import { type CommandResult, successResult } from './output/command-result.ts'
import type { Invocation } from './command/command.ts'
import type { CliContext, CliWorld } from './run/context.ts'
import { CliError, UsageError } from './run/errors.ts'
import { EXIT } from './run/exit-codes.ts'
import { formatAsked, type OutputFormat } from './command/output-format.ts'
import { printError } from './output/print-error.ts'
import { commandContext, styleFor } from './output/style.ts'
import { buildProgram } from './program.ts'

export type { CliWorld, InputStream, OutputStream, ServiceName } from './run/context.ts'
export { EXIT } from './run/exit-codes.ts'

/**
 * Runs one command and resolves with its exit code. `args` has no name of a program. Rejects on a defect
 * only.
 */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  const context = commandContext(world)
  const format = formatAsked(args)
  // An object, since the assignment happens in a callback that type narrowing does not see.
  const outcome: { result?: CommandResult; exitCode?: number; printed: string } = { printed: '' }
  const invocation: Invocation = {
    context,
    json: format === 'json',
    collect: (text) => void (outcome.printed += text),
    finish: (result) => void (outcome.result = result),
    exitWith: (exitCode) => void (outcome.exitCode = exitCode),
    programFor: (words) => buildProgram(invocation, words),
  }
  const program = await buildProgram(invocation, args)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      // Help and the version were asked for: commander printed them, or they are here.
      const text = outcome.printed.trimEnd()
      const result = error.code === 'commander.version' ? { version: text } : { help: text }
      return format === 'json' ? reportResult(successResult({ result }, ''), format, context) : EXIT.done
    }
    return reportFailure(error, format, context)
  }
  if (outcome.result !== undefined) return reportResult(outcome.result, format, context)
  return outcome.exitCode ?? EXIT.done
}

async function reportResult(
  result: CommandResult,
  format: OutputFormat,
  context: CliContext,
): Promise<number> {
  const { text, remarks, annotations = [] } = result
  switch (format) {
    case 'json': {
      const { compositions = [], routers = { serving: 0, total: 0 } } = result.json
      const ok = result.exitCode === EXIT.done
      writeJson(context, { ok, result: result.json.result, compositions, routers })
      break
    }
    case 'github': {
      const { printForGitHub } = await import('./output/github.ts')
      const parts = [text, remarks].filter((part) => part !== '')
      context.stdout.write(printForGitHub(parts.join('\n'), annotations, context))
      break
    }
    case 'text':
      if (result.isData === true) context.stdout.writeData(`${text}\n`)
      else if (text !== '') context.stdout.write(`${text}\n`)
      if (remarks !== '') context.stderr.write(`${remarks}\n`)
      break
    default:
      return format satisfies never
  }
  return result.exitCode
}

async function reportFailure(error: unknown, format: OutputFormat, context: CliContext): Promise<number> {
  if (error instanceof CommanderError) {
    if (format === 'json') {
      writeJson(context, { ok: false, error: new UsageError(commanderMessage(error)).body() })
    }
    return EXIT.usage
  }
  // Anything else is a defect: main prints it with its stack.
  if (!(error instanceof CliError)) throw error
  switch (format) {
    case 'json':
      writeJson(context, { ok: false, error: error.body() })
      break
    case 'github': {
      const { printForGitHub } = await import('./output/github.ts')
      const { errorAnnotations } = await import('./output/annotations.ts')
      const text = printError(error, styleFor(context.stdout, context.env))
      context.stdout.write(printForGitHub(text, errorAnnotations(error), context))
      break
    }
    case 'text':
      context.stderr.write(`${printError(error, styleFor(context.stderr, context.env))}\n`)
      break
    default:
      return format satisfies never
  }
  return error.exitCode
}

function commanderMessage(error: CommanderError): string {
  // `(outputHelp)` is what commander throws when a group is named without a command.
  if (error.code === 'commander.help') return 'A command is missing; see --help.'
  return error.message.replace(/^error: /, '')
}

function writeJson(context: CliContext, document: unknown): void {
  context.stdout.writeData(`${printableJson(JSON.stringify(document, null, 2))}\n`)
}
