/** The secret of a one-time link, which `switchyard up` prints as `/studio#t=…`. */

/**
 * Takes the secret out of the address, so that it is neither kept in the history of the browser nor copied
 * with the address. Returns null if there is none.
 */
export function takeLink(
  location: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'state' | 'replaceState'>,
): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get('t')
  if (secret === null || secret === '') return null
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  return secret
}
