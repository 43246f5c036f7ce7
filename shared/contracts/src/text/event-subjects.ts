/**
 * Texts with places for arguments, as `orders.{{ args.id }}`: the subjects of events, and the values of their
 * filters.
 */

/** A part of such a text: it is written out, or the path of an argument stands for it. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly path: readonly string[] }
  /** Braces with something else in them. */
  | { readonly kind: 'nonsense'; readonly text: string }

const PLACE = /(\{\{[^{}]*\}\})/
const ARGUMENT = /^\{\{\s*args\.([_A-Za-z]\w*(?:\.[_A-Za-z]\w*)*)\s*\}\}$/

/** Takes a text apart. */
export function templateParts(text: string): readonly TemplatePart[] {
  return text
    .split(PLACE)
    .filter((piece) => piece !== '')
    .map((piece): TemplatePart => {
      const path = ARGUMENT.exec(piece)?.[1]
      if (path !== undefined) return { kind: 'argument', path: path.split('.') }
      return /[{}]/.test(piece) ? { kind: 'nonsense', text: piece } : { kind: 'text', text: piece }
    })
}

/** The reasons for which a subject is refused. */
export type SubjectProblem = 'empty' | 'no-subject' | 'open-beginning' | 'reserved' | 'wildcard' | 'too-long'

/**
 * The first tokens of the subjects on which the services of Switchyard talk, and of those of NATS itself. An
 * event must never come from there, whatever rights the account of a router has.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'registry',
  'compositions',
  'configs',
  'config',
  'router',
  'composer',
  '_INBOX',
])

/** Bytes of a subject as it is written. */
const LONGEST = 1024
/** A token of a subject, with an X for each argument. */
const TOKEN = /^[!-~]+$/

/** The reason to refuse a subject of NATS; null if it may be used. */
export function subjectProblem(subject: string, mayHaveWildcards: boolean): SubjectProblem | null {
  if (subject === '') return 'empty'
  if (subject.length > LONGEST) return 'too-long'
  const parts = templateParts(subject)
  // An argument is letters, digits, _ and -, so that it never ends a token.
  const tokens = parts
    .map((part) => (part.kind === 'text' ? part.text : 'X'))
    .join('')
    .split('.')
  if (!tokens.every((token) => TOKEN.test(token))) return 'no-subject'
  const beginning = (parts[0]?.kind === 'text' ? parts[0].text : '').split('.')
  const [first = ''] = beginning
  // Any subject might begin as an argument does, or be matched by a wildcard.
  const isOpen = first === '' || /[*>]/.test(first) || (beginning.length === 1 && parts.length > 1)
  if (first.startsWith('$') || RESERVED.has(first)) return 'reserved'
  if (isOpen) return 'open-beginning'
  const wildcards = tokens.map((token) => /[*>]/.test(token))
  if (!mayHaveWildcards && wildcards.includes(true)) return 'wildcard'
  const isWell = tokens.every(
    (token, at) => !wildcards[at] || token === '*' || (token === '>' && at === tokens.length - 1),
  )
  return isWell ? null : 'no-subject'
}
