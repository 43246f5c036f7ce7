import { WINDOWS } from './choices.ts'

/** The choice of the window of time that usage is shown of. */
export function WindowChoice({
  hours,
  choose,
}: {
  readonly hours: number
  readonly choose: (hours: number) => void
}) {
  return (
    <label className="labelled">
      <span>Time</span>
      <select className="field" value={hours} onChange={({ target }) => choose(Number(target.value))}>
        {WINDOWS.map((one) => (
          <option key={one.hours} value={one.hours}>
            the last {one.text}
          </option>
        ))}
      </select>
    </label>
  )
}
