/** Words of the command line become checked values here, by the rules that the registry uses too. */
import {
  CommandReason,
  LabelMatchers,
  LabelSet,
  MAX_REASON_LENGTH,
  Namespace,
  PreviewHost,
  PreviewName,
  PublicUrl,
  ResourceName,
  WrittenRoutingUrl,
} from '@switchyard/contracts'
import type { z } from 'zod'
import { UsageError } from '../run/errors.ts'

/** Lists are separated by spaces; a quoted argument is split at its spaces too. */
export function splitWords(values: readonly string[] | undefined): readonly string[] {
  return (values ?? []).flatMap((value) => value.split(/\s+/)).filter((word) => word !== '')
}

/** Throws a UsageError that tells the rule for namespaces. */
export function parseNamespace(value: string): string {
  return check(Namespace, value, `"${value}" is no valid namespace`)
}

/** `kind` is what the name is of: `subgraph`, `API key`. */
export function parseName(kind: string, value: string): string {
  return check(
    ResourceName,
    value,
    `"${value}" is no valid name of ${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`,
  )
}

/** Throws a UsageError that tells the rule for hosts of previews. */
export function parsePreviewHosts(words: readonly string[]): string[] {
  return words.map((word) => check(PreviewHost, word, `"${word}" is no host for previews`))
}

/** Throws a UsageError that tells the rule for names of previews. */
export function parsePreviewName(value: string): string {
  return check(PreviewName, value, `"${value}" is no valid name of a preview`)
}

/** Throws a UsageError that tells the rule for routing URLs. */
export function parseRoutingUrl(value: string): string {
  return check(WrittenRoutingUrl, value, `"${value}" is no valid routing URL`)
}

/** Throws a UsageError that tells the rule for public URLs. */
export function parsePublicUrl(value: string): string {
  return check(PublicUrl, value, `"${value}" is no valid public URL`)
}

/** Throws a UsageError if the reason is empty or too long. */
export function parseReason(value: string): string {
  const parsed = CommandReason.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(
    `--reason takes a text of 1 to ${MAX_REASON_LENGTH} characters; the one given has ${value.trim().length}.`,
  )
}

/** Throws a UsageError that names every wrong label. */
export function parseLabels(values: readonly string[] | undefined): string[] {
  return checkAll(splitWords(values), LabelSet, 'label')
}

/** Throws a UsageError that names every wrong matcher. */
export function parseLabelMatchers(values: readonly string[] | undefined): string[] {
  return checkAll(splitWords(values), LabelMatchers, 'label matcher')
}

/** A port to listen on; 0 lets the system choose. */
export function parsePort(option: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) {
    throw new UsageError(`${option} takes a port number from 0 to 65535 (0 = any free one), not "${value}".`)
  }
  return port
}

/** Takes `default/shop` apart. Throws a UsageError. */
export function parseGraphName(value: string): { readonly namespace: string; readonly graph: string } {
  const slash = value.indexOf('/')
  if (slash === -1) {
    throw new UsageError(
      `A graph is named <namespace>/<name>, for example default/shop; "${value}" has no "/".`,
    )
  }
  return {
    namespace: parseNamespace(value.slice(0, slash)),
    graph: parseName('federated graph', value.slice(slash + 1)),
  }
}

function check<T>(schema: z.ZodType<T>, value: string, wrong: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const rule = parsed.error.issues[0]?.message ?? 'it breaks the rule'
  throw new UsageError(`${wrong}: ${rule}${rule.endsWith('?') ? '' : '.'}`)
}

function checkAll(words: readonly string[], schema: z.ZodType<string[]>, what: string): string[] {
  const wrong = words.flatMap((word) => {
    const parsed = schema.safeParse([word])
    return parsed.success ? [] : [{ word, rule: parsed.error.issues[0]?.message ?? '' }]
  })
  const [first] = wrong
  if (first !== undefined) {
    throw new UsageError(
      `${wrong.map(({ word }) => `"${word}"`).join(', ')} ${wrong.length === 1 ? `is no valid ${what}` : `are no valid ${what}s`}: ${first.rule}.`,
    )
  }
  const parsed = schema.safeParse(words)
  if (parsed.success) return parsed.data
  throw new UsageError(`Too many ${what}s: at most 100 are taken, ${words.length} were given.`)
}
