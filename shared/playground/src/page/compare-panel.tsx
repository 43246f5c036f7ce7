/** The last answer beside that of another composition, which is asked the same. */
import { type Answer, hasOperation } from '@switchyard/operation-views'
import { AnswerComparison } from '@switchyard/operation-views/views'
import { messageOf } from '@switchyard/values'
import { useEffect, useRef, useState } from 'react'
import type { PlaygroundAnswer } from './answer.ts'
import { type Playground, usePlayground } from './context.ts'
import { send, type SentOperation } from './send.ts'
import { Store, useStore } from './store.ts'

/** The comparison, or why there is none. */
type Compared =
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'answered'
      readonly answers: readonly [Answer, Answer]
      readonly names: readonly [string, string]
    }

const BASE = ''

export function ComparePanel() {
  const playground = usePlayground()
  const { flags } = useStore(playground.state)
  const answer = useStore(playground.answer)
  const sent = useStore(playground.sent)
  const [chosen, setChosen] = useState(BASE)
  const [compared, setCompared] = useState<Compared | null>(null)
  const run = useRef(0)
  // What was compared is not about the answer that comes next.
  useEffect(() => {
    run.current += 1
    setCompared(null)
  }, [sent])
  const isReady = sent !== null && answer?.merged != null && !answer.hasNext
  const compare = async (operation: SentOperation, first: PlaygroundAnswer, merged: Answer) => {
    const number = ++run.current
    setCompared({ kind: 'asking' })
    const next = await comparisonWith(playground, operation, chosen === BASE ? null : chosen, {
      first,
      merged,
    })
    if (number === run.current) setCompared(next)
  }
  return (
    <section className="panel">
      <h2>Compare</h2>
      <p>Asks another composition the last operation, with the same headers.</p>
      <p className="panel-head">
        <label>
          Other composition{' '}
          <select value={chosen} onChange={({ target }) => setChosen(target.value)}>
            <option value={BASE}>base (no flag named)</option>
            {flags.map((name) => (
              <option key={name} value={name}>
                flag {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          disabled={!isReady || compared?.kind === 'asking'}
          onClick={() => {
            if (sent !== null && answer?.merged != null) void compare(sent, answer, answer.merged)
          }}
        >
          Compare
        </button>
      </p>
      {isReady ? null : <p>Run an operation first, and wait for its whole answer.</p>}
      {compared?.kind === 'asking' ? <p role="status">Waiting for the other answer …</p> : null}
      {compared?.kind === 'failed' ? <p role="alert">{compared.message}</p> : null}
      {compared?.kind === 'answered' ? (
        <AnswerComparison answers={compared.answers} names={compared.names} />
      ) : null}
    </section>
  )
}

type First = { readonly first: PlaygroundAnswer; readonly merged: Answer }

async function comparisonWith(
  { state, choices }: Playground,
  { operation, headers }: SentOperation,
  flag: string | null,
  { first, merged }: First,
): Promise<Compared> {
  if (hasOperation(operation.query, 'mutation'))
    return { kind: 'failed', message: 'A mutation is not sent twice: comparing would change things again.' }
  const answer = new Store<PlaygroundAnswer | null>(null)
  const asked = new Store({ ...choices.value, flag, trace: false })
  try {
    const nothing = () => {}
    const sending = { state: state.value, choices: asked, answer, noAnswer: nothing, subscribed: nothing }
    // The store has the parts, and the values are for GraphiQL.
    for await (const _ of send(operation, headers, sending));
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) }
  }
  const other = answer.value
  if (other === null || other.merged === null)
    return { kind: 'failed', message: 'The other composition gave no answer that can be compared.' }
  return {
    kind: 'answered',
    answers: [merged, other.merged],
    names: [nameOf(first.flag), nameOf(other.flag)],
  }
}

function nameOf(flag: string | null): string {
  return flag === null ? 'base' : `flag ${flag}`
}

export function CompareIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M3 3h5v14H3zM12 3h5v14h-5zM14 8h1M14 11h1M5 8h1" />
    </svg>
  )
}
