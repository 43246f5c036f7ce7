/** An attack that is carried on for a while by traffic on a running router. */
import type { Server } from 'node:net'
import type { TestCertificate } from '@switchyard/testkit'
import type { MemoryLimits } from './memory-limits.ts'

/** The attacker's address: not the one of anybody else. */
export const ATTACKER = '127.0.0.2'

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

/** The file with the certificate of the subgraph "b", beside the router's settings file. */
export const SUBGRAPH_CA = 'subgraph.crt'

export type Attack = {
  readonly name: string
  /** Lines of the router's settings file, where an attack needs another than the defaults. */
  readonly settings?: string
  /** What the subgraph "b" answers, where it is the one that attacks. */
  readonly answer?: () => Buffer
  /** The subgraph "b" itself, where it attacks by how it answers. The certificate is in `SUBGRAPH_CA`. */
  readonly serve?: (certificate: TestCertificate) => Server
  /** Whether the subgraph "b" is called with TLS. */
  readonly isSecure?: boolean
  /** Of the router, where they are others than the usual ones. */
  readonly memory?: Partial<MemoryLimits>
  /** Resolves soon after the signal aborts. */
  readonly run: (field: Field) => Promise<void>
}

export function counted(tally: Tally, answer: string): void {
  tally.answers[answer] = (tally.answers[answer] ?? 0) + 1
}
