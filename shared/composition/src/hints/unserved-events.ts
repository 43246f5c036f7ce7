/** Hint: a subgraph has events of systems that no router reads. They compose, and clients see them. */
import type { EventSystem } from '../events/event-directives.ts'
import { finding, type SubgraphFinding } from '../findings/finding.ts'
import type { SubgraphModel } from '../model/model.ts'

const NAMES: Readonly<Record<Exclude<EventSystem, 'nats'>, string>> = { kafka: 'Kafka', redis: 'Redis' }

/** Finds such fields, with one finding for each system. */
export function* unservedEvents({ types, events }: SubgraphModel): Iterable<SubgraphFinding> {
  for (const [system, name] of Object.entries(NAMES)) {
    const fields = events.filter((one) => one.system === system).map(({ coordinate }) => coordinate)
    const at = fields.flatMap((coordinate) => {
      const [root = '', field = ''] = coordinate.split('.')
      const type = types.get(root)
      const node = type?.kind === 'object' ? type.fields.get(field)?.node.name : undefined
      return node === undefined ? [] : [{ node }]
    })
    if (fields.length > 0) yield finding('EVENT_SOURCE_NOT_SERVED', { fields, system: name }, at)
  }
}
