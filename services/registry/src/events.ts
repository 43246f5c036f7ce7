/**
 * Log lines and metrics of the registry: one function per event. Event names never change, and ids are fields
 * of the line. Each folder declares the events of its own.
 */
import type { Logger } from '@switchyard/service-kit'
import { fleetEvents } from './fleet/fleet-events.ts'
import { apiEvents } from './http/api/api-events.ts'
import { readingEvents } from './reading/reading-events.ts'
import { traceKeyEvents } from './trace-keys/trace-key-events.ts'
import { transferEvents } from './transfer/transfer-events.ts'
import { commandEvents } from './writing/command-events.ts'

export type RegistryEvents = ReturnType<typeof createRegistryEvents>

/** Returns the functions that log and count the events of a registry. */
export function createRegistryEvents(logger: Logger) {
  return {
    ...apiEvents(logger),
    ...commandEvents(logger),
    ...traceKeyEvents(logger),
    ...readingEvents(logger),
    ...fleetEvents(logger),
    ...transferEvents(logger),
    listening(url: string): void {
      logger.info({ event: 'registry.listening', url }, 'the management API is open')
    },
    blobSwept(sha256: string, storedAt: string, bytes: number): void {
      logger.info(
        { event: 'registry.blob.swept', sha256, storedAt, bytes },
        'removed a stored schema or artifact that no record refers to',
      )
    },
    sweepPostponed(reason: string): void {
      logger.info(
        { event: 'registry.sweep.postponed', reason },
        `unused schemas and artifacts are not removed now: ${reason}`,
      )
    },
  }
}
