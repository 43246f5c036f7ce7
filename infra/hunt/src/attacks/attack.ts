/** An attack that is carried on for a while by traffic on a running router. */

/** What the attacker did and got. */
export type Tally = {
  requests: number
  bytes: number
  /** By status, or by what came in place of one. */
  readonly answers: Record<string, number>
}

export type Field = {
  readonly port: number
  readonly host: string
  /** The attacker's address: not the one of anybody else. */
  readonly address: string
  readonly signal: AbortSignal
  readonly tally: Tally
}

export type Attack = {
  readonly name: string
  /** Lines of the router's settings file, where an attack needs another than the defaults. */
  readonly settings?: string
  /** What the subgraph "b" answers, where it is the one that attacks. */
  readonly answer?: () => Buffer
  /** Resolves soon after the signal aborts. */
  readonly run: (field: Field) => Promise<void>
}

export function counted(tally: Tally, answer: string): void {
  tally.answers[answer] = (tally.answers[answer] ?? 0) + 1
}
