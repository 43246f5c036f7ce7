/** The fields for another user, for whom the router chooses the composition of traced requests. */
import { useId } from 'react'
import { usePlayground } from './context.ts'
import { NOBODY_ELSE, readStandIn, type StandInFields } from './stand-in.ts'
import { useStore } from './store.ts'

/** The id of the panel, for the button that opens it. */
export const STAND_IN_PANEL = 'another-user'

export function StandInPanel() {
  const playground = usePlayground()
  const choices = useStore(playground.choices)
  const { tracing } = useStore(playground.state)
  if (!choices.trace || !choices.showsStandIn || tracing === null) return null
  const { standIn } = choices
  const { problems } = readStandIn(standIn)
  const type = (changed: Partial<StandInFields>) =>
    playground.choices.set({ ...choices, standIn: { ...standIn, ...changed } })
  const lacksToken = tracing.needsToken && choices.token === ''
  return (
    <section className="stand-in" id={STAND_IN_PANEL} aria-label="Try as another user">
      <p>
        This decides which composition answers: the one that this user would get. It does not change who you
        are. Your own token, headers and cookies still decide what you may see, and are what subgraphs get.
      </p>
      <div className="fields">
        <Field
          label="Claims (JSON)"
          placeholder={'{"sub": "ann", "plan": "pro"}'}
          text={standIn.claims}
          problem={problems.claims}
          typed={(claims) => type({ claims })}
        />
        <Field
          label="Headers"
          placeholder={'X-Region: eu\none in each line'}
          text={standIn.headers}
          problem={problems.headers}
          typed={(headers) => type({ headers })}
        />
        <Field
          label="Cookies"
          placeholder={'visitor=a1b2\none in each line'}
          text={standIn.cookies}
          problem={problems.cookies}
          typed={(cookies) => type({ cookies })}
        />
      </div>
      <div className="foot">
        <p className="quiet" role="status">
          {lacksToken
            ? 'Nothing of this is sent without a trace token.'
            : 'Claims replace all of your own, and headers with cookies all of yours. A flag that you choose above wins.'}
        </p>
        <button type="button" onClick={() => type(NOBODY_ELSE)}>
          Clear
        </button>
      </div>
    </section>
  )
}

type FieldProperties = {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly problem: string | null
  readonly typed: (text: string) => void
}

function Field({ label, placeholder, text, problem, typed }: FieldProperties) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        onChange={({ target }) => typed(target.value)}
      />
      <p className="problem" id={`${id}-problem`} aria-live="polite">
        {problem}
      </p>
    </div>
  )
}
