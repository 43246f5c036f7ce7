/**
 * Conditions of audiences as people write and read them: `<source> [not] <test> <values>`.
 *
 * `claim:plan in pro,team`, `client_version semver >=2.1.0 <3`, `header:X-Region not equals eu`. Values of
 * `in` are separated by commas. A value that begins or ends with a space, begins with a quotation mark or has
 * a comma stands as a JSON string: `cookie:city in "Reykjavík, Iceland",Oslo`.
 */
import {
  CONDITION_SOURCE_RULE,
  nearestWord,
  ROLLOUT_TESTS,
  RolloutCondition,
  rolloutSourceOf,
  type RolloutTest,
} from '@switchyard/contracts'
import { SOURCE } from './printed-condition.ts'

type TestName = (typeof ROLLOUT_TESTS)[number]

/** A condition that was read from its text, or the sentence that says what is wrong with the text. */
export type ReadCondition =
  | { readonly kind: 'condition'; readonly condition: RolloutCondition }
  | { readonly kind: 'problem'; readonly problem: string }

/** A part of the text in which something else was expected. */
class UnexpectedText extends Error {}

const FORM = '<source> [not] <test> <values>, such as: claim:plan in pro,team'
/** Characters of a text that a message shows. */
const LONGEST_SHOWN = 200
const WORD = /^\S+/
const QUOTED = /^"(?:[^"\\]|\\.)*"/s

/** Reads the text form of a condition. */
export function readRolloutCondition(text: string): ReadCondition {
  try {
    return checkedCondition(conditionIn(text.trim()), text)
  } catch (error) {
    if (!(error instanceof UnexpectedText)) throw error
    return problemWith(text, error.message)
  }
}

function conditionIn(text: string): unknown {
  const source = takeSource(text)
  const first = takeWord(source.rest)
  const isNegated = first.word === 'not'
  const { word, rest } = isNegated ? takeWord(first.rest) : first
  const test = testIn(word, isNegated ? 'not' : source.on, rest)
  return isNegated ? { on: source.on, not: test } : { on: source.on, ...test }
}

function takeSource(text: string): { readonly on: string; readonly rest: string } {
  if (text === '') throw new UnexpectedText(`it is empty. The form is ${FORM}`)
  const quoted = QUOTED.exec(text)?.[0]
  const written = quoted ?? SOURCE.exec(text)?.[0] ?? text
  const on = quoted === undefined ? written : unquote(quoted)
  const kind = rolloutSourceOf(on)?.kind
  if (kind === undefined || kind === 'visitor_cookie')
    throw new UnexpectedText(`"${on}" is no property of a request; ${CONDITION_SOURCE_RULE}`)
  return { on, rest: text.slice(written.length).trimStart() }
}

function takeWord(text: string): { readonly word: string; readonly rest: string } {
  const word = WORD.exec(text)?.[0] ?? ''
  return { word, rest: text.slice(word.length).trim() }
}

function testIn(word: string, before: string, values: string): RolloutTest {
  const name = ROLLOUT_TESTS.find((one) => one === word)
  if (name === undefined) throw new UnexpectedText(noTest(word, before))
  if (name === 'exists') {
    if (values === '') return { exists: true }
    throw new UnexpectedText(`nothing was expected behind exists, not "${values}"`)
  }
  const found = valuesIn(values, name)
  if (name === 'in') return { in: [...found] }
  const [value = '', second] = found
  if (second === undefined) return { [name]: value }
  const other = name === 'equals' ? ' in tests for several values, and' : ''
  throw new UnexpectedText(
    `${name} takes one value, and a comma begins another one;${other} a value with a comma stands in quotation marks`,
  )
}

function noTest(word: string, before: string): string {
  const tests = `${ROLLOUT_TESTS.join(', ')}${before === 'not' ? '' : ', or not before one of them'}`
  if (word === '') return `a test was expected behind ${before}: ${tests}`
  const meant = nearestWord(word, before === 'not' ? ROLLOUT_TESTS : [...ROLLOUT_TESTS, 'not'])
  const hint = meant === null ? '' : ` (did you mean ${meant}?)`
  return `"${word}" is no test${hint}; expected ${tests}`
}

/** Takes values apart at their commas. */
function valuesIn(text: string, test: TestName): readonly string[] {
  const values: string[] = []
  let rest = text
  for (;;) {
    const quoted = QUOTED.exec(rest)?.[0]
    const written = quoted ?? /^[^,]*/.exec(rest)?.[0] ?? ''
    const value = quoted === undefined ? bareValue(written.trim(), values.length, test) : unquote(quoted)
    values.push(value)
    rest = rest.slice(written.length).trimStart()
    if (rest === '') return values
    if (!rest.startsWith(','))
      throw new UnexpectedText(`a comma or the end was expected behind ${quoted ?? value}, not "${rest}"`)
    rest = rest.slice(1).trimStart()
  }
}

function bareValue(text: string, place: number, test: TestName): string {
  if (text.startsWith('"'))
    throw new UnexpectedText(`the quotation mark before ${text.slice(1)} is not closed`)
  if (text !== '') return text
  throw new UnexpectedText(
    place === 0 ? `a value was expected behind ${test}` : 'a value was expected behind the comma',
  )
}

function unquote(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return String(value)
  } catch {
    throw new UnexpectedText(`${text} is no JSON string, as a value in quotation marks has to be`)
  }
}

/** Judges values by the rules for all conditions: how many, and how long. */
function checkedCondition(value: unknown, text: string): ReadCondition {
  const parsed = RolloutCondition.safeParse(value)
  if (parsed.success) return { kind: 'condition', condition: parsed.data }
  const [issue] = parsed.error.issues
  return problemWith(text, issue?.message ?? 'it breaks a rule')
}

function problemWith(text: string, rule: string): ReadCondition {
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
  return { kind: 'problem', problem: `"${shown}" is no condition: ${rule}` }
}
