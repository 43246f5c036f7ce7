/** The facts about a gateway that the comparison needs. */
import type { Scenario, SetUp } from '../scenarios.ts'

/** The folder, port and graph of a gateway. */
export type Place = {
  /** A folder that only this gateway uses, and that is empty at first. */
  readonly folder: string
  readonly port: number
  readonly setUp: SetUp
  /** SDL of each subgraph, by name. */
  readonly subgraphs: Readonly<Record<string, string>>
  /** Base of the subgraphs' URLs, without a slash at the end. */
  readonly subgraphUrl: string
  /** The supergraph that is composed of these subgraphs. */
  readonly supergraph: string
}

/** A process to start: the first word is a program. */
export type Command = {
  readonly words: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export type Gateway = {
  readonly name: string
  /** Returns the version that its package or program tells. */
  version(): string
  readonly can: readonly NonNullable<Scenario['needs']>[]
  /** Writes its files into its folder. The started gateway listens at `/graphql` of the port. */
  prepare(place: Place): Promise<Command>
}
