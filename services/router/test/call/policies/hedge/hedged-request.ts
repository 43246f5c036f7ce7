/** A request to a router that makes calls a second time, of subgraphs that hold their answers. */
import type { HeldCall } from '../../../support/held-subgraph.ts'
import { type Reply, until } from '../../../support/router.ts'

/** A router with such subgraphs. */
export type Hedging = {
  /** Of all addresses, in the order in which each got them. */
  calls(): readonly HeldCall[]
  ask(query?: string, headers?: Record<string, string>): Promise<Reply>
}

/** A request of which both calls are made. `first` is the first that was received. */
export async function hedged(router: Hedging, query?: string, headers?: Record<string, string>) {
  const before = new Set(router.calls())
  const reply = router.ask(query, headers)
  const fresh = () => router.calls().filter((call) => !before.has(call))
  await until(() => fresh().length > 0, 'the call is made')
  const [first] = fresh()
  await until(() => fresh().length === 2, 'it is made a second time')
  const second = fresh().find((call) => call !== first)
  if (first === undefined || second === undefined) throw new Error('both were made')
  return { first, second, reply }
}
