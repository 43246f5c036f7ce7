import { logEvent, type Logger } from '@switchyard/service-kit'

export type FleetEvents = ReturnType<typeof fleetEvents>

/** The log events of this file. */
export const LOGGED = {
  routerClockOff: logEvent('registry.router.clock-off', {
    level: 'warn',
    fields: ['subject', 'aheadSeconds'],
    says: 'the clocks of a router and of this registry differ by more than 2 minutes: the router is listed and counted',
    advice:
      'Set the clock that is wrong. A router with the wrong time takes no new configuration and refuses tokens. `aheadSeconds` is negative if the router is behind',
  }),
  fleetFull: logEvent('registry.fleet.full', {
    level: 'warn',
    fields: ['subject'],
    says: 'the list of routers is full: further ones are not shown until others fall silent',
    advice: 'Find out who publishes to `router.status.>`, and set `SWITCHYARD_FLEET_KEY`',
  }),
}

/** Returns the functions that log what is wrong with the list of routers that are alive. */
export function fleetEvents(logger: Logger) {
  return {
    /** `aheadSeconds`: negative if it is behind. */
    routerClockOff(subject: string, aheadSeconds: number): void {
      LOGGED.routerClockOff.write(
        logger,
        { subject, aheadSeconds },
        'the clocks of a router and of this registry differ by more than 2 minutes: the router is listed and counted, but takes no new configuration and refuses tokens if its clock is the wrong one',
      )
    },
    fleetFull(subject: string): void {
      LOGGED.fleetFull.write(
        logger,
        { subject },
        'the list of routers is full: further ones are not shown until others fall silent. Find out who publishes to router.status.>, and set SWITCHYARD_FLEET_KEY',
      )
    },
  }
}
