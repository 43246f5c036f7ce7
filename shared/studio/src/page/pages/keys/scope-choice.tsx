import { useState } from 'react'
import { useRead } from '../../api/use-api.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { printable } from '@switchyard/values'
import { isScope, SCOPES, scopesOf } from './scopes.ts'

type Choice = {
  readonly chosen: readonly string[]
  readonly choose: (scopes: readonly string[]) => void
}

/** The choice of what a key may do. */
export function Scopes({ chosen, choose }: Choice) {
  const { data } = useRead('/v1/namespaces')
  const [kind, setKind] = useState('read')
  const [namespace, setNamespace] = useState('default')
  const { isOfNamespace, means } = SCOPES.find((one) => one.kind === kind) ?? SCOPES[0]
  const scope = isOfNamespace ? `${kind}:${namespace}` : kind
  return (
    <fieldset className="scopes">
      <legend className="small">It may</legend>
      <Chosen chosen={chosen} choose={choose} />
      <div className="filters">
        <label className="labelled">
          <span>Scope</span>
          <select className="field" value={kind} onChange={({ target }) => setKind(target.value)}>
            {SCOPES.map((one) => (
              <option key={one.kind}>{one.kind}</option>
            ))}
          </select>
        </label>
        {isOfNamespace ? (
          <label className="labelled">
            <span>Namespace</span>
            <select className="field" value={namespace} onChange={({ target }) => setNamespace(target.value)}>
              {scopesOf(data?.namespaces, namespace).map((one) => (
                <option key={one} value={one}>
                  {printable(one)}
                </option>
              ))}
            </select>
          </label>
        ) : null}
      </div>
      <p className="quiet small">{means}</p>
      <p>
        <button
          type="button"
          className="button"
          data-size="small"
          disabled={!isScope(scope) || chosen.includes(scope)}
          onClick={() => choose([...chosen, scope].sort())}
        >
          Add <Foreign text={scope} mono />
        </button>
      </p>
    </fieldset>
  )
}

function Chosen({ chosen, choose }: Choice) {
  return chosen.length === 0 ? (
    <p className="quiet small">nothing yet</p>
  ) : (
    <ul className="row">
      {chosen.map((one) => (
        <li key={one} className="scope">
          <Foreign text={one} mono />
          <button
            type="button"
            className="button"
            data-kind="quiet"
            data-size="small"
            onClick={() => choose(chosen.filter((other) => other !== one))}
          >
            <span aria-hidden="true">×</span>
            <span className="unseen">Take {printable(one)} away</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
