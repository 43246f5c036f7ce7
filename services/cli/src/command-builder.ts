/**
 * A command is a value: its name, argument, options, examples, and a function from checked words to a result.
 *
 * What all commands share (`--json`, the registry's options, waiting, asking before something is deleted) is added here,
 * so that it reads and behaves the same everywhere.
 */
import { type CommandOutcome, DEFAULT_NAMESPACE } from '@switchyard/contracts'
import type { CommandResult } from './command-result.ts'
import { asGroup, CliArgument, CliCommand, CliOption } from './command-tree.ts'
import { askFirst, type Confirmation, refuseUnasked } from './confirmation.ts'
import type { CliContext } from './context.ts'
import { UsageError } from './errors.ts'
import { defaulted, flag, optional, type OptionSpec, type OptionSpecs, type OptionValues } from './options.ts'
import { outcomeResult, type SchemaSources } from './output/outcome.ts'
import { styleFor } from './output/style.ts'
import { progressOf, startProgress } from './output/progress.ts'
import { outputFormat } from './output/output-format.ts'
import { connectRegistry, type RegistryClient } from './registry/registry-client.ts'
import { schemaSources } from './registry/schema-sources.ts'
import { writeAndWait, type WriteMethod } from './registry/write-and-wait.ts'
import { anyText, folderPath, namespaceName, seconds, type ValueType } from './value-types.ts'

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

type Confirming<Value, Specs extends OptionSpecs> = CommandSpec<Value, Specs> & {
  /** No `-n/--namespace`. */
  readonly namespaced?: false
  /** Adds `-f/--force`, without which this is asked. */
  readonly confirm?: (call: RegistryCall<Value, Specs>) => Promise<Confirmation>
}

export type LocalSpec<Value, Specs extends OptionSpecs> = CommandSpec<Value, Specs> & {
  /** A number is the exit code of the program that this process became. */
  readonly run: (call: LocalCall<Value, Specs>) => Promise<CommandResult | number>
}
export type ReadSpec<Value, Specs extends OptionSpecs> = Confirming<Value, Specs> & {
  readonly run: (call: RegistryCall<Value, Specs>) => Promise<CommandResult>
}
export type WriteSpec<Value, Specs extends OptionSpecs> = Confirming<Value, Specs> & {
  /** Files are read here: the registry is not asked before `registry` is used. */
  readonly request: (call: RegistryCall<Value, Specs>) => WriteRequest | Promise<WriteRequest>
}

const WAIT_SECONDS = 30

const OUTPUT = {
  output: optional(
    '--output <format>',
    'text, json (like --json), or github: with annotations for GitHub Actions',
    outputFormat,
  ),
}
const JSON_OPTION = { json: flag('-j, --json', 'print one JSON document on stdout') }
const DATA_DIR = {
  dataDir: optional('--data-dir <dir>', 'data directory of "switchyard up", for its API key', folderPath),
}
const NAMESPACE = {
  namespace: defaulted(
    '-n, --namespace <namespace>',
    'namespace to work in',
    namespaceName,
    DEFAULT_NAMESPACE,
  ),
}
/** Both give `wait`: a number of seconds, or false. */
const WAITING = {
  waitMs: {
    ...optional(
      '--wait <seconds>',
      `how long to wait for the compositions (default: ${WAIT_SECONDS})`,
      seconds,
    ),
    parse: (raw: unknown) =>
      raw === false ? 0 : 1000 * (typeof raw === 'string' ? seconds.parse(raw) : WAIT_SECONDS),
  },
  noWait: flag('--no-wait', 'do not wait for them'),
  requireComposed: flag('--require-composed', 'exit 4 when the wait ends before everything is composed'),
}
const FORCE = { force: flag('-f, --force', 'do not ask') }

/** A command that only groups others. */
export function addGroup(
  parent: CliCommand,
  spec: { readonly name: string; readonly alias?: string; readonly description: string },
): CliCommand {
  const group = asGroup(new CliCommand(spec.name).description(spec.description).copyInheritedSettings(parent))
  if (spec.alias !== undefined) group.alias(spec.alias)
  parent.addCommand(group)
  return group
}

/** A command that asks no registry. */
export function addLocalCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  parent: CliCommand,
  invocation: Invocation,
  spec: LocalSpec<Value, Specs>,
): CliCommand {
  return addCommand(parent, spec, JSON_OPTION, async (given) => {
    const ended = await spec.run(localCall(invocation, spec, given))
    if (typeof ended === 'number') invocation.exitWith(ended)
    else invocation.finish(ended)
  })
}

