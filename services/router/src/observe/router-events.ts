/** Everything worth knowing about a running router: one helper per event, which logs it and counts it. By theme. */
import type { Logger } from '@switchyard/service-kit'
import { CompositionEvents } from './composition-events.ts'
import { ConfigEvents } from './config-events.ts'
import { ListenerEvents } from './listener-events.ts'
import { PlanningEvents } from './planning-events.ts'
import { RefusalEvents } from './refusal-events.ts'
import { RequestEvents } from './request-events.ts'

export type RouterEvents = {
  readonly compositions: CompositionEvents
  readonly configs: ConfigEvents
  readonly listener: ListenerEvents
  readonly planning: PlanningEvents
  readonly refusals: RefusalEvents
  readonly requests: RequestEvents
}

/** `accessLog`: whether what single clients do is logged. */
export function createRouterEvents(logger: Logger, accessLog: boolean): RouterEvents {
  const refusals = new RefusalEvents()
  return {
    compositions: new CompositionEvents(logger),
    configs: new ConfigEvents(logger),
    listener: new ListenerEvents(logger, accessLog),
    planning: new PlanningEvents(logger),
    refusals,
    requests: new RequestEvents(logger, accessLog, refusals),
  }
}
