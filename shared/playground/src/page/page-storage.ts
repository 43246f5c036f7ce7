/**
 * The storage in which GraphiQL keeps tabs, the history of operations and the sizes of panes beyond the page.
 * GraphiQL is told not to keep headers, and keeps those of its history all the same. They may hold tokens, so
 * they are left out here.
 */

/** Returns the storage without the headers of the values that are written to it. */
export function withoutHeaders(storage: Storage): Storage {
  return {
    get length() {
      return storage.length
    },
    clear: () => storage.clear(),
    getItem: (key) => storage.getItem(key),
    key: (index) => storage.key(index),
    removeItem: (key) => storage.removeItem(key),
    setItem: (key, value) => storage.setItem(key, strippedOf(value)),
  }
}

/** Returns a value without the headers in it. A value that is no JSON has no members. */
function strippedOf(value: string): string {
  if (!value.includes('headers')) return value
  try {
    return JSON.stringify(JSON.parse(value, (name, member: unknown) => (name === 'headers' ? null : member)))
  } catch {
    return value
  }
}
