/** Asks the router what it is, and which flags it serves at this moment. */
import type { PlaygroundState } from '../state.ts'

/** Relative to the page, which may lie below a base path. */
const STATE = 'playground/state.json'

/** Throws an Error whose message a person can read. */
export async function loadState(): Promise<PlaygroundState> {
  const response = await fetch(STATE, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw new Error(`The router answered ${STATE} with status ${response.status}.`)
  // Written by the router that this page came from.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as PlaygroundState
}
