/** The schema that the address names: the published one, one from before, or what changed between two. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import { Code, Difference } from '../../parts/code/code.tsx'
import { Command } from '../../parts/command.tsx'
import { Loaded } from '../../parts/states.tsx'

const PATH = '/ns/$namespace/subgraphs/$subgraph'
const route = getRouteApi(PATH)

type Named = { readonly namespace: string; readonly name: string }

export function SchemaText({ namespace, name }: Named) {
  const { graph, version, compare } = route.useSearch()
  return (
    <section className="card" aria-labelledby="schema">
      <header>
        <h2 id="schema">{headOf(version, compare)}</h2>
        {version === undefined && compare === undefined ? null : (
          <Link
            to={PATH}
            params={{ namespace, subgraph: name }}
            search={graph === undefined ? {} : { graph }}
            resetScroll={false}
            className="small"
          >
            Show the published one
          </Link>
        )}
      </header>
      <div className="inset stack-close">
        {compare === undefined ? (
          <One namespace={namespace} name={name} version={version} />
        ) : (
          <Two namespace={namespace} name={name} before={compare} after={version} />
        )}
        {version === undefined && compare === undefined ? (
          <Command words={['switchyard', 'subgraph', 'get', name, '--schema', '--namespace', namespace]} />
        ) : null}
      </div>
    </section>
  )
}

function headOf(version: string | undefined, compare: string | undefined): string {
  const named = (sha256: string | undefined) =>
    sha256 === undefined ? 'the published schema' : sha256.slice(0, 12)
  if (compare !== undefined) return `What changed from ${named(compare)} to ${named(version)}`
  return version === undefined ? 'Schema' : `Schema ${named(version)}`
}

function One({ namespace, name, version }: Named & { readonly version: string | undefined }) {
  const schema = useSchema(namespace, name, version)
  return <Loaded of={schema}>{({ sdl }) => <Code title={`${name}.graphql`} text={sdl} />}</Loaded>
}

function Two({
  namespace,
  name,
  before,
  after,
}: Named & { readonly before: string; readonly after: string | undefined }) {
  const old = useSchema(namespace, name, before)
  const young = useSchema(namespace, name, after)
  return (
    <Loaded of={old}>
      {({ sdl: from }) => (
        <Loaded of={young}>
          {({ sdl: to }) => <Difference title={`${name}.graphql`} before={from} after={to} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function useSchema(namespace: string, name: string, sha256: string | undefined) {
  return useRead('/v1/subgraphs/{namespace}/{name}/schema', { path: { namespace, name }, query: { sha256 } })
}
