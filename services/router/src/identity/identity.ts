/** Who asks, as far as a verified token says it. */

/** Of a request; that of one that carries no token, or where no token is taken, is null. */
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
