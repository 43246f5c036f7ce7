/**
 * Checks for the internals of Node.js that gathering pieces and taking turns use, and that its documentation
 * does not promise. A version of Node.js without them would leave bodies in pieces unlimited without anybody
 * noticing.
 */
import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** This Node.js lacks something that limits on pieces and connections need. */
export class NodeInternalsMissingError extends Error {
  override readonly name = 'NodeInternalsMissingError'
  readonly missing: readonly string[]

  constructor(missing: readonly string[]) {
    super(
      `Node.js ${process.version} has no ${missing.join(' and no ')}. Without it a client could hold the process up by how it cuts its requests, so that the process does not serve. Use a version of Node.js that this version of Switchyard was tested with (engines in package.json).`,
    )
    this.missing = missing
  }
}

/** Each with whether it is there. */
type Found = Readonly<Record<string, boolean>>

/** Checks what streams and requests have. Throws NodeInternalsMissingError. */
export function requireStreamInternals(
  request: object = IncomingMessage.prototype,
  stream: object = new Readable({ read() {} }),
): void {
  const state: unknown = Reflect.get(stream, '_readableState')
  requireAll({
    'IncomingMessage.prototype._dump': hasMethod(request, '_dump'),
    'IncomingMessage.prototype.push': hasMethod(request, 'push'),
    '_readableState.buffer of streams':
      typeof state === 'object' && state !== null && Array.isArray(Reflect.get(state, 'buffer')),
  })
}

/** Checks the handle by which reading from a socket is stopped. Throws NodeInternalsMissingError. */
export function requireReadingHandle(handle: object): void {
  requireAll({
    'readStop of the handle of sockets': hasMethod(handle, 'readStop'),
    'readStart of the handle of sockets': hasMethod(handle, 'readStart'),
  })
}

function hasMethod(owner: object, name: string): boolean {
  return typeof Reflect.get(owner, name) === 'function'
}

function requireAll(found: Found): void {
  const missing = Object.keys(found).filter((name) => found[name] === false)
  if (missing.length > 0) throw new NodeInternalsMissingError(missing)
}
