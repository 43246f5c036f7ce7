/**
 * Makes commands of specs. What all commands of a kind share (`--json`, the registry's options, waiting,
 * asking before something is deleted) is added here, so that it behaves the same everywhere.
 */
import { type CommandOutcome, DEFAULT_NAMESPACE } from '@switchyard/contracts'
import type {
  ExecutableCommand,
  CommandSpec,
  Invocation,
  LocalCall,
  LocalCommandSpec,
  RegistryCall,
  RegistryCommandSpec,
  RegistrySpec,
  TypedLine,
  WriteCommandSpec,
} from './command.ts'
import { argumentValue, valuesOf } from './checked-values.ts'
import { askFirst, canPrompt, type Confirmation, refuseUnconfirmed } from './confirmation.ts'
import type { CliContext } from '../run/context.ts'
import { CliError, UsageError } from '../run/errors.ts'
import type { OptionSpecs } from './options.ts'
import type { CommandResult } from '../output/command-result.ts'
import { sendJudged } from './send-judged.ts'
import { outcomeResult } from '../output/outcome.ts'
import { progressOf, startProgress } from '../output/progress.ts'
import { printerOn, styleFor } from '../output/style.ts'
import { awaitNamedGraphs } from '../registry/await-named-graphs.ts'
import { connectRegistry } from '../registry/registry-client.ts'
import { servedGraphs } from '../registry/served-graphs.ts'
import { schemaSources } from '../registry/schema-sources.ts'
import { writeAndWait } from '../registry/write-and-wait.ts'
import { isLive, mayGetLive } from '../registry/required-routers.ts'
import { FORCE, JSON_OPTION, NAMESPACE, OUTPUT, REASON, REGISTRY, WAITING, waitOf } from './shared-options.ts'

/** A command that asks no registry. */
export function localCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  spec: LocalCommandSpec<Value, Specs>,
): ExecutableCommand {
  const execute: ExecutableCommand['execute'] = async (line, invocation) => {
    end(invocation, await spec.run(localCall(invocation, spec, line)))
  }
  return makeCommand(spec, JSON_OPTION, execute)
}

/** A command that asks the registry something, or writes what composes nothing. */
export function registryCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  spec: RegistryCommandSpec<Value, Specs>,
): ExecutableCommand {
  const execute: ExecutableCommand['execute'] = async (line, invocation) => {
    end(invocation, await spec.run(await registryCall(spec, line, invocation, invocation.context)))
  }
  return makeCommand(spec, registryOptions(spec), execute)
}

/** A command that changes a namespace: one write, then the wait for the compositions that it causes. */
export function writeCommand<Value = unknown, const Specs extends OptionSpecs = {}>(
  spec: WriteCommandSpec<Value, Specs>,
): ExecutableCommand {
  const execute: ExecutableCommand['execute'] = async (line, invocation) => {
    const { requireComposed, requireLive, ...limits } = valuesOf(WAITING, line.options)
    const waitMs = waitOf(limits)
    if (waitMs === 0 && requireComposed) {
      throw new UsageError(
        '--no-wait and --require-composed contradict each other: without waiting nothing is known.',
      )
    }
    if (waitMs === 0 && requireLive !== null) {
      throw new UsageError(
        '--no-wait and --require-live contradict each other: without waiting nobody knows what routers serve.',
      )
    }
    const { reason } = valuesOf(REASON, line.options)
    const { context } = invocation
    const progress = startProgress(context)
    const onProgress = (known: CommandOutcome | null) => progress.show(progressOf(known))
    try {
      const call = await registryCall(spec, line, invocation, { ...context, stderr: progress.stderr })
      const first = await spec.request(call)
      if ('result' in first) return invocation.finish(first.result)
      const namespace = first.namespace ?? call.namespace
      const isOver = (known: CommandOutcome) =>
        !known.pending && (requireLive === null || isLive(known, requireLive) || !mayGetLive(known))
      const waiting = { waitMs, isOver, signal: context.signal, onProgress }
      let began = performance.now()
      const sent = await sendJudged(first, (request) => {
        const body = reason === undefined ? request.body : { ...request.body, reason }
        began = performance.now()
        return writeAndWait(call.registry, { ...request, body, namespace }, waiting)
      })
      if ('result' in sent) return invocation.finish(sent.result)
      const { written, request } = sent
      const isAwaited = requireComposed || requireLive !== null
      const left = { ...waiting, waitMs: began + waitMs - performance.now() }
      const outcome =
        isAwaited && !written.changed
          ? await awaitNamedGraphs(call.registry, { namespace, outcome: written }, left)
          : written
      const sources = await schemaSources(outcome.compositions, namespace, call.registry, request.sources)
      const served = await servedGraphs(outcome.compositions, namespace, call.registry)
      const style = {
        text: styleFor(context.stdout, context.env),
        remarks: styleFor(context.stderr, context.env),
      }
      const choosesOnly = spec.choosesOnly === true
      const waited = waitMs > 0
      invocation.finish(
        outcomeResult(outcome, { requireComposed, requireLive, waited, sources, served, choosesOnly, style }),
      )
    } finally {
      progress.stop()
    }
  }
  return makeCommand(spec, { ...registryOptions(spec), ...REASON, ...WAITING }, execute)
}

