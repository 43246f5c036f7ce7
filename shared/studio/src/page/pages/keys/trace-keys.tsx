/** Trace keys: which one signs, a new one, and the end of an old one. */
import { useState } from 'react'
import type { Read } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Confirmed } from '../../parts/confirmed.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Pill, type Tone } from '../../parts/pill.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'

type TraceKey = Read<'/v1/trace-keys'>['traceKeys'][number]

const STATES: Readonly<Record<TraceKey['state'], { readonly tone: Tone; readonly text: string }>> = {
  signs: { tone: 'good', text: 'signs' },
  'can-sign': { tone: 'quiet', text: 'can sign' },
  'cannot-sign': { tone: 'warn', text: 'not in the key file of this registry' },
  'not-announced': { tone: 'warn', text: 'not announced to routers' },
  retired: { tone: 'quiet', text: 'retired' },
}

export function TraceKeys() {
  const keys = useRead('/v1/trace-keys')
  return (
    <section className="card" aria-labelledby="trace-keys">
      <header>
        <h2 id="trace-keys">Trace keys</h2>
        <NewTraceKey />
      </header>
      <p className="inset quiet small">
        To rotate them, make a new one: routers learn it within moments, and it signs from then on. Retire the
        old one a day later, when the last token that it can have signed has expired. Retire one that leaked
        at once.
      </p>
      <Loaded of={keys}>
        {({ traceKeys, warnings }) => (
          <>
            <Warnings of={warnings} />
            {traceKeys.length === 0 ? (
              <Empty title="There is no trace key">
                <p>
                  Trace tokens need one. A registry of <code>switchyard up</code> makes it with the first
                  token.
                </p>
              </Empty>
            ) : (
              <ul className="entries">
                {traceKeys.map((key) => (
                  <li key={key.kid}>
                    <TraceKeyEntry traceKey={key} />
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Warnings({ of }: { readonly of: readonly string[] }) {
  return of.map((warning) => (
    <p key={warning} className="inset small">
      <Foreign text={warning} />
    </p>
  ))
}

function NewTraceKey() {
  const create = useWrite('post', '/v1/trace-keys')
  const [warnings, setWarnings] = useState<readonly string[]>([])
  return (
    <div>
      <Confirmed
        label="Make a new one"
        size="small"
        title="Make a new trace key"
        affected={[
          <>A key is made in the key file of the registry, and all routers are told its public half.</>,
          <>Tokens are signed with it from then on. Tokens that were made before stay valid.</>,
        ]}
        command={() => ['switchyard', 'registry', 'trace-key', 'create']}
        act={async () => {
          const made = await create.mutateAsync({ address: {}, body: {} })
          setWarnings(made.warnings)
        }}
      />
      <Warnings of={warnings} />
    </div>
  )
}

function TraceKeyEntry({
  traceKey: { kid, state, createdAt, retiredAt, tokensUntil },
}: {
  readonly traceKey: TraceKey
}) {
  const retire = useWrite('delete', '/v1/trace-keys/{kid}')
  const { tone, text } = STATES[state]
  const mayBeValid = tokensUntil !== null && Date.parse(tokensUntil) > Date.now()
  return (
    <div className="spread">
      <div className="key-what">
        <p className="row">
          <Foreign text={kid} mono />
          <Pill tone={tone}>{text}</Pill>
        </p>
        <p className="quiet small">
          {createdAt === null ? (
            'routers do not know it'
          ) : (
            <>
              created <Moment at={createdAt} />
            </>
          )}
          {retiredAt === null ? null : (
            <>
              , retired <Moment at={retiredAt} />
            </>
          )}
        </p>
      </div>
      {state === 'retired' || state === 'not-announced' ? null : (
        <Confirmed
          label="Retire"
          kind="danger"
          size="small"
          title="Retire a trace key"
          affected={[
            <>
              Routers refuse all tokens that <Foreign text={kid} mono /> signed
              {mayBeValid ? (
                <>
                  ; some may be valid until <Foreign text={tokensUntil} />
                </>
              ) : (
                ''
              )}
              .
            </>,
            <>Its private half leaves the key file. It never comes back.</>,
          ]}
          command={() => ['switchyard', 'registry', 'trace-key', 'retire', kid]}
          act={() => retire.mutateAsync({ address: { path: { kid } }, body: {} })}
        />
      )}
    </div>
  )
}
