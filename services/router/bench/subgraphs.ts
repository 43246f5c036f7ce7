/**
 * All subgraphs of the benchmark on one port. Each request is executed once, and its bytes are sent again
 * from then on.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { buildSchema, execute, parse } from 'graphql'

const schema = buildSchema(`
  type Query { item: Item items: [Item] _entities(representations: [_Any]): [_Entity] }
  type Item { id: ID name: String color: String count: Int stars: Int }
  union _Entity = Item
  scalar _Any
`)
const rootValue = {
  item: item('1'),
  items: Array.from({ length: 100 }, (_, index) => item(String(index))),
  _entities: ({ representations }: { readonly representations: readonly { readonly id: string }[] }) =>
    representations.map(({ id }) => item(id)),
}
const answers = new Map<string, string>()
let requests: string[] = []

const server = createServer((request, response) => {
  if (request.url?.startsWith('/health') === true) {
    response.end()
    return
  }
  void answer(request).then((text) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
})
server.listen(Number(process.env['SWITCHYARD_PORT']), '127.0.0.1')
process.on('message', (message) => {
  if (message === 'forget') requests = []
  if (message === 'forget' || message === 'requests') process.send?.(requests)
})
process.on('SIGTERM', () => process.exit())

function item(id: string): object {
  return { __typename: 'Item', id, name: `Name of item ${id}`, color: 'blue', count: Number(id), stars: 5 }
}

async function answer(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const asked = Buffer.concat(chunks).toString()
  let text = answers.get(asked)
  if (text === undefined) {
    const { query, variables } = JSON.parse(asked)
    text = JSON.stringify(
      await execute({ schema, document: parse(query), variableValues: variables, rootValue }),
    )
    answers.set(asked, text)
  }
  if (requests.length < 100) requests.push(asked)
  return text
}
