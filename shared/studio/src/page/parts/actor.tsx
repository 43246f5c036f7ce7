import { Foreign } from './foreign.tsx'

/** Who gave a command, as the log has it. */
export function Actor({ actor, apiKey }: { readonly actor: string; readonly apiKey: string | null }) {
  if (actor === 'system') return <>Switchyard itself</>
  if (actor === 'bootstrap') return <>the bootstrap key</>
  return <Foreign text={apiKey ?? actor} />
}
