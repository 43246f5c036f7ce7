/**
 * What log lines carry of the work that they are written for: set once where the work begins, and found by
 * every line that is logged in the course of it. Work for which much is logged many times a second, such as
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

/** What `fn` logs, and what it causes, carries these beside what is carried already. */
export function withLogContext<Result>(more: LogContext, fn: () => Result): Result {
  return contexts.run({ ...contexts.getStore(), ...more }, fn)
}
