/**
 * Makes commands of specs. What all of them share (`--json`, the registry's options, waiting, asking before something is
 * deleted) is added here, so that it behaves the same everywhere.
 */
import { type CommandOutcome, DEFAULT_NAMESPACE } from '@switchyard/contracts'
import type {
  CommandSpec,
  Confirming,
  Invocation,
  LocalCall,
  LocalSpec,
  Noun,
  ReadSpec,
  RegistryCall,
  WriteSpec,
} from './command.ts'
import { asGroup, type CliCommand, commandOf } from './command-tree.ts'
import { askFirst, canAsk, type Confirmation, refuseUnasked } from './confirmation.ts'
import type { CliContext, Output } from './context.ts'
import { argumentOf, declareCommand, type Given, type RawOptions, valuesOf } from './declare-command.ts'
import { CliError, UsageError } from './errors.ts'
import type { OptionSpecs } from './options.ts'
import { outcomeResult, type SchemaSources } from './output/outcome.ts'
import type { ServedGraphs } from './output/served-instead.ts'
import { progressOf, startProgress } from './output/progress.ts'
import { styleFor } from './output/style.ts'
import { connectRegistry } from './registry/registry-client.ts'
import { servedGraphs } from './registry/served-graphs.ts'
import { schemaSources } from './registry/schema-sources.ts'
import { writeAndWait } from './registry/write-and-wait.ts'
import { FORCE, JSON_OPTION, NAMESPACE, REGISTRY, WAITING } from './shared-options.ts'

/** A command that only groups others. */
export function addGroup(parent: CliCommand, noun: Noun): CliCommand {
  // Of its commands their arguments are shown, too.
  const group = asGroup(commandOf(noun).copyInheritedSettings(parent).configureHelp({}))
  parent.addCommand(group)
  return group
}

/** A command that asks no registry. */
export function addLocalCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  parent: CliCommand,
  invocation: Invocation,
  spec: LocalSpec<Value, Specs>,
): CliCommand {
  return declareCommand(parent, spec, JSON_OPTION, async (given) => {
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
  return declareCommand(parent, spec, registryOptions(spec), async (given) => {
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
  return declareCommand(parent, spec, { ...registryOptions(spec), ...WAITING }, async (given) => {
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
    let served: ServedGraphs
    let outcome: CommandOutcome
    try {
      const call = await registryCall(spec, local, given.raw, { ...context, stderr: progress.stderr })
      const request = await spec.request(call)
      if ('result' in request) {
        invocation.finish(request.result)
        return
      }
      const namespace = request.namespace ?? call.namespace
      outcome = await writeAndWait(
        call.registry,
        { ...request, namespace },
        { waitMs, signal: context.signal, onProgress: (known) => progress.show(progressOf(known)) },
      )
      sources = await schemaSources(outcome.compositions, namespace, call.registry, request.sources)
      served = await servedGraphs(outcome.compositions, namespace, call.registry)
    } finally {
      progress.stop()
    }
    const style = {
      text: styleFor(context.stdout, context.env),
      remarks: styleFor(context.stderr, context.env),
    }
    const choosesOnly = spec.choosesOnly === true
    const waited = waitMs > 0
    invocation.finish(
      outcomeResult(outcome, { requireComposed, waited, sources, served, choosesOnly, style }),
    )
  })
}

function registryOptions<Value, Specs extends OptionSpecs>(spec: Confirming<Value, Specs>): OptionSpecs {
  return {
    ...(spec.namespaced === false ? {} : NAMESPACE),
    ...JSON_OPTION,
    ...REGISTRY,
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

const SILENT: Output = { isTTY: false, columns: undefined, write: () => undefined }

const NO_USE_TO_FORCE: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'FEATURE_SUBGRAPH_EXPECTED',
  'INTERRUPTED',
])

/**
 * Whether there is something to ask. What is not there is told as such; whatever else the registry says, or does not, the
 * missing --force is told first.
 */
async function wouldAsk(look: () => Promise<Confirmation | null>): Promise<boolean> {
  try {
    return (await look()) !== null
  } catch (error) {
    if (!(error instanceof CliError) || NO_USE_TO_FORCE.has(error.code)) throw error
    return true
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
  const callOn = (there: CliContext): RegistryCall<Value, Specs> => ({
    ...local,
    namespace,
    registry: connectRegistry(there, valuesOf(REGISTRY, raw)),
  })
  if (confirm !== undefined && !canAsk(context, local.json)) {
    if (await wouldAsk(() => confirm(callOn({ ...context, stderr: SILENT })))) refuseUnasked(local.json)
    return callOn(context)
  }
  const call = callOn(context)
  const confirmation = (await confirm?.(call)) ?? null
  if (confirmation !== null) await askFirst(confirmation, context)
  return call
}
