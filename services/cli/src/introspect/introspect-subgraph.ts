/**
 * The schema of a running subgraph: what it says of itself (`_service { sdl }`), else what introspection
 * says.
 *
 * A server without `_service` can be a subgraph, too, one without entities. Introspection does not tell which
 * directives are applied in its schema, and so is used for servers alone that are seen to have no such field:
 * of a subgraph that does not want to say its SDL, it would lose the keys.
 */
import { printableLine } from '@switchyard/service-kit/printable'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql'
import { z } from 'zod'
import { messageOf } from '@switchyard/values'
import type { Headers } from '../command/endpoint-options.ts'
import { LocalRefusal, SubgraphUnreachable } from '../run/errors.ts'
import { askEndpoint, type EndpointAnswer } from './ask-endpoint.ts'

/** A schema, and which of the two questions it is the answer to. */
export type IntrospectedSchema = {
  readonly sdl: string
  readonly source: 'service' | 'introspection'
}

const SERVICE = 'query SubgraphIntrospection { _service { sdl } }'
const Service = z.looseObject({ _service: z.looseObject({ sdl: z.string().regex(/\S/) }) })
const Introspection = z.looseObject({
  __schema: z.looseObject({
    queryType: z.looseObject({ name: z.string() }),
    types: z.array(
      z.looseObject({ name: z.string(), fields: z.array(z.looseObject({ name: z.string() })).nullish() }),
    ),
  }),
})

/** Throws a SubgraphUnreachable, or a LocalRefusal when neither question is answered. */
export async function introspectSubgraph(
  url: URL,
  options: { readonly headers: Headers; readonly signal: AbortSignal },
): Promise<IntrospectedSchema> {
  const said = answered(url, await askEndpoint(url, SERVICE, options))
  const service = Service.safeParse(said.data)
  if (service.success) return { sdl: service.data._service.sdl, source: 'service' }
  const asked = await askEndpoint(url, getIntrospectionQuery({ descriptions: true }), options)
  const known = answered(url, asked)
  const introspection = Introspection.safeParse(known.data)
  if (!introspection.success) {
    throw refused(url, 'says neither its SDL nor answers introspection', [...said.errors, ...known.errors])
  }
  const { queryType, types } = introspection.data.__schema
  const fields = types.find(({ name }) => name === queryType.name)?.fields ?? []
  if (fields.some(({ name }) => name === '_service')) {
    throw refused(url, 'is a federation subgraph and did not say its SDL', said.errors)
  }
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function checks what it reads
    const schema = buildClientSchema(known.data as IntrospectionQuery)
    return { sdl: printSchema(schema), source: 'introspection' }
  } catch (error) {
    throw refused(url, 'answers introspection with something that is no schema', [messageOf(error)])
  }
}

function answered(url: URL, answer: EndpointAnswer): Extract<EndpointAnswer, { readonly kind: 'answer' }> {
  switch (answer.kind) {
    case 'answer':
      return answer
    case 'unreachable':
      throw new SubgraphUnreachable(`Nothing answers at ${url.href}: ${printableLine(answer.reason)}.`)
    case 'refused':
      throw refused(url, `answered ${answer.reason}`, [])
    default:
      return answer satisfies never
  }
}

function refused(url: URL, what: string, problems: readonly string[]): LocalRefusal {
  return new LocalRefusal('SUBGRAPH_NOT_INTROSPECTED', `${url.href} ${printableLine(what)}.`, {
    problems: [...new Set(problems.map(printableLine))].slice(0, 10),
  })
}
