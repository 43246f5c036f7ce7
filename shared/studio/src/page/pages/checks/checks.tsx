/** Checks: a schema is tried on all graphs and flags, before anybody publishes it. */
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Read } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { CodeEditor } from '../../parts/code/code-editor.tsx'
import { Command } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { printable } from '@switchyard/values'
import { Empty, Loaded, Problem } from '../../parts/states.tsx'
import './checks.css'
import { Verdict } from './verdict.tsx'

type SubgraphView = Read<'/v1/subgraphs/{namespace}'>['subgraphs'][number]

const PATH = '/ns/$namespace/checks'
const route = getRouteApi(PATH)

export function Checks() {
  const { namespace } = route.useParams()
  const { subgraph } = route.useSearch()
  const subgraphs = useRead('/v1/subgraphs/{namespace}', { path: { namespace } })
  return (
    <div className="stack">
      <PageHead title="Checks">
        Try a schema in the namespace <Foreign text={namespace} />: what it would break, compose and lose, in
        every graph and flag. Nothing is published.
      </PageHead>
      <Loaded of={subgraphs}>
        {({ subgraphs: all }) => {
          const one =
            all.find(({ name }) => name === subgraph) ?? (subgraph === undefined ? all[0] : undefined)
          return (
            <>
              {all.length === 0 ? null : <Choice all={all} chosen={one?.name ?? ''} />}
              {one === undefined ? (
                <section className="card">
                  <Empty
                    title={
                      all.length === 0 ? 'There is no subgraph yet' : 'There is no subgraph of this name'
                    }
                  >
                    <p>A schema that is new is checked by the command line, which is also told its labels:</p>
                    <Command words={checkCommand('subgraph', subgraph ?? 'products', namespace)} />
                  </Empty>
                </section>
              ) : (
                <Tried key={one.name} subgraph={one} />
              )}
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

function checkCommand(kind: string, name: string, namespace: string): readonly string[] {
  return ['switchyard', kind, 'check', name, '--schema', `${name}.graphql`, '--namespace', namespace]
}

function Choice({ all, chosen }: { readonly all: readonly SubgraphView[]; readonly chosen: string }) {
  const params = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  return (
    <label className="labelled check-choice">
      <span>Subgraph</span>
      <select
        className="field"
        value={chosen}
        onChange={({ target: { value } }) =>
          void navigate({ to: PATH, params, search: { ...search, subgraph: value }, replace: true })
        }
      >
        {chosen === '' ? <option value="">Choose a subgraph</option> : null}
        {all.map(({ name, base }) => (
          <option key={name} value={name}>
            {printable(base === null ? name : `${name} (replaces ${base})`)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A schema of a subgraph that is tried, beginning with the published one. */
function Tried({ subgraph: { namespace, name, published, base } }: { readonly subgraph: SubgraphView }) {
  const schema = useRead(
    '/v1/subgraphs/{namespace}/{name}/schema',
    { path: { namespace, name } },
    { enabled: published },
  )
  const kind = base === null ? 'subgraph' : 'feature-subgraph'
  return (
    <>
      {published ? (
        <Loaded of={schema}>
          {({ sdl, sha256 }) => <Draft namespace={namespace} name={name} text={sdl} version={sha256} />}
        </Loaded>
      ) : (
        <Draft namespace={namespace} name={name} text="" version="" />
      )}
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={checkCommand(kind, name, namespace)} />
      </div>
    </>
  )
}

/** A schema that was checked, and how often somebody had written until then. */
type Checked = { readonly schema: string; readonly edits: number }

function Draft({
  namespace,
  name,
  ...published
}: {
  readonly namespace: string
  readonly name: string
  readonly text: string
  readonly version: string
}) {
  // What somebody writes stays, also when another schema is published meanwhile.
  const [begun, setBegun] = useState(published)
  const text = useRef(() => published.text)
  const [edits, setEdits] = useState(0)
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = useWrite('post', '/v1/checks/{namespace}/{name}')
  const change = (read: () => string) => {
    text.current = read
    setEdits((count) => count + 1)
  }
  const run = (strict: boolean) => {
    const schema = text.current()
    setChecked({ schema, edits })
    check.mutate({ address: { path: { namespace, name } }, body: { schema, strict } })
  }
  const beginAgain = () => {
    setBegun(published)
    change(() => published.text)
  }
  return (
    <>
      <CodeEditor title={`${name}.graphql`} text={begun.text} version={begun.version} onChange={change} />
      {begun.version === published.version ? null : (
        <div className="notice" data-tone="warn">
          <p>Another schema was published since you began.</p>
          <p>
            <button type="button" className="button" data-size="small" onClick={beginAgain}>
              Begin again with it
            </button>
          </p>
        </div>
      )}
      <Ask isPending={check.isPending} onAsk={run} />
      <div aria-live="polite" className="stack">
        {check.error === null ? null : <Problem error={check.error} />}
        {check.data === undefined || checked === null ? null : (
          <Verdict check={check.data} text={checked.schema} isOld={checked.edits !== edits} />
        )}
      </div>
    </>
  )
}

function Ask({
  isPending,
  onAsk,
}: {
  readonly isPending: boolean
  readonly onAsk: (strict: boolean) => void
}) {
  const [strict, setStrict] = useState(false)
  return (
    <div className="row">
      <button
        type="button"
        className="button"
        data-kind="main"
        disabled={isPending}
        onClick={() => onAsk(strict)}
      >
        {isPending ? 'Checking …' : 'Check'}
      </button>
      <label className="check-strict">
        <input type="checkbox" checked={strict} onChange={({ target }) => setStrict(target.checked)} />
        Strict: also what will be an error in the next minor version
      </label>
    </div>
  )
}
