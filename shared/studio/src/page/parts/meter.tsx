import type { Tone } from './pill.tsx'

/** A share as a bar: `value` of `total`. The number stands beside it, so readers of the screen skip the bar. */
export function Meter({
  value,
  total,
  tone,
}: {
  readonly value: number
  readonly total: number
  readonly tone: Tone
}) {
  const share = total === 0 ? 0 : Math.min(1, value / total)
  return (
    <svg className="meter" data-tone={tone} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="ground" width="100" height="6" rx="3" />
      <rect className="fill" width={share * 100} height="6" rx="3" />
    </svg>
  )
}
