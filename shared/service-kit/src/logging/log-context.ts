/**
 * The ids that log lines carry of the work that they are written for: set once where the work begins, and
 * found by every line that is logged in the course of it. Work that logs much many times a second, such as
 * requests of a router, hands its ids on by itself instead.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type LogContext = {
  readonly trace_id?: string
  readonly span_id?: string
  readonly request_id?: string
}

const contexts = new AsyncLocalStorage<LogContext>()

/** Undefined outside of such work. */
export function logContext(): LogContext | undefined {
  return contexts.getStore()
}

/**
 * Runs `fn`, whose log lines, and those of all that it causes, carry these ids besides those that are carried
 * already.
 */
export function withLogContext<Result>(more: LogContext, fn: () => Result): Result {
  return contexts.run({ ...contexts.getStore(), ...more }, fn)
}
