/** Published documents that a change would take from clients, as lines. */
import type { DocumentReport, LostDocument } from '@switchyard/schema-checks'
import { type GraphVariant, printVariants } from './graph-variant.ts'
import { printableLine } from '@switchyard/service-kit/printable'
import type { Style } from './style.ts'

/** The largest number of documents that are shown. The JSON document has more of them. */
const MAX_SHOWN = 10
const MAX_MESSAGES = 3
/** The largest number of characters that are shown of a hash, and of a name that a person has chosen. */
const HASH = 12
const NAME = 60

/** Prints documents that nothing would answer, then the others. Each list says how many more there are. */
export function printDocuments(
  { lost, unanswered, partlyAnswered }: DocumentReport,
  style: Style,
): readonly string[] {
  const list = (title: string, count: number, elsewhere: boolean): readonly string[] => {
    if (count === 0) return []
    const shown = lost.filter(({ answeredElsewhere }) => answeredElsewhere === elsewhere).slice(0, MAX_SHOWN)
    const more = count - shown.length
    return [
      `${title} (${count})`,
      ...shown.flatMap((document) => linesOf(document, style)),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ]
  }
  return [
    ...list(style.red('documents that nothing would answer'), unanswered, false),
    ...list(style.yellow('documents that fewer compositions would answer'), partlyAnswered, true),
  ]
}

/** Empty, or how many documents there are of each kind. */
export function countDocuments({ unanswered, partlyAnswered }: DocumentReport): readonly string[] {
  const counted = (count: number) => `${count} ${count === 1 ? 'document' : 'documents'}`
  return [
    ...(unanswered === 0 ? [] : [`${counted(unanswered)} that nothing would answer`]),
    ...(partlyAnswered === 0 ? [] : [`${counted(partlyAnswered)} that fewer compositions would answer`]),
  ]
}

/** `Prices (3f2a91c04be7) of manifest web, for clients ios, tv`. */
export function documentLabel({ id, operationName, manifests, clients }: LostDocument): string {
  const key = /^[0-9a-f]{64}$/.test(id) ? id.slice(0, HASH) : shortened(id)
  const name = operationName === null ? key : `${shortened(operationName)} (${key})`
  const users =
    clients === null ? '' : `, for ${clients.length === 1 ? 'client' : 'clients'} ${listed(clients)}`
  return `${name} of ${manifests.length === 1 ? 'manifest' : 'manifests'} ${listed(manifests)}${users}`
}

/** Each error of a document, with its place in the document, once for the compositions that would give it. */
export function documentErrors({
  graph,
  compositions,
  compositionCount,
}: LostDocument): readonly { readonly text: string; readonly where: string }[] {
  const byText = new Map<string, GraphVariant[]>()
  for (const { featureFlag, message, locations } of compositions) {
    const [first = ''] = message.split('\n', 1)
    const [at] = locations
    const text = printableLine(at === undefined ? first : `${at.line}:${at.column}: ${first}`)
    byText.set(text, [...(byText.get(text) ?? []), { graph, featureFlag }])
  }
  const more = compositionCount - compositions.length
  return [...byText].slice(0, MAX_MESSAGES).map(([text, variants], index) => ({
    text,
    where: `${printVariants(variants)}${index === 0 && more > 0 ? `, and ${more} more` : ''}`,
  }))
}

function linesOf(document: LostDocument, style: Style): readonly string[] {
  return [
    `  ${documentLabel(document)}`,
    ...documentErrors(document).flatMap(({ text, where }) => [`    ${text}`, style.dim(`      in ${where}`)]),
  ]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_MESSAGES).map(shortened).join(', ')
  const more = names.length - MAX_MESSAGES
  return more > 0 ? `${shown}, and ${more} more` : shown
}

function shortened(name: string): string {
  const text = printableLine(name)
  return text.length > NAME ? `${text.slice(0, NAME)}…` : text
}
