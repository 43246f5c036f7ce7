/** The YAML settings file as checked settings. Every problem names its key and line. */
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { RouterConfigError } from './config-error.ts'
import { RouterSettings } from './settings.ts'

export type SettingsFile = { readonly path: string; readonly text: string }

/** Throws RouterConfigError. Without a file: the defaults. */
export function readSettings(file: SettingsFile | null): RouterSettings {
  const lines = new LineCounter()
  const document = parseDocument(file?.text ?? '', { lineCounter: lines, uniqueKeys: true })
  const path = file?.path ?? 'settings'
  if (document.errors.length > 0) {
    throw new RouterConfigError(
      document.errors.map(
        (error) => `${path}:${lines.linePos(error.pos[0]).line}: ${firstLine(error.message)}`,
      ),
    )
  }
  const result = RouterSettings.safeParse(document.toJS() ?? {})
  if (result.success) return result.data
  const place = (keys: readonly PropertyKey[]) => {
    const offset = offsetOf(document, keys)
    return offset === null ? path : `${path}:${lines.linePos(offset).line}`
  }
  throw new RouterConfigError(result.error.issues.flatMap((issue) => problemsOf(issue, place)))
}

function problemsOf(issue: z.core.$ZodIssue, place: (keys: readonly PropertyKey[]) => string): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const keys = [...issue.path, key]
      return `${place(keys)}: unknown setting "${keys.join('.')}"`
    })
  }
  return [`${place(issue.path)}: "${issue.path.join('.')}": ${issue.message}`]
}

/** Where a key stands; the nearest enclosing one that is written when the key itself is not. */
function offsetOf(document: Document, keys: readonly PropertyKey[]): number | null {
  let node: unknown = document.contents
  let offset: number | null = null
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: name }) => isScalar(name) && name.value === key)
      if (pair === undefined) break
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key]
      if (isNode(node)) offset = node.range?.[0] ?? offset
    } else break
  }
  return offset
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
