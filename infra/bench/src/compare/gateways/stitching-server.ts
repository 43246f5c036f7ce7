/**
 * A gateway that shares no code with Switchyard, as a server: `node stitching-server.ts SUPERGRAPH PORT`.
 * It is the second opinion of `switchyard router verify`, made to be right and not to be fast.
 */
import { secondOpinion } from '@switchyard/second-opinion'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { request as ask } from 'undici'
import { z } from 'zod'

const [path = '', port = ''] = process.argv.slice(2)
const supergraphSdl = readFileSync(path, 'utf8')
const Question = z.object({ query: z.string() })
const urls = routingUrls(supergraphSdl)

const gateway = await secondOpinion({
  supergraphSdl,
  async execute(subgraph, { document, variables }) {
    const { body } = await ask(urls.get(subgraph) ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables }),
    })
    return body.json()
  },
})

createServer((request, response) => {
  void (async () => {
    const { data, errors } = await gateway.execute(Question.parse(JSON.parse(await text(request))))
    const answer = JSON.stringify(errors.length === 0 ? { data } : { data, errors })
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })().catch((error: unknown) => response.writeHead(500).end(String(error)))
}).listen(Number(port), '127.0.0.1')

/** Returns the URLs of subgraphs by the name that `@join__graph` gives them. */
function routingUrls(sdl: string): ReadonlyMap<string, string> {
  const graphs = sdl.matchAll(/@join__graph\(name: "([^"]+)", url: "([^"]+)"\)/g)
  return new Map([...graphs].map(([, name = '', url = '']) => [name, url]))
}
