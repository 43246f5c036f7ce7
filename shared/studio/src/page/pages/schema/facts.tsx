/** What a type, field, argument or value says of itself: description, directives, and whether it goes. */
import { Foreign } from '../../parts/foreign.tsx'
import { Pill } from '../../parts/pill.tsx'
import type { TypeDetail } from './types.ts'

type Described = Pick<TypeDetail, 'description' | 'deprecated' | 'inaccessible' | 'directives'>

export function Facts({
  of: { description, deprecated, inaccessible, directives },
}: {
  readonly of: Described
}) {
  return (
    <>
      {description === null ? null : (
        <p className="description">
          <Foreign text={description} />
        </p>
      )}
      {deprecated === null ? null : (
        <p className="row small">
          <Pill tone="warn">deprecated</Pill> <Foreign text={deprecated} />
        </p>
      )}
      {inaccessible ? (
        <p className="row small">
          <Pill tone="quiet">inaccessible</Pill> Clients do not see it.
        </p>
      ) : null}
      {directives.length === 0 ? null : (
        <p className="row small">
          {directives.map(({ name, arguments: given }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a directive may be there several times
            <code key={index} className="directive">
              <Foreign
                text={`@${name}${given.length === 0 ? '' : `(${given.map((one) => `${one.name}: ${one.value}`).join(', ')})`}`}
              />
            </code>
          ))}
        </p>
      )}
    </>
  )
}
