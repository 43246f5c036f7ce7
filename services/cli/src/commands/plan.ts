/** `plan`: what the router would fetch for an operation, without asking anybody. */
import { ExecutionConfigFile } from '@switchyard/contracts'
import type { Artifact } from '@switchyard/contracts'
import type { Command } from 'commander'
import { done, type CommandResult } from '../command-result.ts'
import { withExamples, withJson } from '../command-builder.ts'
import type { Invocation } from '../command-builder.ts'
import type { CliContext } from '../context.ts'
import { LocalRefusal, UsageError } from '../errors.ts'
import { readTextFile } from '../files.ts'

type PlanOptions = {
  readonly executionConfig: string
  readonly query: string
  readonly flag?: string
  readonly operationName?: string
  readonly variables?: string
}

export function addPlanCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('plan')
    .description('print how the router would answer an operation: its fetches, and what each waits for')
    .requiredOption('--execution-config <config.json>', 'what "router compose" wrote')
    .requiredOption('--query <file>', 'a GraphQL document')
    .option('--flag <name>', 'plan on the graph of this feature flag')
    .option('--operation-name <name>', 'which operation of the document')
    .option('--variables <json>', 'a JSON object, or a file that holds one; matters for @skip and @include')
  withExamples(
    withJson(command),
    'plan --execution-config config.json --query product.graphql',
    `plan --execution-config config.json --query product.graphql --flag new-pricing --variables '{"full":true}'`,
  ).action(async (options: PlanOptions) => invocation.finish(await plan(options, invocation.context)))
}

async function plan(options: PlanOptions, context: CliContext): Promise<CommandResult> {
  const artifact = await readArtifact(options, context)
  const document = await readTextFile({ path: options.query, what: 'query file' }, context.cwd)
  const variables = await readVariables(options.variables, context)
  const engine = await import('@switchyard/engine')
  try {
    const graph = engine.openGraph(engine.compileSupergraph(artifact.supergraphSdl))
    const operation = engine.prepareOperation(graph, {
      document,
      operationName: options.operationName ?? null,
    })
    const found = operation.plan(operation.coerceVariables(variables))
    const text = engine.printPlan(graph, found)
    return done({ result: { plan: text, fetches: found.fetches.length, depth: found.depth } }, text.trimEnd())
  } catch (error) {
    if (error instanceof engine.RequestError) {
      throw new LocalRefusal('OPERATION_INVALID', `${options.query} cannot be planned.`, {
        problems: error.errors.map(({ message, locations }) => {
          const at = locations?.[0]
          return at === undefined ? message : `${options.query}:${at.line}:${at.column}: ${message}`
        }),
      })
    }
    if (error instanceof engine.PlanningError) {
      throw new LocalRefusal('OPERATION_INVALID', `${options.query} cannot be planned: ${error.message}`)
    }
    if (error instanceof engine.SupergraphError) {
      const { executionConfig } = options
      throw new LocalRefusal(
        'EXECUTION_CONFIG_INVALID',
        `${executionConfig} cannot be loaded: ${error.message}`,
      )
    }
    throw error
  }
}

async function readArtifact(options: PlanOptions, context: CliContext): Promise<Artifact> {
  const { executionConfig: path, flag } = options
  const text = await readTextFile({ path, what: 'execution config' }, context.cwd)
  const parsed = ExecutionConfigFile.safeParse(parseJson(text))
  if (!parsed.success) {
    throw new LocalRefusal(
      'EXECUTION_CONFIG_INVALID',
      `${path} is no execution config; one that "switchyard router compose" wrote was expected.`,
      {
        problems: parsed.error.issues.map(
          (issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`,
        ),
      },
    )
  }
  if (flag === undefined) return parsed.data.base
  const flags = new Map(Object.entries(parsed.data.featureFlags))
  const artifact = flags.get(flag)
  if (artifact !== undefined) return artifact
  const known = flags.size === 0 ? 'it holds none' : `it holds: ${[...flags.keys()].join(', ')}`
  throw new LocalRefusal('NOT_FOUND', `${path} holds no feature flag "${flag}" (${known}).`)
}

async function readVariables(
  given: string | undefined,
  context: CliContext,
): Promise<Readonly<Record<string, unknown>>> {
  if (given === undefined) return {}
  const inline = given.trimStart().startsWith('{')
  const text = inline ? given : await readTextFile({ path: given, what: 'variables file' }, context.cwd)
  const value = parseJson(text)
  if (isObject(value)) return value
  throw new UsageError(
    `--variables takes a JSON object or a file that holds one; ${inline ? 'this' : given} is neither.`,
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
