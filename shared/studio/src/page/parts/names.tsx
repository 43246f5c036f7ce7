import type { ReactNode } from 'react'
import { Foreign } from './foreign.tsx'

/** Names in a line, each of which may lead to a page. */
export function Names({
  names,
  link = (_, shown) => shown,
}: {
  readonly names: readonly string[]
  readonly link?: (name: string, shown: ReactNode) => ReactNode
}) {
  return (
    <ul className="names">
      {names.map((name) => (
        <li key={name} className="name">
          {link(name, <Foreign text={name} mono />)}
        </li>
      ))}
    </ul>
  )
}
