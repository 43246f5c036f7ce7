/** The picture of a chart. Its colours are tokens, read again when the system changes between light and dark. */
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ChartProps } from './chart-props.ts'

const HEIGHT = 132
/** The most series that are told apart by a colour, and by a pattern of their line. */
const LINES = [
  { colour: '--accent', dash: [] },
  { colour: '--good', dash: [6, 3] },
  { colour: '--warn', dash: [2, 3] },
  { colour: '--bad', dash: [8, 3, 2, 3] },
] as const

// oxlint-disable-next-line import/no-default-export -- React loads default exports lazily
export default function Plot({ times, series }: Pick<ChartProps, 'times' | 'series'>) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    let plot = draw(element, times, series)
    const fit = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    fit.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => {
      plot.destroy()
      plot = draw(element, times, series)
    }
    scheme.addEventListener('change', redraw)
    return () => {
      scheme.removeEventListener('change', redraw)
      fit.disconnect()
      plot.destroy()
    }
  }, [times, series])
  return <div ref={host} />
}

function draw(element: HTMLElement, times: ChartProps['times'], series: ChartProps['series']): UPlot {
  const colour = colourOf(element)
  const axis = {
    stroke: colour('--text-quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(element).fontFamily}`,
  }
  return new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
      axes: [
        { ...axis, values: '{HH}:{mm}' },
        { ...axis, size: 48 },
      ],
      series: [
        {},
        ...series.map((_, index) => {
          const line = LINES[index % LINES.length] ?? LINES[0]
          return { stroke: colour(line.colour), width: 2, dash: [...line.dash], points: { size: 4 } }
        }),
      ],
    },
    [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])],
    element,
  )
}

/** Finds colours of tokens as canvases understand them: `light-dark` means nothing there. */
function colourOf(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = element.appendChild(document.createElement('i'))
    probe.style.color = `var(${token})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}
