/** A bar chart as SVG, for pages that show images and run nothing. */

export type Bars = {
  readonly title: string
  readonly unit: string
  readonly groups: readonly {
    readonly label: string
    readonly bars: readonly { readonly name: string; readonly value: number }[]
  }[]
}

const [WIDTH, LEFT, RIGHT, BAR, GAP, TOP] = [820, 210, 130, 18, 14, 46] as const
/** Colours that differ with deficient colour vision, too: https://jfly.uni-koeln.de/color/ */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'] as const

/**
 * Bars are as long as the logarithm of their value, from a tenth of the smallest on: what is compared
 * differs by a factor of ten and more.
 */
export function barChart({ title, unit, groups }: Bars): string {
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value))
  const lengthOf = scale(values)
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))]
  const parts: string[] = []
  let y = TOP
  for (const { label, bars } of groups) {
    parts.push(text(LEFT - 10, y + (bars.length * BAR) / 2 + 4, label, 'end'))
    for (const { name, value } of bars) {
      const colour = COLOURS[names.indexOf(name) % COLOURS.length] ?? COLOURS[0]
      const length = lengthOf(value)
      parts.push(`<rect x="${LEFT}" y="${y}" width="${length}" height="${BAR - 3}" fill="${colour}"/>`)
      parts.push(text(LEFT + length + 6, y + BAR - 6, `${shown(value)} ${unit} ${name}`, 'start'))
      y += BAR
    }
    y += GAP
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" font-family="sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>
${text(16, 24, title, 'start')}
${parts.join('\n')}
</svg>
`
}

/** Whole pixels for a value. Values must be above 0. */
function scale(values: readonly number[]): (value: number) => number {
  const [low, high] = [Math.min(...values) / 10, Math.max(...values)]
  const perDecade = (WIDTH - LEFT - RIGHT - 60) / Math.log10(high / low)
  return (value) => Math.round(Math.log10(value / low) * perDecade)
}

function text(x: number, y: number, content: string, anchor: 'start' | 'end'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#1a1a1a">${escaped(content)}</text>`
}

/** Three digits that mean something. */
export function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
