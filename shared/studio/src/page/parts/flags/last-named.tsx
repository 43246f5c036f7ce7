import { Moment } from '../moment.tsx'
import type { Flag } from './stages.ts'

/** When clients named a flag last, or since when nobody did as far as the registry knows. */
export function LastNamed({ flag: { use } }: { readonly flag: Flag }) {
  if (use === undefined) return <>not told by this registry</>
  return use.lastAskedFor === null ? (
    <>
      by nobody since the registry began to listen (<Moment at={use.listeningSince} />)
    </>
  ) : (
    <Moment at={use.lastAskedFor} />
  )
}
