import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work in one turn of the event loop. */
const TURN_MS = 5

/**
 * Does something for each of those who share an answer, for a few milliseconds in each turn of the event
 * loop: clients choose how many they are. `items` may shrink meanwhile. Rejects with what `act` throws.
 */
export async function inTurns<Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> {
  let began = performance.now()
  for (const item of items) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate()
      began = performance.now()
    }
    act(item)
  }
}
