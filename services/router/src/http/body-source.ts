/** Bodies that are sent in pieces as they come, because they are too large to be held. */

/** Takes a body. */
export interface BodySink {
  /** Returns false if nothing more is to be written until `goOn` of the source is called. */
  write(bytes: Uint8Array): boolean
  /** The body is complete. */
  end(): void
  /** Gives the request up: there will be no more of the body. */
  fail(error: Error): void
}

/** A body that can be sent once. */
export interface BodySource {
  /** Writes the body to `sink` from now on. Called at most once, when the head of the request was written. */
  begin(sink: BodySink): void
  /** Goes on after the sink was full. */
  goOn(): void
  /** Nobody takes the rest: the request is over, whether it was begun or not. May be called again. */
  stop(): void
}
