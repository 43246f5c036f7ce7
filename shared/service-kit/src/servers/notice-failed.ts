import { logEvent } from '../logging/log-event.ts'

/** A handler of notices, or the subscription to them, failed. */
export const NOTICE_FAILED = logEvent('notice.failed', {
  level: ['warn', 'error'],
  rareFields: ['subject', 'err', 'reason'],
  says: 'A notice could not be handled, or the service could not listen for notices. The change that it announced is found within seconds.',
  advice: 'Nothing after a single line. Otherwise check the permissions in NATS',
})
