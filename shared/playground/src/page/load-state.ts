/** Asks the router for its state, and for the flags that it serves at this moment. */
import type { PlaygroundState } from '../state.ts'

/** Relative to the page, which may lie below a base path. */
const STATE = 'playground/state.json'

/** A router that takes longer counts as one that does not answer. */
const LIMIT_MS = 10_000

/** Throws an Error whose message is a clause that a person can read: "it answered … with status 502". */
export async function loadState(): Promise<PlaygroundState> {
  const response = await fetchState()
  if (!response.ok) throw new Error(`it answered ${STATE} with status ${response.status}`)
  try {
    // Written by the router that this page came from.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await response.json()) as PlaygroundState
  } catch (error) {
    throw new Error(`its answer to ${STATE} is not JSON`, { cause: error })
  }
}

async function fetchState(): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    return await fetch(STATE, { headers: { Accept: 'application/json' }, signal })
  } catch (error) {
    throw new Error('there is no connection to it', { cause: error })
  }
}
