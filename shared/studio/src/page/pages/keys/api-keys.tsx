/** API keys: their list, a new one, which is shown once, and the end of one. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiError, type Read, toApiError, type Written } from '../../api/client.ts'
import { endSession, useApi, useRead, useWrite } from '../../api/use-api.ts'
import { Command, Copied } from '../../parts/command.tsx'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { printable } from '@switchyard/values'
import { Empty, Loaded, Problem } from '../../parts/states.tsx'
import { Scopes } from './scope-choice.tsx'
import './keys.css'

type ApiKey = Read<'/v1/api-keys'>['apiKeys'][number]
type Created = Written<'/v1/api-keys', 'post'>

export function ApiKeys() {
  const keys = useRead('/v1/api-keys')
  return (
    <>
      <section className="card" aria-labelledby="api-keys">
        <header>
          <h2 id="api-keys">API keys</h2>
        </header>
        <Loaded of={keys}>{({ apiKeys }) => <List of={apiKeys} />}</Loaded>
      </section>
      <NewKey />
    </>
  )
}

function List({ of }: { readonly of: readonly ApiKey[] }) {
  if (of.length === 0) {
    return (
      <Empty title="There is no API key">
        <p>The bootstrap key, with which a registry is set up, is not listed.</p>
      </Empty>
    )
  }
  return (
    <ul className="entries">
      {of.map((key) => (
        <li key={key.id}>
          <KeyEntry apiKey={key} />
        </li>
      ))}
    </ul>
  )
}

function KeyEntry({ apiKey: { id, name, scopes, createdAt, createdBy } }: { readonly apiKey: ApiKey }) {
  const remove = useWrite('delete', '/v1/api-keys/{id}')
  return (
    <div className="spread">
      <div className="key-what">
        <p>
          <strong>
            <Foreign text={name} />
          </strong>{' '}
          <code className="quiet">
            <Foreign text={id} />
          </code>
        </p>
        <p>
          <Foreign text={scopes.join(' ')} mono />
        </p>
        <p className="quiet small">
          created <Moment at={createdAt} /> by <Foreign text={createdBy} />
        </p>
      </div>
      <Confirmed
        label="Delete"
        kind="danger"
        size="small"
        title={`Delete the API key ${printable(name)}`}
        affected={[
          <>
            Whoever uses the key <Foreign text={id} /> is refused from then on, and sessions that were begun
            with it end at once.
          </>,
          <>
            It may: <Foreign text={scopes.join(' ')} mono />
          </>,
        ]}
        command={() => ['switchyard', 'api-key', 'delete', id]}
        act={(reason) =>
          remove.mutateAsync({ address: { path: { id } }, body: reason === undefined ? {} : { reason } })
        }
      />
    </div>
  )
}

/** The state of the form of a new key. The key itself is only here, and goes with the form. */
function useNewKey() {
  const api = useApi()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>([])
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const [created, setCreated] = useState<Created | null>(null)
  const create = async (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
    setProblem(null)
    try {
      // By the API itself, since the cache keeps the answers of what `useWrite` sends.
      setCreated(await api.write('post', '/v1/api-keys', {}, { name, scopes }))
      setName('')
      setScopes([])
    } catch (error) {
      endSession(client, error)
      setProblem(toApiError(error))
    } finally {
      setAsking(false)
      void client.invalidateQueries({ queryKey: ['read', '/v1/api-keys'] })
    }
  }
  return { name, setName, scopes, setScopes, isAsking, problem, created, setCreated, create }
}

function NewKey() {
  const { name, setName, scopes, setScopes, isAsking, problem, created, setCreated, create } = useNewKey()
  return (
    <section className="card" aria-labelledby="new-key">
      <header>
        <h2 id="new-key">New API key</h2>
      </header>
      <form className="inset stack-close" onSubmit={(event) => void create(event)}>
        {created === null ? null : <Shown created={created} onDone={() => setCreated(null)} />}
        <label className="labelled">
          <span>Name: what will use it</span>
          <input
            className="field key-name"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <Scopes chosen={scopes} choose={setScopes} />
        {problem === null ? null : <Problem error={problem} />}
        <div className="labelled">
          <span>The same on the command line</span>
          <Command words={['switchyard', 'api-key', 'create', name || 'ci', ...scopeWords(scopes)]} />
        </div>
        <p>
          <button
            type="submit"
            className="button"
            data-kind="main"
            disabled={isAsking || name === '' || scopes.length === 0}
          >
            {isAsking ? 'Creating it …' : 'Create the key'}
          </button>
        </p>
      </form>
    </section>
  )
}

function Shown({ created, onDone }: { readonly created: Created; readonly onDone: () => void }) {
  return (
    <div className="notice" data-tone="good" role="status">
      <p>
        <strong>
          The key <Foreign text={created.name} /> was created.
        </strong>{' '}
        It is shown now and never again: copy it to where it is used.
      </p>
      <Copied text={created.key} label="API key" />
      {created.warnings.map((warning) => (
        <p key={warning} className="small">
          <Foreign text={warning} />
        </p>
      ))}
      <p>
        <button type="button" className="button" data-size="small" onClick={onDone}>
          I have copied it
        </button>
      </p>
    </div>
  )
}

function scopeWords(scopes: readonly string[]): readonly string[] {
  return ['--scope', ...(scopes.length === 0 ? ['read'] : scopes)]
}
