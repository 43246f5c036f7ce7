import type { Logger } from '@switchyard/service-kit'

export type FleetEvents = ReturnType<typeof fleetEvents>

/** Returns the functions that log what is wrong with the list of routers that are alive. */
export function fleetEvents(logger: Logger) {
  return {
    /** `aheadSeconds`: negative if it is behind. */
    routerClockOff(subject: string, aheadSeconds: number): void {
      logger.warn(
        { event: 'registry.router.clock-off', subject, aheadSeconds },
        'the clocks of a router and of this registry differ by more than 2 minutes: the router is listed and counted, but takes no new configuration and refuses tokens if its clock is the wrong one',
      )
    },
    fleetFull(subject: string): void {
      logger.warn(
        { event: 'registry.fleet.full', subject },
        'the list of routers is full: further ones are not shown until others fall silent. Find out who publishes to router.status.>, and set SWITCHYARD_FLEET_KEY',
      )
    },
  }
}
