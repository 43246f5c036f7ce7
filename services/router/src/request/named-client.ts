/** The name and version that a request gives its client. Each is empty if the request does not say it. */
export type NamedClient = { readonly name: string; readonly version: string }

/** The client of requests that name none. */
export const UNNAMED: NamedClient = { name: '', version: '' }
