/**
 * The command `plan`, which shows what a router would fetch for an operation, and why, without any request.
 */
import type { Authorization, Operation, PlanTree } from '@switchyard/engine'
import { successResult, type CommandResult } from '../output/command-result.ts'
import { localCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import type { CliContext } from '../run/context.ts'
import { LocalRefusal, UsageError } from '../run/errors.ts'
import { activeLabels } from '../files/active-labels.ts'
import { readTextFile } from '../files/files.ts'
import { readJsonOption } from '../files/json-option.ts'
import { flag, list, optional, type OptionValues, required } from '../command/options.ts'
import { styleFor } from '../output/style.ts'
import { readSupergraphText, SUPERGRAPH_OPTIONS } from '../files/supergraph-source.ts'
import { OVERRIDE_LABELS } from '../command/shared-options.ts'
import { anyText, filePath } from '../command/value-types.ts'

const OPTIONS = {
  query: required('--query <file>', 'a GraphQL document', filePath),
  operationName: optional('--operation-name <name>', 'which operation of the document', anyText),
  variables: optional(
    '--variables <json>',
    'a JSON object, or @file; matters for @skip, @include and @defer',
    anyText,
  ),
  ...OVERRIDE_LABELS,
  authenticated: flag('--authenticated', 'as for a request with a token, without any scope or policy'),
  unauthenticated: flag('--unauthenticated', 'as for a request without a token'),
  scope: list('--scope <scopes...>', 'scopes that the token of the request has', (words) => words),
  policy: list('--policy <policies...>', 'policies that the request has', (words) => words),
  sharedFields: flag('--no-shared-fields', 'as a router does that has "planning.shared_fields" off'),
  preferLatency: flag('--prefer-latency', 'as a router does that has "planning.prefer" on "latency"'),
  defer: flag('--defer', 'as a router does that has "engine.enable_defer" on'),
  ...SUPERGRAPH_OPTIONS,
}
type PlanOptions = OptionValues<typeof OPTIONS>

/** One of the plans that an operation may have: which one depends on the request. */
type OperationVariant = {
  /** Variables in `@skip` and `@include`, and in `@defer` where that has a meaning. */
  readonly conditions: Readonly<Record<string, boolean>>
  /** Labels of progressive overrides that matter to the operation, and whether they are active. */
  readonly labels: Readonly<Record<string, boolean>>
  /** The access rules that the operation has to meet, as the schema writes them, and whether each is met. */
  readonly access: Readonly<Record<string, boolean>>
}

export const command = localCommand({
  name: 'plan',
  ...NOUNS.plan,
  options: OPTIONS,
  examples: [
    'plan --execution-config config.json --query product.graphql',
    `plan --execution-config config.json --query product.graphql --flag new-pricing --variables '{"full":true}'`,
    `plan --supergraph supergraph.graphql --query product.graphql --label 'percent(25)'`,
    'plan --execution-config config.json --query product.graphql --defer',
    'plan --execution-config config.json --query product.graphql --unauthenticated',
  ],
  run: ({ options, context }) => plan(options, context),
})

async function plan(options: PlanOptions, context: CliContext): Promise<CommandResult> {
  const supergraph = await readSupergraphText(options, context)
  const authorization = authorizationOf(options)
  const document = await readTextFile({ path: options.query, what: 'query file' }, context.cwd)
  const variables = (await readJsonOption('--variables', options.variables, context)) ?? {}
  const engine = await import('@switchyard/engine')
  try {
    const graph = engine.openGraph(engine.compileSupergraph(supergraph.sdl))
    const labels = activeLabels(options.label ?? [], graph.labels, supergraph)
    const operation = engine.prepareOperation(graph, {
      document,
      operationName: options.operationName ?? null,
      defer: options.defer,
      subscriptions: true,
    })
    const coerced = operation.coerceVariables(variables)
    const granted =
      authorization === null
        ? new Set(operation.accessConditions)
        : engine.grantedBy(operation, authorization)
    const found = engine.planOperation(operation, coerced, {
      labels,
      granted,
      sharedFields: options.sharedFields,
      prefer: options.preferLatency ? 'latency' : 'load',
    })
    const access = operation.accessConditions.flatMap((number) => {
      const condition = graph.access?.conditions[number]
      return condition === undefined ? [] : [[engine.printCondition(condition), granted.has(number)] as const]
    })
    const variant = { ...variantOf(operation, coerced, labels), access: Object.fromEntries(access) }
    const text = engine.printPlan(graph, found, styleFor(context.stdout, context.env))
    return successResult(
      { result: jsonOf(operation, variant, engine.planTree(graph, found)) },
      [...variantLines(variant), text.trimEnd()].join('\n'),
    )
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
      throw new LocalRefusal(
        'EXECUTION_CONFIG_INVALID',
        `${supergraph.file} cannot be loaded: ${error.message}`,
      )
    }
    throw error
  }
}

/** Returns what the request may see. Null if it may see everything. */
function authorizationOf({
  authenticated,
  unauthenticated,
  scope = [],
  policy = [],
}: PlanOptions): Authorization | null {
  const isSomebody = authenticated || scope.length + policy.length > 0
  if (unauthenticated && isSomebody)
    throw new UsageError('--unauthenticated contradicts --authenticated, --scope and --policy.')
  if (!unauthenticated && !isSomebody) return null
  return { isAuthenticated: isSomebody, scopes: new Set(scope), policies: new Set(policy) }
}

function variantOf(
  operation: Operation,
  variables: ReadonlyMap<string, unknown>,
  labels: ReadonlySet<string>,
): Omit<OperationVariant, 'access'> {
  return {
    // Only one of `@defer` may be absent, and it is true then.
    conditions: Object.fromEntries(operation.conditions.map((name) => [name, variables.get(name) !== false])),
    labels: Object.fromEntries(operation.overrideLabels.map((label) => [label, labels.has(label)])),
  }
}

function variantLines({ conditions, labels, access }: OperationVariant): readonly string[] {
  const given = Object.entries(conditions).map(([name, value]) => `$${name} = ${value}`)
  const active = Object.entries(labels).map(([label, on]) => `${label} ${on ? 'active' : 'inactive'}`)
  const demanded = Object.entries(access).map(([rule, met]) => `${rule} ${met ? 'met' : 'not met'}`)
  return [
    ...(given.length === 0 ? [] : [`With ${given.join(', ')}`]),
    ...(active.length === 0 ? [] : [`Override labels: ${active.join(', ')}`]),
    ...(demanded.length === 0 ? [] : [`Access: ${demanded.join(', ')}`]),
  ]
}

function jsonOf(operation: Operation, variant: OperationVariant, tree: PlanTree) {
  const { kind, root, ...totals } = tree
  return { operation: { kind, name: operation.name }, variant, ...totals, plan: root }
}
