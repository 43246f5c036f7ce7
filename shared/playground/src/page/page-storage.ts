/**
 * What GraphiQL keeps in the browser beyond the page: tabs, the history of operations, sizes of panes. Of
 * headers it is told to keep none, and keeps those of its history all the same: they may hold tokens, so they
 * are left out here.
 */

/** The storage, without the headers of what is written to it. */
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

/** What is no JSON has no members. */
function strippedOf(value: string): string {
  if (!value.includes('headers')) return value
  try {
    return JSON.stringify(JSON.parse(value, (name, member: unknown) => (name === 'headers' ? null : member)))
  } catch {
    return value
  }
}