function end(invocation: Invocation, result: CommandResult | number): void {
  if (typeof result === 'number') invocation.exitWith(result)
  else invocation.finish(result)
}

function makeCommand<Value, Specs extends OptionSpecs>(
  spec: CommandSpec<Value, Specs>,
  sharedOptions: OptionSpecs,
  execute: ExecutableCommand['execute'],
): ExecutableCommand {
  return {
    spec,
    sharedOptions: { ...(spec.annotated === true ? OUTPUT : {}), ...sharedOptions },
    execute: (line, invocation) => {
      // The form of the answer was chosen before the line was parsed; here a form that does not exist is
      // refused.
      valuesOf(OUTPUT, line.options)
      return execute(line, invocation)
    },
  }
}

function registryOptions<Value, Specs extends OptionSpecs>(spec: RegistrySpec<Value, Specs>): OptionSpecs {
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
  line: TypedLine,
): LocalCall<Value, Specs> {
  const taken = spec.argument === undefined ? 0 : 1
  return {
    context: invocation.context,
    json: invocation.json,
    argument: argumentValue(spec.argument, line.words[0]),
    words: line.words.slice(taken),
    options: valuesOf(spec.options, line.options),
    programFor: invocation.programFor,
  }
}

const SILENT = printerOn({ isTTY: false, write: () => undefined })

const NO_USE_TO_FORCE: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'FEATURE_SUBGRAPH_EXPECTED',
  'INTERRUPTED',
])

/**
 * Refuses a command that somebody would have to confirm. If the registry knows that something does not exist,
 * that is told. With any other error of the registry, the missing --force is told first.
 */
async function refuseIfAsking(look: () => Promise<Confirmation | null>, json: boolean): Promise<void> {
  let confirmation: Confirmation | null = null
  try {
    confirmation = await look()
    if (confirmation === null) return
  } catch (error) {
    if (!(error instanceof CliError) || NO_USE_TO_FORCE.has(error.code)) throw error
  }
  refuseUnconfirmed(json, confirmation)
}

/** Everything that can be refused without the registry is refused before it is asked. */
async function registryCall<Value, Specs extends OptionSpecs>(
  spec: RegistrySpec<Value, Specs>,
  line: TypedLine,
  invocation: Invocation,
  context: CliContext,
): Promise<RegistryCall<Value, Specs>> {
  const local = localCall(invocation, spec, line)
  const namespace =
    spec.namespaced === false ? DEFAULT_NAMESPACE : valuesOf(NAMESPACE, line.options).namespace
  const confirm = valuesOf(FORCE, line.options).force ? undefined : spec.confirm
  const callOn = (there: CliContext): RegistryCall<Value, Specs> => ({
    ...local,
    namespace,
    registry: connectRegistry(there, valuesOf(REGISTRY, line.options)),
  })
  if (confirm !== undefined && !canPrompt(context, local.json)) {
    await refuseIfAsking(() => confirm(callOn({ ...context, stderr: SILENT })), local.json)
    return callOn(context)
  }
  const call = callOn(context)
  const confirmation = (await confirm?.(call)) ?? null
  if (confirmation !== null) await askFirst(confirmation, context)
  return call
}
