/** Reads the operation, its variables and its extensions out of the text that the client sent. */
import type { RouterConfig } from '../../config/router-config.ts'
import type { Upload } from '../../concerns/uploads/upload.ts'
import { paramsOfBodyInTurns, paramsOfSearch, type RequestParams } from '../../request/graphql-params.ts'
import type { Stage } from '../../request/stage.ts'
import type { Joinable } from './join-run.ts'

/** The operation that the client sent, or the identifier of one. */
type Sent = { readonly sent: RequestParams }

/** A request that was read. */
export type Read = Joinable & Sent

/**
 * Returns a promise where there is much to read. Throws, or rejects with, HttpError, and RequestError for a
 * body with too much in it.
 */
export function parseRequest({
  config: { limits },
}: {
  readonly config: RouterConfig
}): Stage<Joinable, Sent> {
  return {
    waitsFor: null,
    run: ({ exchange, text, turns, upload }) => {
      if (exchange.request.method !== 'POST') return { sent: paramsOfSearch(new URLSearchParams(text)) }
      const sent = paramsOfBodyInTurns(text, turns, limits.variableValues)
      if (upload !== undefined) return withFiles(upload, sent)
      return sent instanceof Promise ? sent.then((late) => ({ sent: late })) : { sent }
    },
  }
}

/** Puts the files at their places in the variables, however these are read. */
async function withFiles(upload: Upload, reading: RequestParams | Promise<RequestParams>): Promise<Sent> {
  const sent = await reading
  upload.place(sent.variables)
  const exactVariables: RequestParams['exactVariables'] = async (turns) => {
    const variables = await sent.exactVariables(turns)
    upload.place(variables)
    return variables
  }
  return { sent: { ...sent, exactVariables } }
}
