/** The values of an enum, the subgraphs that have each, and who asks for the chosen one. */
import { Link } from '@tanstack/react-router'
import { Foreign } from '../../parts/foreign.tsx'
import { CopyLink } from './copy-link.tsx'
import { Facts } from './facts.tsx'
import type { TypeDetail } from './types.ts'
import { Usage } from './usage.tsx'
import { SCHEMA, useSchemaAddress } from './use-schema-address.ts'

export function Values({ type: { name: type, values, total } }: { readonly type: TypeDetail }) {
  const { params, search } = useSchemaAddress()
  return (
    <>
      <h3 className="schema-part">
        {total} {total === 1 ? 'value' : 'values'}
      </h3>
      <ul className="schema-fields">
        {values.map((value) => {
          const isChosen = value.name === search.field
          return (
            <li key={value.name} className="schema-field" data-chosen={isChosen}>
              <p className="field-line">
                <Link
                  to={SCHEMA}
                  params={params}
                  search={{ ...search, type, field: isChosen ? undefined : value.name }}
                  resetScroll={false}
                  aria-expanded={isChosen}
                  className="field-name"
                >
                  <Foreign text={value.name} mono />
                </Link>
                <span className="quiet small">
                  {' '}
                  of <Foreign text={value.subgraphs.join(', ')} />
                </span>
              </p>
              <Facts of={value} />
              {isChosen ? (
                <>
                  <p>
                    <CopyLink type={type} field={value.name} label="Copy link to this value" />
                  </p>
                  <Usage coordinate={`${type}.${value.name}`} />
                </>
              ) : null}
            </li>
          )
        })}
      </ul>
    </>
  )
}
