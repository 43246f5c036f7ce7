/**
 * Reports trouble with NATS in every service: logs it, and names it to callers that ask what the service
 * waits for.
 */
import { type Logger, NOTICE_FAILED, ServerProblems } from '@switchyard/service-kit'
import type { NatsStorageOptions } from './nats-storage.ts'

/** `handlers` are options of `openNatsStorage`; `waitingFor` says why the storage is not open yet. */
export function reportNats(logger: Logger): {
  readonly waitingFor: () => string
  readonly handlers: Required<Pick<NatsStorageOptions, 'onProblem' | 'onWarning' | 'onError'>>
} {
  const problems = new ServerProblems(logger, 'nats')
  const text =
    'a notice could not be handled: the change that it announced is found in the log within seconds'
  const onError = (error: unknown) => NOTICE_FAILED.writeGrave(logger, { err: error }, text)
  return {
    waitingFor: () => problems.current ?? 'waiting for NATS and the streams of the other services',
    handlers: { onProblem: problems.tell, onWarning: problems.warn, onError },
  }
}