/** A command that asks the registry something, or writes what composes nothing. */
export function addReadCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  parent: CliCommand,
  invocation: Invocation,
  spec: ReadSpec<Value, Specs>,
): CliCommand {
  return addCommand(parent, spec, registryOptions(spec), async (given) => {
    const local = localCall(invocation, spec, given)
    invocation.finish(await spec.run(await registryCall(spec, local, given.raw, invocation.context)))
  })
}

/** A command that changes a namespace: one write, then the wait for what it caused. */
export function addWriteCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  parent: CliCommand,
  invocation: Invocation,
  spec: WriteSpec<Value, Specs>,
): CliCommand {
  return addCommand(parent, spec, { ...registryOptions(spec), ...WAITING }, async (given) => {
    const { waitMs, requireComposed } = valuesOf(WAITING, given.raw)
    if (waitMs === 0 && requireComposed) {
      throw new UsageError(
        '--no-wait and --require-composed contradict each other: without waiting nothing is known.',
      )
    }
    const { context } = invocation
    const local = localCall(invocation, spec, given)
    const progress = startProgress(context)
    let sources: SchemaSources
    let outcome: CommandOutcome
    try {
      const call = await registryCall(spec, local, given.raw, { ...context, stderr: progress.stderr })
      const request = await spec.request(call)
      const namespace = request.namespace ?? call.namespace
      outcome = await writeAndWait(
        call.registry,
        { ...request, namespace },
        { waitMs, signal: context.signal, onProgress: (known) => progress.show(progressOf(known)) },
      )
      sources = await schemaSources(outcome.compositions, namespace, call.registry, request.sources)
    } finally {
      progress.stop()
    }
    const style = {
      text: styleFor(context.stdout, context.env),
      remarks: styleFor(context.stderr, context.env),
    }
    invocation.finish(outcomeResult(outcome, { requireComposed, waited: waitMs > 0, sources, style }))
  })
}

function registryOptions<Value, Specs extends OptionSpecs>(spec: Confirming<Value, Specs>): OptionSpecs {
  return {
    ...(spec.namespaced === false ? {} : NAMESPACE),
    ...JSON_OPTION,
    ...DATA_DIR,
    ...(spec.confirm === undefined ? {} : FORCE),
  }
}

function localCall<Value, Specs extends OptionSpecs>(
  invocation: Invocation,
  spec: CommandSpec<Value, Specs>,
  given: Given,
): LocalCall<Value, Specs> {
  const taken = spec.argument === undefined ? 0 : 1
  return {
    context: invocation.context,
    json: invocation.json,
    argument: argumentOf(spec, given.words[0]),
    words: given.words.slice(taken),
    options: valuesOf(spec.options, given.raw),
  }
}

/** Everything that can be refused without the registry is refused before it is asked. */
async function registryCall<Value, Specs extends OptionSpecs>(
  spec: Confirming<Value, Specs>,
  local: LocalCall<Value, Specs>,
  raw: RawOptions,
  context: CliContext,
): Promise<RegistryCall<Value, Specs>> {
  const namespace = spec.namespaced === false ? DEFAULT_NAMESPACE : valuesOf(NAMESPACE, raw).namespace
  const confirm = valuesOf(FORCE, raw).force ? undefined : spec.confirm
  if (confirm !== undefined) refuseUnasked(context, local.json)
  const registry = connectRegistry(context, valuesOf(DATA_DIR, raw).dataDir)
  const call = { ...local, namespace, registry }
  if (confirm !== undefined) await askFirst(await confirm(call), context)
  return call
}

type RawOptions = Readonly<Record<string, unknown>>
type Given = { readonly words: readonly string[]; readonly raw: RawOptions }

function addCommand<Value, Specs extends OptionSpecs>(
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

function argumentOf<Value, Specs extends OptionSpecs>(
  spec: CommandSpec<Value, Specs>,
  word: string | undefined,
): Value {
  // Commander has refused a missing one by now.
  const type: ValueType<unknown> = spec.argument?.type ?? anyText
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an argument, Value is unknown
  return type.parse(word ?? '') as Value
}

function valuesOf<Specs extends OptionSpecs>(specs: Specs | undefined, raw: RawOptions): OptionValues<Specs> {
  const values = Object.entries(specs ?? {}).map(([name, spec]) => [
    name,
    spec.parse(raw[new CliOption(spec.flags).attributeName()]),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an entry for each spec, made by that spec
  return Object.fromEntries(values) as OptionValues<Specs>
}
