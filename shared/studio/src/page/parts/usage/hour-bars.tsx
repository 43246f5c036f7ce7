/** Requests by the hour as bars, with the share of errors in them. */
import { countText } from './numbers.ts'
import type { UsageGroup } from './usage-table.tsx'

const HEIGHT = 60

export function HourBars({
  groups,
  from,
  hours,
}: {
  readonly groups: readonly UsageGroup[]
  readonly from: number
  readonly hours: number
}) {
  const most = Math.max(1, ...groups.map(({ requests }) => requests))
  const total = groups.reduce((sum, { requests }) => sum + requests, 0)
  return (
    <svg
      className="hour-bars"
      viewBox={`0 0 ${hours} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${countText(total)} requests by the hour, ${countText(most)} at most in one`}
    >
      <rect className="ground" width={hours} height={HEIGHT} />
      {groups.map(({ hour = 0, requests, errors }) => {
        const x = Math.round((hour - from) / 3_600_000)
        const height = (requests / most) * HEIGHT
        const failed = (errors / most) * HEIGHT
        return (
          <g key={hour}>
            <rect className="requests" x={x + 0.1} width={0.8} y={HEIGHT - height} height={height} />
            <rect className="failed" x={x + 0.1} width={0.8} y={HEIGHT - failed} height={failed} />
          </g>
        )
      })}
    </svg>
  )
}
