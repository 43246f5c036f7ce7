/** Where the page begins. */
import 'graphiql/setup-workers/vite'
import 'graphiql/style.css'
import '@switchyard/operation-views/style.css'
import './style.css'
import { createRoot } from 'react-dom/client'
import type { PlaygroundState } from '../state.ts'
import { App } from './app.tsx'
import { FIRST_CHOICES } from './choices.ts'
import { loadState } from './load-state.ts'
import { silenceText } from './notice.tsx'
import { PAGE_VISIBILITY, whenShown } from './page-visibility.ts'
import { RouterWatch } from './router-watch.ts'
import { startValues } from './start-values.ts'
import { Store } from './store.ts'

const RETRY_MS = 1_000

const host = document.getElementById('playground')
if (host !== null) void open(host)

async function open(host: HTMLElement): Promise<void> {
  const start = startValues(location.search)
  const state = new Store(await firstState(host))
  const later = (run: () => void, ms: number) => void setTimeout(run, ms)
  const watch = new RouterWatch({
    load: loadState,
    state,
    now: () => new Date(),
    later,
    visibility: PAGE_VISIBILITY,
  })
  watch.start()
  const playground = {
    state,
    watch,
    choices: new Store({ ...FIRST_CHOICES, flag: start.flag }),
    answer: new Store(null),
    sent: new Store(null),
  }
  createRoot(host).render(<App playground={playground} start={start} />)
}

/** Asks until the router answers, and says meanwhile that it does not. */
async function firstState(host: HTMLElement): Promise<PlaygroundState> {
  let since: Date | null = null
  for (;;) {
    try {
      return await loadState()
    } catch (error) {
      since ??= new Date()
      const problem = error instanceof Error ? error.message : String(error)
      host.textContent = silenceText({ since, problem })
      await new Promise((resolve) => {
        setTimeout(resolve, RETRY_MS)
      })
      if (PAGE_VISIBILITY.isHidden()) await whenShown(PAGE_VISIBILITY)
    }
  }
}
