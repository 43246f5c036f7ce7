/** The codes of errors of the config store, with their rows of docs/errors.md. */
export const CONFIG_STORE_ERRORS = {
  CONFIG_STORE_UNAVAILABLE: {
    happened: 'The config store cannot be used',
    remedy: 'Routers serve what they have. Nothing is to be done once the store is back.',
  },
  INVALID_ARTIFACT: {
    happened: 'The config store refused an artifact: its name is no hash, or it is too large',
    remedy: 'A service has a defect: report it.',
  },
  INVALID_GRAPH_KEY: {
    happened: 'A namespace or the name of a graph is empty',
    remedy: 'A service has a defect: report it.',
  },
  INVALID_STORE_ADDRESS: {
    happened: '`SWITCHYARD_REDIS_URL` cannot be used',
    remedy: 'The message lists the forms.',
  },
}

/** A code of an error of this package. */
export type ConfigStoreErrorCode = keyof typeof CONFIG_STORE_ERRORS
