/** The bar above the editors: which composition answers, whether a trace is asked for, and what came. */
import { summaryOf } from './answer-summary.ts'
import type { Choices } from './choices.ts'
import { usePlayground } from './context.ts'
import { STAND_IN_PANEL } from './stand-in-panel.tsx'
import { useStore } from './store.ts'

/** `traceChosen` is called when somebody switches traces on. */
export function Controls({ traceChosen }: { readonly traceChosen: () => void }) {
  const playground = usePlayground()
  const { tracing } = useStore(playground.state)
  const choices = useStore(playground.choices)
  const answer = useStore(playground.answer)
  const silence = useStore(playground.watch.silence)
  const choose = (changed: Partial<Choices>) => playground.choices.set({ ...choices, ...changed })
  return (
    <header className="controls">
      <h1>Switchyard</h1>
      <FlagPicker />
      {tracing !== null && (
        <label>
          <input
            type="checkbox"
            checked={choices.trace}
            onChange={({ target }) => {
              choose({ trace: target.checked })
              if (target.checked) traceChosen()
            }}
          />
          Trace
        </label>
      )}
      {choices.trace && tracing?.needsToken === true && (
        <label>
          Trace token
          <input
            type="password"
            autoComplete="off"
            placeholder="switchyard router trace-token …"
            value={choices.token}
            onChange={({ target }) => choose({ token: target.value.trim() })}
          />
        </label>
      )}
      {choices.trace && tracing !== null && <StandInButton />}
      <output aria-label="Answer">{summaryOf(answer, silence !== null)}</output>
    </header>
  )
}

function FlagPicker() {
  const playground = usePlayground()
  const { flags } = useStore(playground.state)
  const choices = useStore(playground.choices)
  const { flag } = choices
  const refresh = () => void playground.watch.look()
  const isMissing = flag !== null && !flags.includes(flag)
  return (
    <label>
      Composition
      <select
        value={flag ?? ''}
        onFocus={refresh}
        onPointerEnter={refresh}
        onChange={({ target }) =>
          playground.choices.set({ ...choices, flag: target.value === '' ? null : target.value })
        }
      >
        <option value="">base (no flag named)</option>
        {flags.map((name) => (
          <option key={name} value={name}>
            flag {name}
          </option>
        ))}
        {isMissing && <option value={flag}>flag {flag} (not served: base answers)</option>}
      </select>
    </label>
  )
}

/** Opens and closes the fields for another user, and says when they are in effect. */
function StandInButton() {
  const playground = usePlayground()
  const choices = useStore(playground.choices)
  const isUsed = Object.values(choices.standIn).some((text) => text.trim() !== '')
  return (
    <button
      type="button"
      aria-expanded={choices.showsStandIn}
      {...(choices.showsStandIn && { 'aria-controls': STAND_IN_PANEL })}
      onClick={() => playground.choices.set({ ...choices, showsStandIn: !choices.showsStandIn })}
    >
      Try as another user{isUsed ? ' (on)' : ''}
    </button>
  )
}
