/**
 * A path that cannot be resolved, drawn:
 *
 *     Query.products (catalogue)
 *     └─ Product.reviews (reviews)
 *        └─ Review.author
 *           ✗ from reviews: the @key(fields: "email") of subgraph "users" needs …
 */
import type { CompositionError } from '../contract/composition-result.ts'
import { withVisibleControls } from './visible-controls.ts'

/** Most steps of a path that is drawn as a whole. Longer paths are drawn without their middle. */
const MAX_STEPS = 20
const MAX_REASONS = 10

/** Empty, unless the error is about a path. */
export function drawPath(
  { path, reasons }: CompositionError,
  mark: (text: string) => string,
): readonly string[] {
  if (path === undefined) return []
  const drawn = path.map(({ coordinate, subgraph }) =>
    withVisibleControls(subgraph === null ? coordinate : `${coordinate} (${subgraph})`),
  )
  const steps =
    drawn.length <= MAX_STEPS
      ? drawn
      : [
          ...drawn.slice(0, MAX_STEPS / 2),
          `… ${drawn.length - MAX_STEPS} more steps`,
          ...drawn.slice(-MAX_STEPS / 2),
        ]
  const lines = steps.map((step, index) => (index === 0 ? step : `${' '.repeat(3 * (index - 1))}└─ ${step}`))
  const indent = ' '.repeat(3 * Math.max(0, steps.length - 1))
  const shown = (reasons ?? []).slice(0, MAX_REASONS)
  for (const { subgraph, reason } of shown)
    lines.push(`${indent}${mark('✗')} from ${withVisibleControls(subgraph)}: ${withVisibleControls(reason)}`)
  const more = (reasons?.length ?? 0) - shown.length
  if (more > 0) lines.push(`${indent}${mark('✗')} … and ${more} more reasons`)
  return lines
}
