/** The table of values that change, which are not records: how often something was used, for example. */
import type { DatabaseSync } from 'node:sqlite'
import type { OperationInput, OperationName, OperationOutput } from './protocol.ts'

type ValueOperationName = Extract<OperationName, `${string}Value` | 'valueKeys'>

export const VALUE_TABLE = `CREATE TABLE IF NOT EXISTS key_values (
    key TEXT NOT NULL PRIMARY KEY,
    revision INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;`

/** Returns the operations on values. Revisions of a key only increase while it has a value. */
export function valueOperations(db: DatabaseSync): {
  readonly [Name in ValueOperationName]: (input: OperationInput<Name>) => OperationOutput<Name>
} {
  const get = db.prepare('SELECT bytes, revision FROM key_values WHERE key = ?')
  const insert = db.prepare(
    'INSERT INTO key_values (key, revision, bytes) VALUES (?, 1, ?) ON CONFLICT DO NOTHING',
  )
  const update = db.prepare(
    'UPDATE key_values SET revision = revision + 1, bytes = ? WHERE key = ? AND revision = ?',
  )
  const keys = db.prepare('SELECT key FROM key_values WHERE key >= ? AND key < ? ORDER BY key')
  const remove = db.prepare('DELETE FROM key_values WHERE key = ?')
  return {
    getValue({ key }) {
      const { bytes, revision } = get.get(key) ?? {}
      if (bytes === undefined) return null
      if (!(bytes instanceof Uint8Array)) throw new TypeError('Column bytes is not a blob.')
      return { bytes, revision: Number(revision) }
    },
    setValue({ key, bytes, revision }) {
      const { changes } = revision === 0 ? insert.run(key, bytes) : update.run(bytes, key, revision)
      return Number(changes) > 0
    },
    // The character behind the dot ends the range.
    valueKeys: ({ prefix }) => keys.all(`${prefix}.`, `${prefix}/`).map(({ key }) => String(key)),
    deleteValue({ key }) {
      remove.run(key)
      return null
    },
  }
}
