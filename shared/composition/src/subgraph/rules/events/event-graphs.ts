/** Rule: a subgraph of events has nothing that a server would have to answer. */
import { PUBLISH_RESULT, eventDirective, ROOTS } from '../../../events/event-directives.ts'
import { finding } from '../../../findings/finding.ts'
import { writtenName, type Rule } from '../../checked/checked-subgraph.ts'

/** Finds root fields without a source of events, keys by which objects would be found, and a wrong result. */
export const eventGraphs: Rule = function* eventGraphs({ model, fieldsTypes }) {
  if (model.events.length === 0) return
  for (const root of Object.values(ROOTS)) {
    const type = model.types.get(root)
    if (type?.kind !== 'object') continue
    for (const { name, node } of type.fields.values())
      if (node.directives?.some((one) => eventDirective(one.name.value) !== null) !== true)
        yield finding(
          'EVENT_GRAPH_INVALID',
          { kind: 'ordinary-field', field: `${writtenName(type)}.${name}` },
          [{ node: node.name }],
        )
  }
  for (const type of fieldsTypes)
    for (const { isResolvable, node } of type.keys)
      if (isResolvable)
        yield finding('EVENT_GRAPH_INVALID', { kind: 'resolvable-key', type: writtenName(type) }, [{ node }])
  const result = model.types.get(PUBLISH_RESULT)
  if (result === undefined) return
  const fields = result.kind === 'object' ? [...result.fields.values()] : []
  const isSpecified = fields.length === 1 && fields[0]?.name === 'success' && fields[0].type === 'Boolean!'
  if (!isSpecified)
    yield finding(
      'EVENT_GRAPH_INVALID',
      { kind: 'publish-result' },
      result.parts.map(({ name }) => ({ node: name })),
    )
}
