/** Asks a registry as programs do. */
export type ManagementClient = {
  /** Writes to a path below `/v1/`. Rejects if the registry refuses it. */
  readonly write: (method: 'POST' | 'PUT', path: string, body: object) => Promise<unknown>
  readonly read: (path: string) => Promise<Answer>
}

/** An answer, with the bytes that came over the wire. */
export type Answer = { readonly status: number; readonly bytes: number; readonly text: string }

export function managementClient(url: string, key: string): ManagementClient {
  const authorization = `Bearer ${key}`
  const checked = async (path: string, response: Response): Promise<string> => {
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 1000)}`)
    return text
  }
  return {
    async write(method: 'POST' | 'PUT', path, body) {
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(`${url}/v1/${path}`, { method, headers, body: JSON.stringify(body) })
      return JSON.parse(await checked(path, response))
    },
    async read(path) {
      const response = await fetch(`${url}/v1/${path}`, { headers: { authorization } })
      const text = await checked(path, response)
      return { status: response.status, bytes: Number(response.headers.get('content-length') ?? 0), text }
    },
  }
}
