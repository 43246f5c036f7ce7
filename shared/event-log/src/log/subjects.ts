import { InvalidSubjectError } from './errors.ts'
import type { LogFilter, LogName } from './event-log.ts'

/** Where the subjects of each log live. The stream of a log carries the log's name. */
const PREFIXES: Readonly<Record<LogName, string>> = {
  registry: 'registry.events.',
  compositions: 'compositions.',
  configs: 'configs.',
}

export const LOG_NAMES: readonly LogName[] = ['registry', 'compositions', 'configs']

/** A subject made of tokens that `encodeToken` can produce: no wildcard, no white space, no empty token. */
const SUBJECT = /^[0-9a-z_=-]+(\.[0-9a-z_=-]+)*$/

/** The pattern that selects all subjects of a log, in NATS notation. */
export function subjectPattern(log: LogName): string {
  return `${PREFIXES[log]}>`
}

/** The log a subject belongs to. Throws InvalidSubjectError for a subject of no log. */
export function logOfSubject(subject: string): LogName {
  const log = SUBJECT.test(subject) ? LOG_NAMES.find((name) => subject.startsWith(PREFIXES[name])) : undefined
  if (log === undefined) {
    throw new InvalidSubjectError(
      subject,
      `${LOG_NAMES.map((name) => `${PREFIXES[name]}…`).join(', ')} with tokens made by encodeToken`,
    )
  }
  return log
}

export function logOfFilter(filter: LogFilter): LogName {
  return filter.kind === 'log' ? filter.log : logOfSubject(filter.subject)
}

/** Checks a subject that an announcer may send to. */
export function checkAnnouncementSubject(subject: string): void {
  if (!SUBJECT.test(subject)) {
    throw new InvalidSubjectError(subject, 'tokens made by encodeToken, separated by dots')
  }
}

/** Checks a subject that an announcer may listen to: as above, or ending in `.>`. */
export function checkAnnouncementPattern(pattern: string): void {
  const subject = pattern.endsWith('.>') ? pattern.slice(0, -2) : pattern
  if (!SUBJECT.test(subject)) {
    throw new InvalidSubjectError(
      pattern,
      'tokens made by encodeToken, separated by dots, optionally ending in .>',
    )
  }
}

export function matchesPattern(pattern: string, subject: string): boolean {
  return pattern.endsWith('.>') ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject
}
