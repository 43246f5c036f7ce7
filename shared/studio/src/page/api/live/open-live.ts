/**
 * Opens the live connection that all tabs of a browser share. A registry speaks HTTP/1.1, where a browser has
 * six connections to one address: with one for each tab, the seventh tab would wait for ever.
 */
import { LiveConnection, type LiveTold } from './live-connection.ts'

export type LiveSource = {
  /** Tells the other tabs that this one began or ended a session, and connects with the one of now. */
  readonly sessionChanged: () => void
}

/** Messages of a tab to the worker. */
export type ToWorker = 'hello' | 'bye' | 'session'

const NAME = 'switchyard-live'

export function openLive(tell: (told: LiveTold) => void): LiveSource {
  if ('SharedWorker' in globalThis) return openInWorker(tell)
  if ('locks' in navigator) return openInOneTab(tell)
  const connection = new LiveConnection(tell)
  return { sessionChanged: () => connection.restart() }
}

function openInWorker(tell: (told: LiveTold) => void): LiveSource {
  const { port } = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: NAME,
  })
  const send = (message: ToWorker) => port.postMessage(message)
  port.addEventListener('message', ({ data }: MessageEvent<LiveTold>) => tell(data))
  port.start()
  addEventListener('pagehide', () => send('bye'))
  addEventListener('pageshow', ({ persisted }) => {
    // The page was kept, and what happened meanwhile was told to others.
    if (persisted) send('hello')
  })
  return { sessionChanged: () => send('session') }
}

/**
 * Lets the tab that has a lock connect, and tell the others. When it is closed, the next one gets the lock
 * and goes on behind the last event that it heard.
 */
function openInOneTab(tell: (told: LiveTold) => void): LiveSource {
  const channel = new BroadcastChannel(NAME)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have one origin
  const post = (told: LiveTold | 'hello') => channel.postMessage(told)
  let connection: LiveConnection | null = null
  let lastId = ''
  const hear = (told: LiveTold) => {
    if (told.kind === 'event') lastId = told.id
    if (told.kind === 'session') lastId = ''
    tell(told)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<LiveTold | 'hello'>) => {
    if (data !== 'hello') hear(data)
    if (connection === null) return
    if (data === 'hello') post({ kind: 'state', state: connection.state })
    else if (data.kind === 'session') connection.restart()
  })
  post('hello')
  void navigator.locks.request(NAME, () => {
    connection = new LiveConnection((told) => {
      hear(told)
      post(told)
    }, lastId)
    // Until the tab is closed.
    return new Promise<never>(() => {})
  })
  return {
    sessionChanged: () => {
      lastId = ''
      post({ kind: 'session' })
      connection?.restart()
    },
  }
}
