/** The worker that has the live connection for all tabs of a browser. */
import { LiveConnection, type LiveTold } from './live-connection.ts'
import type { ToWorker } from './open-live.ts'

const ports = new Set<MessagePort>()
const connection = new LiveConnection(tellAll)

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return
  for (const port of event.ports) {
    port.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => obey(port, data))
    port.start()
    welcome(port)
  }
})

function obey(port: MessagePort, message: ToWorker): void {
  if (message === 'hello') welcome(port)
  else if (message === 'bye') ports.delete(port)
  else {
    tellAll({ kind: 'session' }, port)
    connection.restart()
  }
}

function welcome(port: MessagePort): void {
  ports.add(port)
  port.postMessage({ kind: 'state', state: connection.state } satisfies LiveTold)
}

function tellAll(told: LiveTold, except?: MessagePort): void {
  for (const port of ports) if (port !== except) port.postMessage(told)
}
