/** The YAML settings file as checked settings. Every problem names its key and line. */
import { readFile } from 'node:fs/promises'
import type { Environment } from '@switchyard/service-kit'
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { RouterConfigError } from '../settings/config-error.ts'
import { expandVariables } from '../settings/expand-variables.ts'
import { likelySetting } from './likely-setting.ts'
import {
  refusal,
  type RetiredUse,
  type Retirement,
  retirementAt,
  withoutIgnored,
} from './retired-settings.ts'
import { RouterSettings } from './settings.ts'

export type SettingsFile = { readonly path: string; readonly text: string }

/**
 * Reads the file that SWITCHYARD_CONFIG names; null if the variable names none. Rejects with the system's
 * error if the file cannot be read.
 */
export async function readSettingsFile(env: Environment): Promise<SettingsFile | null> {
  const path = env['SWITCHYARD_CONFIG'] || null
  return path === null ? null : { path, text: await readFile(path, 'utf8') }
}

/** The settings that were read, and the line of each. */
export type SettingsRead = {
  readonly settings: RouterSettings
  /**
   * Returns the line of the setting in the file, counted from 1; null if the file does not name the setting.
   */
  readonly lineOf: (keys: readonly PropertyKey[]) => number | null
  /** Settings in the file that are ignored. */
  readonly retired: readonly RetiredUse[]
}

/**
 * Throws RouterConfigError. Without a file: the defaults. `${NAME}` in values stands for variables of `env`,
 * see `expandVariables`. `ignored` and `refused` are settings that earlier versions had.
 */
export function readSettings(
  file: SettingsFile | null,
  env: Environment,
  { ignored, refused }: Retirement = retirementAt(),
): SettingsRead {
  const lines = new LineCounter()
  const document = parseDocument(file?.text ?? '', { lineCounter: lines, uniqueKeys: true })
  const path = file?.path ?? 'settings'
  const lineAt = (offset: number): number => lines.linePos(offset).line
  refuse(document.errors.map(({ pos, message }) => `${path}:${lineAt(pos[0])}: ${firstLine(message)}`))
  const ignoredNodes = ignored.flatMap(({ name }) => nodeAt(document, name.split('.'))?.value ?? [])
  const expanded = expandVariables(document, env, ignoredNodes)
  refuse(expanded.problems.map(({ offset, message }) => `${path}:${lineAt(offset)}: ${message}`))
  const { values, found } = withoutIgnored(document.toJS() ?? {}, ignored)
  const result = RouterSettings.safeParse(values)
  const lineOf = (keys: readonly PropertyKey[]): number | null => {
    const node = nodeAt(document, keys)
    return node === null ? null : lineAt(node.offset)
  }
  const place = (keys: readonly PropertyKey[]): string => {
    const line = nearestLine(keys, lineOf)
    return line === null ? path : `${path}:${line}`
  }
  const retired = found.map((setting) => ({ ...setting, source: place(setting.name.split('.')) }))
  if (result.success) return { settings: result.data, lineOf, retired }
  const source = (keys: readonly PropertyKey[]): string => {
    const names = expanded.variablesOf(nodeAt(document, keys)?.value)
    return names.length === 0 ? '' : ` (the value is made from ${names.join(' and ')})`
  }
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, place, source, refused))
  throw new RouterConfigError(problems)
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new RouterConfigError(problems)
}

type TextOf = (keys: readonly PropertyKey[]) => string

function problemsOf(
  issue: z.core.$ZodIssue,
  place: TextOf,
  source: TextOf,
  refused: Retirement['refused'],
): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const keys = [...issue.path, key]
      const retired = refused.find(({ name }) => name === keys.join('.'))
      if (retired !== undefined) return `${place(keys)}: ${refusal(retired)}`
      const meant = likelySetting(keys)
      const hint = meant === null ? '' : `; did you mean "${meant}"?`
      return `${place(keys)}: unknown setting "${keys.join('.')}"${hint}`
    })
  }
  return [`${place(issue.path)}: "${issue.path.join('.')}": ${issue.message}${source(issue.path)}`]
}

/** The line of a key; of the nearest enclosing one that is written when the key itself is not. */
function nearestLine(
  keys: readonly PropertyKey[],
  lineOf: (keys: readonly PropertyKey[]) => number | null,
): number | null {
  for (let length = keys.length; length > 0; length -= 1) {
    const line = lineOf(keys.slice(0, length))
    if (line !== null) return line
  }
  return null
}

/**
 * Finds the value at a key and the offset at which the key begins (in a list, the value itself); null if the
 * file does not have the key.
 */
function nodeAt(
  document: Document,
  keys: readonly PropertyKey[],
): { readonly value: unknown; readonly offset: number } | null {
  let node: unknown = document.contents
  let offset: number | null = null
  for (const key of keys) {
    let named: unknown
    if (isMap(node)) {
      const pair = node.items.find(({ key: name }) => isScalar(name) && name.value === key)
      named = pair?.key
      node = pair?.value
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key]
      named = node
    } else return null
    if (!isNode(named)) return null
    offset = named.range?.[0] ?? offset
  }
  return offset === null ? null : { value: node, offset }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
