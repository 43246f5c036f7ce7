/** The codes of problems with TLS and files of connections to servers, with their rows of docs/errors.md. */
export const SERVER_PROBLEMS = {
  ACCESS_FILE_UNUSABLE: {
    happened: 'A file with a certificate, a key or a secret cannot be read, or holds something else',
    remedy: 'The message names it. It is read again at the next attempt.',
  },
  CLIENT_CERTIFICATE_REFUSED: {
    happened: 'The server wants a certificate of this service, and got none that it accepts',
    remedy:
      'Name a valid one in `SWITCHYARD_NATS_CERT_FILE` and `SWITCHYARD_NATS_KEY_FILE`, or those of `SWITCHYARD_REDIS_`.',
  },
  SERVER_CERTIFICATE_EXPIRED: {
    happened: "The server's certificate is not valid at this time",
    remedy: 'Renew it, or set the clock right.',
  },
  SERVER_CERTIFICATE_UNKNOWN: {
    happened: "The server's certificate is signed by an authority that is not believed",
    remedy: "Name the authority's certificate in `SWITCHYARD_NATS_CA_FILE` or `SWITCHYARD_REDIS_CA_FILE`.",
  },
  SERVER_NAME_MISMATCH: {
    happened: "The server's certificate is for another name",
    remedy: 'Use a name from it in the URL, or have it name the host.',
  },
  SERVER_WITHOUT_TLS: {
    happened: 'TLS is asked for and the server does not speak it',
    remedy: 'Turn it on there, or name the port that has it. Nothing secret was sent.',
  },
}

/** A code of a problem that NATS and Redis have in common. */
export type ServerProblemCode = keyof typeof SERVER_PROBLEMS
