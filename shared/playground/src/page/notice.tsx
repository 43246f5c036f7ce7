/** Says above the editors why operations cannot be answered at this moment, and what to do about it. */
import { usePlayground } from './context.ts'
import type { Silence } from './router-watch.ts'
import { useStore } from './store.ts'

export function Notice() {
  const playground = usePlayground()
  const { waitingFor } = useStore(playground.state)
  const silence = useStore(playground.watch.silence)
  if (silence !== null) {
    return (
      <p className="notice" role="alert">
        {silenceText(silence)}
      </p>
    )
  }
  if (waitingFor === null) return null
  return (
    <div className="notice" role="alert">
      <p>No graph is served: {waitingFor}. These commands publish one; the page goes on by itself:</p>
      <pre>{PUBLISHING}</pre>
    </div>
  )
}

const PUBLISHING = `switchyard federated-graph create <graph> --label-matcher team=web
switchyard subgraph publish <name> --schema <file> --routing-url <url> --label team=web`

/** A sentence on a router that does not answer. */
export function silenceText({ since, problem }: Silence): string {
  return `The router has not answered since ${since.toLocaleTimeString()}: ${problem}. The page asks again every second, and goes on by itself when the router is back.`
}
