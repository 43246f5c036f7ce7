/** The client closed the connection before its request was complete: nobody is there to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}
