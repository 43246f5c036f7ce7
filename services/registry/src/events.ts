/**
 * Log lines and metrics of the registry: one function per event. Event names never change, and ids are fields
 * of the line. Each folder declares the events of its own.
 */
import { logEvent, type Logger } from '@switchyard/service-kit'
import { fleetEvents } from './fleet/fleet-events.ts'
import { apiEvents } from './http/api/api-events.ts'
import { previewEvents } from './previews/preview-events.ts'
import { readingEvents } from './reading/reading-events.ts'
import { sweepEvents } from './sweep/sweep-events.ts'
import { traceKeyEvents } from './trace-keys/trace-key-events.ts'
import { transferEvents } from './transfer/transfer-events.ts'
import { commandEvents } from './writing/command-events.ts'

export type RegistryEvents = ReturnType<typeof createRegistryEvents>

/** The log events of this file. */
export const LOGGED = {
  listening: logEvent('registry.listening', {
    level: 'info',
    fields: ['url'],
    says: 'the management API is open',
  }),
}

/** Returns the functions that log and count the events of a registry. */
export function createRegistryEvents(logger: Logger) {
  return {
    ...apiEvents(logger),
    ...commandEvents(logger),
    ...traceKeyEvents(logger),
    ...readingEvents(logger),
    ...fleetEvents(logger),
    ...previewEvents(logger),
    ...sweepEvents(logger),
    ...transferEvents(logger),
    listening(url: string): void {
      LOGGED.listening.write(logger, { url })
    },
  }
}
