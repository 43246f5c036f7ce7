import type { SchemaChange } from '@switchyard/schema-checks'

const MOST_CHANGES = 2000

type Counted<Change> = {
  readonly breaking: number
  readonly dangerous: number
  readonly safe: number
  changes: Change[]
}

/** Counts all changes, and keeps the first. */
export function boundedChanges<Change extends SchemaChange>(changes: readonly Change[]): Counted<Change> {
  const count = (wanted: SchemaChange['criticality']) =>
    changes.filter(({ criticality }) => criticality === wanted).length
  return {
    breaking: count('breaking'),
    dangerous: count('dangerous'),
    safe: count('safe'),
    changes: changes.slice(0, MOST_CHANGES),
  }
}
