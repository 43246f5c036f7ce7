/** Options of the commands that create and change rollouts. */
import {
  type RolloutCondition,
  RolloutKey,
  RolloutMode,
  RolloutPercent,
  RolloutSalt,
} from '@switchyard/contracts'
import { printRolloutCondition, readRolloutCondition } from '@switchyard/rollouts'
import { optional, repeated } from '../command/options.ts'
import { futureTime } from '../command/points-in-time.ts'
import { rolloutName, type ValueType } from '../command/value-types.ts'
import { UsageError } from '../run/errors.ts'

const percentage: ValueType<number> = {
  parse: (word) => {
    const parsed = RolloutPercent.safeParse(/^\d{1,3}(?:\.\d+)?$/.test(word) ? Number(word) : null)
    if (parsed.success) return parsed.data
    throw new UsageError(
      `--percent takes a number from 0 to 100 with at most two decimals, such as 5 or 0.25, not "${word}".`,
    )
  },
}

const condition: ValueType<RolloutCondition> = {
  parse: (text) => {
    const read = readRolloutCondition(text)
    if (read.kind === 'condition') return read.condition
    throw new UsageError(`--where: ${read.problem}.`)
  },
}

const keySource: ValueType<string> = {
  parse: (word) => {
    const parsed = RolloutKey.safeParse([word])
    if (parsed.success) return word
    throw new UsageError(`--key: "${word}" is no key: ${parsed.error.issues[0]?.message ?? ''}.`)
  },
}

const salt: ValueType<string> = {
  parse: (word) => {
    const parsed = RolloutSalt.safeParse(word)
    if (parsed.success) return word
    throw new UsageError(`--salt takes a text of 1 to 200 characters; the one given has ${word.length}.`)
  },
}

const mode: ValueType<'serve' | 'shadow'> = {
  parse: (word) => {
    const parsed = RolloutMode.safeParse(word)
    if (parsed.success) return parsed.data
    throw new UsageError(`--mode takes ${RolloutMode.options.join(' or ')}, not "${word}".`)
  },
  completion: RolloutMode.options,
}

/** The salt, which only a new rollout takes. */
export const SALT = {
  salt: optional(
    '--salt <text>',
    'what groups requests, else a random one; keep that of a rollout that was',
    salt,
  ),
}

/** The options of both commands. */
export const RULE = {
  percent: optional(
    '--percent <number>',
    'how many of its audience get the flag: 0 to 100, in steps of 0.01',
    percentage,
  ),
  key: repeated(
    '--key <source...>',
    'what tells requests apart, such as claim:sub; of several, the first that a request has',
    keySource,
  ),
  where: repeated(
    '--where <condition...>',
    `a condition on requests, such as '${printRolloutCondition({ on: 'claim:plan', in: ['pro', 'team'] })}'; all of them must hold`,
    condition,
  ),
  expires: optional(
    '--expires <time>',
    'when it ends: a duration such as 2h, 3d or 1w from now, or a time in RFC 3339',
    futureTime('--expires'),
  ),
  before: optional(
    '--before <rollout>',
    'requests try it right before this rollout of the graph',
    rolloutName,
  ),
  mode: optional(
    '--mode <mode>',
    'serve: clients get the answers of the flag; shadow: they are only compared with those of base',
    mode,
  ),
}

/** The help text about conditions and keys. */
export const NOTES = `A condition is <source> [not] <test> <values>. Sources: claim:<path> (of the verified token), header:<name>, cookie:<name>, client,
client_version, address. Tests: equals, in (values with commas between them), starts_with, ends_with, exists (without a value),
semver (a range, such as >=2.1.0 <3). A value with a comma stands in quotation marks.
A key is claim:<path>, header:<name>, cookie:<name>, visitor_cookie (which routers can assign) or address.
An audience is no access control: who reaches the router may name every flag that it serves.`
