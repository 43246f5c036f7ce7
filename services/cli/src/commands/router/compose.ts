/** `router compose`: the whole way from schema files to an execution config, with no registry. */
import { basename, resolve } from 'node:path'
import { localCommand } from '../../command/make-command.ts'
import type { CommandResult } from '../../output/command-result.ts'
import type { ComposableGraph, ComposableSubgraph } from '../../compose/compose-graph.ts'
import { parseComposeInput } from '../../compose/compose-input.ts'
import type { ComposeInput } from '../../compose/compose-input.ts'
import { writeFileAtomically } from '../../files/replace-file.ts'
import type { CliContext } from '../../run/context.ts'
import { EXIT } from '../../run/exit-codes.ts'
import { type NamedSchema, readNamedSchema } from '../../compose/named-schema.ts'
import { readTextFile } from '../../files/files.ts'
import { interruptible } from '../../run/interruptible.ts'
import { flag, required } from '../../command/options.ts'
import { compositionAnnotations } from '../../output/annotations.ts'
import { printHints } from '../../output/composition-messages.ts'
import { failing, printFailures } from '../../output/failures.ts'
import type { GraphVariant } from '../../output/graph-variant.ts'
import { printWarnings } from '../../output/warnings.ts'
import { styleFor } from '../../output/style.ts'
import { filePath } from '../../command/value-types.ts'

type ComposeOptions = {
  readonly input: string
  readonly out: string
  readonly allowFailedFlags: boolean
  readonly strict: boolean
}

const INPUT_FORM = `The input (paths are relative to it):
  version: 1
  subgraphs:
    - name: catalogue
      routing_url: http://localhost:4101/graphql
      schema: { file: ./catalogue.graphql }
  feature_flags:
    - name: new-pricing
      feature_graphs:
        - name: catalogue_next
          subgraph_name: catalogue
          routing_url: http://localhost:4201/graphql
          schema: { file: ./catalogue-next.graphql }
  allow_unenforced_authorization: false   # true: routers do not enforce @authenticated, @requiresScopes and @policy`

export const command = localCommand({
  name: 'compose',
  description: 'compose schema files into an execution config, without a registry',
  options: {
    input: required('--input <graph.yaml>', 'the subgraphs and feature flags', filePath),
    out: required('--out <config.json>', 'where to write the execution config', filePath),
    allowFailedFlags: flag(
      '--allow-failed-flags',
      'write the config without the flags that do not compose, and exit 0',
    ),
    strict: flag('--strict', 'refuse mistakes that are hints until the next minor version'),
  },
  annotated: true,
  notes: INPUT_FORM,
  examples: [
    'router compose --input graph.yaml --out config.json',
    'router compose --input graph.yaml --out config.json --allow-failed-flags',
  ],
  run: ({ options, context }) => compose(options, context),
})

async function compose(options: ComposeOptions, context: CliContext): Promise<CommandResult> {
  const text = await readTextFile({ path: options.input, what: 'graph description' }, context.cwd)
  const input = parseComposeInput(text, options.input)
  const { graph, sources } = await readSchemas(input, options.input, context)
  const { composeGraph } = await import('../../compose/compose-graph.ts')
  const label =
    input.graph === undefined ? basename(options.input) : `${input.graph.namespace}/${input.graph.name}`
  const { config, reports } = await interruptible(context.signal, () =>
    composeGraph({ ...graph, isStrict: options.strict }, label, context.signal),
  )
  const failed = reports.filter(({ status }) => status === 'failed')
  const writes = config !== null && (failed.length === 0 || options.allowFailedFlags)
  if (writes) {
    await writeFileAtomically(resolve(context.cwd, options.out), `${JSON.stringify(config)}\n`, options.out)
  }

  const style = {
    text: styleFor(context.stdout, context.env),
    remarks: styleFor(context.stderr, context.env),
  }
  const nameOf = ({ featureFlag }: GraphVariant) =>
    featureFlag === null ? 'the base graph' : `flag ${featureFlag}`
  const remarks = [
    ...(input.hasRollouts ? [printWarnings([withoutRollouts(options)], context)] : []),
    ...printFailures(failed, {
      headOf: (_failure, count) => ({ before: `${style.remarks.red('error')}: `, after: failing(count) }),
      namesOf: (variants) => variants.map(nameOf).join(', '),
      sources,
      style: style.remarks,
    }),
    ...reports.flatMap(({ hints }) => printHints(hints, sources, style.remarks)),
  ]
  const lines = reports.map((report) => {
    const name = report.featureFlag === null ? 'base' : `flag ${report.featureFlag}`
    const status = report.status === 'failed' ? style.text.red('failed') : style.text.green(report.status)
    return `  ${name}: ${status}`
  })
  return {
    exitCode: writes ? EXIT.done : EXIT.compositionFailed,
    json: {
      result: { out: options.out, written: writes, featureFlags: Object.keys(config?.featureFlags ?? {}) },
      compositions: reports,
      routers: { serving: 0, total: 0 },
    },
    text: [writes ? `${options.out} is written.` : `${options.out} is not written.`, ...lines].join('\n'),
    remarks: remarks.join('\n'),
    annotations: compositionAnnotations(failed, sources),
  }
}

function withoutRollouts({ input, out }: Pick<ComposeOptions, 'input' | 'out'>): string {
  return `${out} has no rollouts: only a registry gives those of ${input} to routers. A router with this file answers from base where no flag is named.`
}

type SchemasByFile = Map<string, NamedSchema>

async function readSchemas(
  input: ComposeInput,
  inputPath: string,
  context: CliContext,
): Promise<{ readonly graph: Omit<ComposableGraph, 'isStrict'>; readonly sources: SchemasByFile }> {
  const sources: SchemasByFile = new Map()
  const read = async (
    item: ComposeInput['subgraphs'][number],
    baseName?: string,
  ): Promise<ComposableSubgraph> => {
    const schema = await readNamedSchema(item.schema.file, item.at, { inputPath, cwd: context.cwd })
    const { sdl } = schema
    sources.set(item.name, schema)
    return {
      name: item.name,
      routingUrl: item.routing_url,
      sdl,
      ...(baseName === undefined ? {} : { baseName }),
    }
  }
  const subgraphs = await Promise.all(input.subgraphs.map((item) => read(item)))
  const featureFlags = await Promise.all(
    input.featureFlags.map(async ({ name, featureGraphs }) => ({
      name,
      replacements: await Promise.all(featureGraphs.map((item) => read(item, item.subgraph_name))),
    })),
  )
  const { graph: named, allowUnenforcedAuthorization } = input
  const identity = named === undefined ? undefined : { namespace: named.namespace, name: named.name }
  return { graph: { identity, subgraphs, featureFlags, allowUnenforcedAuthorization }, sources }
}
