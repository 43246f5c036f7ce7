/** A request of HTTP/1 as it is on the wire; `headers` are whole lines. */
export function posted(query: string, headers = '', version = '1.1'): string {
  const body = JSON.stringify({ query })
  return `POST /graphql HTTP/${version}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`
}
