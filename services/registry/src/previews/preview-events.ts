import { logEvent, type Logger } from '@switchyard/service-kit'

export type PreviewEvents = ReturnType<typeof previewEvents>

/** The log events of this file. */
export const LOGGED = {
  notEnded: logEvent('registry.previews.not-ended', {
    level: 'warn',
    fields: ['reason'],
    says: 'Previews whose time is over could not be ended; it is tried again. Routers do not serve them any more.',
  }),
}

/** Returns the functions that log what becomes of previews. */
export function previewEvents(logger: Logger) {
  return {
    previewsNotEnded(reason: string): void {
      LOGGED.notEnded.write(logger, { reason })
    },
  }
}
