/**
 * A namespace built by commands, composed and served as the real line would: what checks are made against.
 */
import { createHash } from 'node:crypto'
import { compose, toCompositionMessage } from '@switchyard/composition'
import type { CompositionMessage, CompositionReport } from '@switchyard/contracts'
import { applyEvent, type Command, compositionInputs, decide, emptyNamespace } from '@switchyard/domain'
import type { NamespaceState, SubgraphToCompose } from '@switchyard/domain'
import {
  type CheckedChange,
  checkForeseen,
  type CheckReport,
  foresee,
  neededSchemas,
  type PublishedManifest,
  type ServedGraph,
} from '../src/index.ts'

export const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@inaccessible"])\n'

/** What was composed, by its input: most tests of a process begin with the same graph. */
const known = new Map<string, ReturnType<typeof compose>>()

function composed(input: Parameters<typeof compose>[0]): ReturnType<typeof compose> {
  const key = JSON.stringify(input)
  const result = known.get(key) ?? compose(input)
  known.set(key, result)
  return result
}

export class Platform {
  state: NamespaceState = emptyNamespace('default')
  readonly sdls = new Map<string, string>()
  readonly served = new Map<string, ServedGraph>()
  /** What every graph serves has these from the next `serve` on. */
  documents: readonly PublishedManifest[] = []

  run(...commands: readonly Command[]): this {
    for (const command of commands) {
      const decision = decide(this.state, command)
      if (decision.kind !== 'events') throw new Error(`${command.type}: ${JSON.stringify(decision)}`)
      this.state = decision.events.reduce(applyEvent, this.state)
    }
    return this
  }

  graph(name: string, ...labelMatchers: readonly string[]): this {
    return this.run({ type: 'create-federated-graph', name, labelMatchers })
  }

  subgraph(name: string, sdl: string, ...labels: readonly string[]): this {
    return this.run({ ...this.publication(name, sdl), routingUrl: `http://${name}/`, labels })
  }

  featureSubgraph(name: string, base: string, sdl: string): this {
    return this.run({ ...this.publication(name, sdl), routingUrl: `http://${name}/`, base })
  }

  flag(name: string, featureSubgraphs: readonly string[], ...labels: readonly string[]): this {
    return this.run({ type: 'create-feature-flag', name, labels, featureSubgraphs, enabled: true })
  }

  publication(name: string, sdl: string) {
    const schema = createHash('sha256').update(sdl).digest('hex')
    this.sdls.set(schema, sdl)
    return { type: 'publish-schema', name, schema, bytes: Buffer.byteLength(sdl) } as const
  }

  /**
   * What the composer and the routers would make of the state: the base first, and nothing new while it
   * fails.
   */
  serve(): this {
    for (const { name } of this.state.graphs.values()) {
      const inputs = compositionInputs(this.state, name)
      const supergraphs = new Map<string | null, string>()
      const failed = new Map<string | null, CompositionReport>()
      const warnings = new Map<string | null, readonly CompositionMessage[]>()
      const add = (flag: string | null, subgraphs: readonly SubgraphToCompose[]) => {
        const result = composed({
          subgraphs: subgraphs.map((input) => ({ ...input, sdl: this.sdls.get(input.schema) ?? '' })),
          allowUnenforcedAuthorization: inputs?.allowUnenforcedAuthorization,
        })
        warnings.set(flag, result.hints.map(toCompositionMessage))
        if (result.kind === 'composed') return supergraphs.set(flag, result.supergraphSdl)
        const errors = result.errors.map(toCompositionMessage)
        return failed.set(flag, {
          graph: name,
          featureFlag: flag,
          status: 'failed',
          failedBefore: false,
          isNew: false,
          errors,
          errorCount: errors.length,
          hints: [],
        })
      }
      if (inputs === null || inputs.base.length === 0) continue
      add(null, inputs.base)
      for (const flag of inputs.flags) add(flag.name, flag.subgraphs)
      const before = this.served.get(name)?.supergraphs
      const frozen = failed.has(null) && before !== undefined
      this.served.set(name, {
        supergraphs: frozen ? before : supergraphs,
        failed,
        warnings,
        documents: this.documents,
      })
    }
    return this
  }

  async check(command: Command, threads?: number): Promise<CheckReport> {
    const foreseen = foresee(this.state, command)
    if (foreseen.kind !== 'changed') throw new Error(JSON.stringify(foreseen))
    const needed = new Set(neededSchemas(foreseen).keys())
    const sdls = new Map([...this.sdls].filter(([hash]) => needed.has(hash)))
    return checkForeseen(foreseen, { sdls, served: this.served }, threads === undefined ? {} : { threads })
  }
}

/** `shop: composed`, `shop+flag: failed`. */
export function statusesOf({ compositions }: CheckReport): readonly string[] {
  return compositions.map(
    ({ graph, featureFlag, status, failedBefore }) =>
      `${graph}${featureFlag === null ? '' : `+${featureFlag}`}: ${status}${failedBefore ? ' before' : ''}`,
  )
}

/** `shop+flag breaking FIELD_REMOVED Product.price`. */
export function changesOf(changes: readonly CheckedChange[]): readonly string[] {
  return changes.map(
    ({ graph, featureFlag, criticality, type, path }) =>
      `${graph}${featureFlag === null ? '' : `+${featureFlag}`} ${criticality} ${type} ${path}`,
  )
}
