/** A command as a value: its name, argument, options, examples, and a function from checked words to a result. */
import type { CommandResult } from './command-result.ts'
import type { CliCommand } from './command-tree.ts'
import type { Confirmation } from './confirmation.ts'
import type { CliContext } from './context.ts'
import type { OptionSpecs, OptionValues } from './options.ts'
import type { SchemaSources } from './output/outcome.ts'
import type { RegistryClient } from './registry/registry-client.ts'
import type { WriteMethod } from './registry/write-and-wait.ts'
import type { ValueType } from './value-types.ts'

export type Invocation = {
  readonly context: CliContext
  /** One JSON document on stdout is wanted, and commander stays silent. */
  readonly json: boolean
  readonly finish: (result: CommandResult) => void
  /** Help or the version, which commander prints, for the JSON document. */
  readonly collect: (text: string) => void
  /** For commands that become another program. */
  readonly exitWith: (exitCode: number) => void
}

/** What comes first on a command line: a group of commands, or a command of its own. */
export type Noun = {
  readonly name: string
  readonly alias?: string
  readonly description: string
  readonly hidden?: true
}

/** The tree of commands, of which the noun that these words begin with is whole. */
export type ProgramFor = (words: readonly string[]) => Promise<CliCommand>

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
  /** What help says after the options. */
  readonly notes?: string
  /** Its result has annotations: adds `--output`. */
  readonly annotated?: true
}

export type LocalCall<Value, Specs extends OptionSpecs> = {
  readonly context: CliContext
  readonly json: boolean
  readonly argument: Value
  readonly words: readonly string[]
  readonly options: OptionValues<Specs>
}
export type RegistryCall<Value, Specs extends OptionSpecs> = LocalCall<Value, Specs> & {
  readonly namespace: string
  readonly registry: RegistryClient
}

export type WriteRequest = {
  readonly method: WriteMethod
  readonly path: string
  readonly body: unknown
  /** Whose log the command goes to, when it is not the one that `--namespace` names. */
  readonly namespace?: string
  /** Files of the schemas that are known here, by subgraph. */
  readonly sources?: SchemaSources
}

/** What was asked for is not to be written. */
export type WrittenNothing = { readonly result: CommandResult }

export type Confirming<Value, Specs extends OptionSpecs> = CommandSpec<Value, Specs> & {
  /** No `-n/--namespace`. */
  readonly namespaced?: false
  /** Adds `-f/--force`, without which this is asked; null asks nothing. */
  readonly confirm?: (call: RegistryCall<Value, Specs>) => Promise<Confirmation | null>
}

export type LocalSpec<Value, Specs extends OptionSpecs> = CommandSpec<Value, Specs> & {
  /** A number is the exit code of the program that this process became. */
  readonly run: (call: LocalCall<Value, Specs>) => Promise<CommandResult | number>
}
export type ReadSpec<Value, Specs extends OptionSpecs> = Confirming<Value, Specs> & {
  readonly run: (call: RegistryCall<Value, Specs>) => Promise<CommandResult>
}
export type WriteSpec<Value, Specs extends OptionSpecs> = Confirming<Value, Specs> & {
  /** It chooses what is served, and leaves what is composed alone. */
  readonly choosesOnly?: true
  /** Files are read here: the registry is not asked before `registry` is used. */
  readonly request: (
    call: RegistryCall<Value, Specs>,
  ) => WriteRequest | Promise<WriteRequest | WrittenNothing>
}
