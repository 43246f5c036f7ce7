/** Options that commands share, so that they read and behave the same everywhere. */
import { Command } from 'commander'
import { DEFAULT_NAMESPACE } from '@switchyard/contracts'
import type { CommandResult } from './command-result.ts'
import type { CliContext } from './context.ts'
import { UsageError } from './errors.ts'
import { outcomeResult } from './output/outcome.ts'
import type { OutcomeOptions } from './output/outcome.ts'
import { styleFor } from './output/style.ts'
import { printTable } from './output/table.ts'
import type { Table } from './output/table.ts'

export type Invocation = {
  readonly context: CliContext
  /** Errors of the command line are reported by the caller: commander stays silent. */
  readonly quiet: boolean
  readonly finish: (result: CommandResult) => void
  /** For commands that become another program. */
  readonly exitWith: (exitCode: number) => void
}

export type RegistryOptions = { readonly namespace: string; readonly dataDir?: string }
export type WritingOptions = RegistryOptions & { readonly wait: boolean; readonly requireComposed?: true }

export function withJson(command: Command): Command {
  return command.option('-j, --json', 'print one JSON document on stdout')
}

export function withRegistry(command: Command, options: { readonly namespaced?: boolean } = {}): Command {
  if (options.namespaced !== false) {
    command.option('-n, --namespace <namespace>', 'namespace to work in', DEFAULT_NAMESPACE)
  }
  return withJson(command).option('--data-dir <dir>', 'data directory of "switchyard up", for its API key')
}

export function withWrite(command: Command, options: { readonly namespaced?: boolean } = {}): Command {
  return withRegistry(command, options)
    .option('--no-wait', 'do not wait for the compositions that this causes')
    .option('--require-composed', 'exit 4 when the wait ends before everything is composed')
}

export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((line) => `  $ switchyard ${line}`).join('\n')}`,
  )
}

/** Refuses what cannot be meant together, before anything is sent. */
export function checkWriting(options: WritingOptions): void {
  if (!options.wait && options.requireComposed === true) {
    throw new UsageError(
      '--no-wait and --require-composed contradict each other: without waiting nothing is known.',
    )
  }
}

export function outcomeOptions(
  invocation: Invocation,
  options: WritingOptions,
  sources: OutcomeOptions['sources'] = new Map(),
): OutcomeOptions {
  const { stdout, stderr, env } = invocation.context
  return {
    requireComposed: options.requireComposed === true,
    waited: options.wait,
    sources,
    style: { text: styleFor(stdout, env), remarks: styleFor(stderr, env) },
  }
}

export async function finishWrite(
  invocation: Invocation,
  options: WritingOptions,
  outcome: Parameters<typeof outcomeResult>[0],
  sources?: OutcomeOptions['sources'],
): Promise<void> {
  invocation.finish(await outcomeResult(outcome, outcomeOptions(invocation, options, sources)))
}

export function finishList(invocation: Invocation, result: object, table: Table): void {
  const { stdout, env } = invocation.context
  invocation.finish({
    exitCode: 0,
    json: { result },
    text: printTable(table, stdout, styleFor(stdout, env)),
    remarks: '',
  })
}
