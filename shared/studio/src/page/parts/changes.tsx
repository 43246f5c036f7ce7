/** Changes of a client schema by their criticality, each with its coordinate. */
import type { ReactNode } from 'react'
import './changes.css'
import { Foreign } from './foreign.tsx'
import { Pill, type Tone } from './pill.tsx'

export type Criticality = 'breaking' | 'dangerous' | 'safe'

const TONES: Readonly<Record<Criticality, Tone>> = { breaking: 'bad', dangerous: 'warn', safe: 'good' }
const MEANINGS: Readonly<Record<Criticality, string>> = {
  breaking: 'operations that use them are not valid any more',
  dangerous: 'clients may get answers that are new to them',
  safe: 'clients notice nothing',
}
const ALL: readonly Criticality[] = ['breaking', 'dangerous', 'safe']

/** Says how many changes there are of each kind. */
export function ChangeCounts({ counts }: { readonly counts: Readonly<Record<Criticality, number>> }) {
  return (
    <ul className="change-counts">
      {ALL.filter((one) => counts[one] > 0).map((one) => (
        <li key={one}>
          <Pill tone={TONES[one]}>
            {counts[one]} {one}
          </Pill>{' '}
          <span className="quiet small">{MEANINGS[one]}</span>
        </li>
      ))}
    </ul>
  )
}

/** One change. Its coordinate may lead somewhere. */
export function ChangeText({
  criticality,
  path,
  message,
  children,
}: {
  readonly criticality: Criticality
  readonly path: string
  readonly message: string
  /** Where it happens, if that is not clear from the list. */
  readonly children?: ReactNode
}) {
  return (
    <span className="change">
      <span className="change-kind">
        <Pill tone={TONES[criticality]}>{criticality}</Pill>
      </span>
      <span className="change-what">
        <Foreign text={path === '' ? 'the schema as a whole' : path} mono />
        {children}
        <span className="quiet small change-message">
          <Foreign text={message} />
        </span>
      </span>
    </span>
  )
}
