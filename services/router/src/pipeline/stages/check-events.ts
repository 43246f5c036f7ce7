/** Refuses arguments that no subject can have, before anything is published or asked. */
import { eventFieldsOf, hasEvents, isOfEvents } from '../../brokers/fields/event-fields.ts'
import { subjectsOf } from '../../brokers/fields/subjects.ts'
import type { Stage } from '../../request/stage.ts'
import type { Planned } from './plan-operation.ts'

/** Checks the arguments. Throws a RequestError with `BAD_USER_INPUT`. */
export function checkEvents(): Stage<Planned> {
  return {
    waitsFor: null,
    run: ({ plan, variables, held }) => {
      const { graph } = held.generation
      if (!hasEvents(graph)) return undefined
      for (const fetch of plan.fetches)
        if (isOfEvents(graph, fetch))
          // What no router serves says so itself.
          for (const field of eventFieldsOf(graph, fetch))
            if (field.source.system === 'nats') subjectsOf(field, field.argumentsFor(variables))
      return undefined
    },
  }
}
