/** One small set of subgraphs, and what composing it must give. Plain data: read it like a table of rules. */
export type CompositionSet = {
  /** A sentence about the rule the set shows. */
  readonly name: string
  readonly subgraphs: Readonly<Record<string, string>>
} & (
  | {
      /** Lines of `readFacts` that the supergraph must have; one that starts with `!` must not be there. */
      readonly facts: readonly string[]
    }
  | {
      /** Codes of all errors, without repetition. */
      readonly refused: readonly string[]
    }
)

/** `fed('2.3', '@key @shareable')`: the line a subgraph's schema starts with. */
export function fed(version: string, imports: string): string {
  const names = imports.split(' ').map((name) => `"${name}"`)
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v${version}", import: [${names.join(', ')}])\n`
}
