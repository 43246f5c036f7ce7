/** Where the page begins. */
import 'graphiql/setup-workers/vite'
import 'graphiql/style.css'
import './style.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadState } from './load-state.ts'
import { startValues } from './start-values.ts'
import { Store } from './store.ts'

const host = document.getElementById('playground')
if (host !== null) {
  const start = startValues(location.search)
  loadState().then(
    (state) => {
      const playground = {
        state: new Store(state),
        choices: new Store({ flag: start.flag, trace: false, token: '' }),
        answer: new Store(null),
      }
      createRoot(host).render(<App playground={playground} start={start} />)
    },
    (error: unknown) => {
      host.textContent = `The playground cannot start. ${error instanceof Error ? error.message : String(error)}`
    },
  )
}
