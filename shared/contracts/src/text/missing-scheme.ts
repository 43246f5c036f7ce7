/** Finds out that a URL was written as a browser takes it, without `http://` or `https://`. */

const MOST_CHARACTERS = 2048
/** A host, perhaps a port, and a path. What has a name and password must not be repeated in a message. */
const WITHOUT_SCHEME = /^(?:\/\/)?(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*\.?)(:\d{1,5})?(\/[!-~]*)?$/i
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/
/** Names that only a machine or a network of its own resolves. */
const OF_A_NETWORK = /(?:^|\.)(?:localhost|local|internal|lan|svc|home\.arpa)\.?$/i

/**
 * The URL that was probably meant; null if the text lacks no scheme or is no URL with one either. What has a
 * port, an address or a name of a private network is taken for HTTP, and every other name for HTTPS.
 */
export function withScheme(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  const [, host, port = '', path = ''] = WITHOUT_SCHEME.exec(text) ?? []
  // A word alone may be anything, such as the name of a subgraph.
  if (host === undefined || (port === '' && !/[.[]/.test(host) && host.toLowerCase() !== 'localhost'))
    return null
  const isPrivate = ADDRESS.test(host) || OF_A_NETWORK.test(host) || !host.includes('.')
  const isHttp = port === ':443' || port === ':8443' ? false : isPrivate || port !== ''
  const url = `${isHttp ? 'http' : 'https'}://${host}${port}${path}`
  return URL.canParse(url) ? url : null
}

/** Says that the scheme is missing, to follow a colon and without its end; null if it is not. */
export function missingScheme(text: string): string | null {
  const meant = withScheme(text)
  return meant === null ? null : `http:// or https:// is missing; did you mean "${meant}"?`
}
