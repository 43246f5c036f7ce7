/** An attack that is carried on for a while by traffic on a running router. */
import type { Server } from 'node:net'
import type { TestCertificate } from '@switchyard/testkit'
import type { MemoryLimits } from './memory-limits.ts'

/** The attacker's address, which nobody else uses. */
export const ATTACKER = '127.0.0.2'

/** Counts of an attacker's requests and answers. */
export type Tally = {
  requests: number
  bytes: number
  /** The number of answers by their status, or by what came in place of one. */
  readonly answers: Record<string, number>
}

export type Field = {
  readonly port: number
  readonly host: string
  /** The attacker's address, which nobody else uses. */
  readonly address: string
  readonly signal: AbortSignal
  readonly tally: Tally
}

/** The file with the certificate of the subgraph "b", beside the router's settings file. */
export const SUBGRAPH_CA = 'subgraph.crt'

export type Attack = {
  readonly name: string
  /** Lines of the router's settings file, where an attack needs another than the defaults. */
  readonly settings?: string
  /** Returns the answer of the subgraph "b", if this subgraph is the attacker. */
  readonly answer?: () => Buffer
  /** The subgraph "b" itself, where it attacks by how it answers. The certificate is in `SUBGRAPH_CA`. */
  readonly serve?: (certificate: TestCertificate) => Server
  /** Whether the subgraph "b" is called with TLS. */
  readonly isSecure?: boolean
  /** The memory limits of the router, if they differ from the usual ones. */
  readonly memory?: Partial<MemoryLimits>
  /** Resolves soon after the signal aborts. */
  readonly run: (field: Field) => Promise<void>
}

export function counted(tally: Tally, answer: string): void {
  tally.answers[answer] = (tally.answers[answer] ?? 0) + 1
}
