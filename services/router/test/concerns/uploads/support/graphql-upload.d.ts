/** The part of graphql-upload that the tests use; the package declares its types in comments. */
declare module 'graphql-upload/processRequest.mjs' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default function processRequest(request: IncomingMessage, response: ServerResponse): Promise<unknown>
}
