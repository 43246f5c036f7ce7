/**
 * A command as a value: its name, argument, options, examples, and a function from checked words to a result.
 *
 * There are three kinds, by what `run` may use: a local command asks no registry, a registry command asks
 * one, and a write command has one request sent for it that changes a namespace. `make-command.ts` makes a
 * `Command` of each.
 */
import type { CommandResult } from '../output/command-result.ts'
import type { CliCommand } from './command-tree.ts'
import type { Confirmation } from './confirmation.ts'
import type { CliContext } from '../run/context.ts'
import type { ExitCode } from '../run/exit-codes.ts'
import type { OptionSpecs, OptionValues } from './options.ts'
import type { SchemaSources } from '../registry/schema-sources.ts'
import type { RegistryClient } from '../registry/registry-client.ts'
import type { WriteMethod } from '../registry/write-and-wait.ts'
import type { ValueType } from './value-types.ts'

/** One run of the program: what it may touch, and where its result goes. */
export type Invocation = {
  readonly context: CliContext
  /** One JSON document on stdout is wanted, and commander stays silent. */
  readonly json: boolean
  readonly finish: (result: CommandResult) => void
  /** Takes help or the version, which commander prints, for the JSON document. */
  readonly collect: (text: string) => void
  /** Sets the exit code for commands that become another program. */
  readonly exitWith: (exitCode: number) => void
  readonly programFor: ProgramFor
}

/** The tree of commands in which the commands are loaded that these words may mean. */
export type ProgramFor = (words: readonly string[]) => Promise<CliCommand>

/** The words and options of a command line, as commander took them apart. */
export type TypedLine = { readonly words: readonly string[]; readonly options: RawOptions }

/** Options by the names that commander gives them: words, lists of words, or true and false. */
export type RawOptions = Readonly<Record<string, unknown>>

/** A command that can be added to the tree of commands. */
export type ExecutableCommand = {
  readonly spec: CommandSpec<unknown, OptionSpecs>
  /** The options that every command of its kind takes besides those of the spec. */
  readonly sharedOptions: OptionSpecs
  readonly execute: (line: TypedLine, invocation: Invocation) => Promise<void>
}

/** The part that all kinds of commands share: everything that help shows. */
export type CommandSpec<Value, Specs extends OptionSpecs> = {
  readonly name: string
  readonly description: string
  /** Must be given; `name` is how help shows it. */
  readonly argument?: {
    readonly name: string
    readonly description?: string
    readonly type: ValueType<Value>
  }
  /** Any number of words after it. */
  readonly words?: { readonly name: string; readonly description: string }
  readonly options?: Specs
  readonly hidden?: true
  /** Command lines without the name of the program. */
  readonly examples: readonly string[]
  /** The text that help shows after the options. */
  readonly notes?: string
  /** Its result has annotations: adds `--output`. */
  readonly annotated?: true
}

/** The input of a local command. `words` are the words after the argument. */
export type LocalCall<Value, Specs extends OptionSpecs> = {
  readonly context: CliContext
  readonly json: boolean
  readonly argument: Value
  readonly words: readonly string[]
  readonly options: OptionValues<Specs>
  readonly programFor: ProgramFor
}

/** The input of a command that sends requests to the registry. */
export type RegistryCall<Value, Specs extends OptionSpecs> = LocalCall<Value, Specs> & {
  readonly namespace: string
  readonly registry: RegistryClient
}

/** The one request that a write command sends. */
export type WriteRequest = {
  readonly method: WriteMethod
  readonly path: string
  readonly body: object
  /** The namespace whose log the command goes to, if it is not the one that `--namespace` names. */
  readonly namespace?: string
  /** Files of the schemas that are known here, by subgraph. */
  readonly sources?: SchemaSources
  /** Judges the command anew if the state that it was judged on is not the present one (STATE_CHANGED). */
  readonly again?: () => Promise<WriteRequest | WrittenNothing>
}

/** The result of a command that turned out to have nothing to write, such as a dry run. */
export type WrittenNothing = { readonly result: CommandResult }

/** A command that asks the registry, with the question that is asked before it is run. */
export type RegistrySpec<Value, Specs extends OptionSpecs> = CommandSpec<Value, Specs> & {
  /** No `-n/--namespace`. */
  readonly namespaced?: false
  /** The question before the command is run, unless `-f/--force` is given; null asks nothing. */
  readonly confirm?: (call: RegistryCall<Value, Specs>) => Promise<Confirmation | null>
}

/** A command that asks no registry. */
export type LocalCommandSpec<Value, Specs extends OptionSpecs> = CommandSpec<Value, Specs> & {
  /** A number is the exit code of the program that this process became. */
  readonly run: (call: LocalCall<Value, Specs>) => Promise<CommandResult | number>
}

/** A command that asks the registry and waits for no composition. */
export type RegistryCommandSpec<Value, Specs extends OptionSpecs> = RegistrySpec<Value, Specs> & {
  /** A number is the exit code of a command that has written its results as they came. */
  readonly run: (call: RegistryCall<Value, Specs>) => Promise<CommandResult | ExitCode>
}

/** A command that changes a namespace and waits for the compositions that it causes. */
export type WriteCommandSpec<Value, Specs extends OptionSpecs> = RegistrySpec<Value, Specs> & {
  /** The command chooses which revision is served, and composes nothing. */
  readonly choosesOnly?: true
  /**
   * Reads files before it uses `registry`, so that a missing file is told before a registry that does not
   * answer.
   */
  readonly request: (
    call: RegistryCall<Value, Specs>,
  ) => WriteRequest | Promise<WriteRequest | WrittenNothing>
}
