/** The beginning of the page. */
import './parts/parts.css'
import './shell/shell.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Api, ApiError } from './api/client.ts'
import { Live } from './api/live.ts'
import { LiveContext } from './api/use-live.ts'
import { takeLink } from './api/take-link.ts'
import { ApiContext } from './api/use-api.ts'
import { createStudioRouter } from './routes.tsx'
import { Session } from './shell/session.tsx'

const RETRIES = 2

const host = document.getElementById('studio')
if (host !== null) {
  // First of all, so that the secret is in the address for as short as can be.
  const link = takeLink(location, history)
  const router = createStudioRouter()
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // What the registry refused, it refuses again.
        retry: (failures, error) => isWorthRepeating(error) && failures < RETRIES,
        refetchOnWindowFocus: 'always',
      },
    },
  })
  const live = new Live(client)
  createRoot(host).render(
    <StrictMode>
      <ApiContext value={new Api()}>
        <QueryClientProvider client={client}>
          <LiveContext value={live}>
            <Session link={link}>
              <RouterProvider router={router} />
            </Session>
          </LiveContext>
        </QueryClientProvider>
      </ApiContext>
    </StrictMode>,
  )
}

function isWorthRepeating(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500
}
