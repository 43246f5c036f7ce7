/** The identity of a request, as its verified token proves it. */

/**
 * The identity of a request. It is null if the request carries no token, or if the router takes no tokens.
 */
export type Identity = {
  /**
   * The claims of the token, as its issuer wrote them (RFC 7519, section 4). Nothing else is known of their
   * shapes: whoever reads one checks it.
   */
  readonly claims: Readonly<Record<string, unknown>>
  /**
   * Other tokens have other keys, so that an answer which depends on claims is shared under this key only.
   */
  readonly key: string
}
