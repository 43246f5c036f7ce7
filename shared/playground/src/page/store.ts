/** One value that parts of the page share, and that tells them when it has changed. */
import { useSyncExternalStore } from 'react'

export class Store<Value> {
  #value: Value
  readonly #listeners = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set(value: Value): void {
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  /**
   * Adds a listener, as `useSyncExternalStore` expects it. Returns the function that removes the listener.
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Returns the value of a store; the component is rendered again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.subscribe, () => store.value)
}
