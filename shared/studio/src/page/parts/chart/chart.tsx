/** A small chart of a figure by minutes. Its picture is loaded when it is shown; its numbers are in a table. */
import { lazy, Suspense } from 'react'
import { Foreign } from '../foreign.tsx'
import './chart.css'
import type { ChartProps } from './chart-props.ts'

const Plot = lazy(() => import('./plot.tsx'))
const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short', hour12: false })
const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

export function Chart({ title, summary, unit, times, series }: ChartProps) {
  return (
    <figure className="chart" aria-label={title}>
      <figcaption>
        <strong>{title}</strong>
        <span className="quiet small">{summary}</span>
      </figcaption>
      <div className="chart-plot" aria-hidden="true">
        <Suspense fallback={null}>
          <Plot times={times} series={series} />
        </Suspense>
      </div>
      <ul className="chart-key small">
        {series.map(({ label }, index) => (
          <li key={label} data-series={index}>
            <Foreign text={label} />
          </li>
        ))}
      </ul>
      <details>
        <summary className="small">Numbers</summary>
        <div
          className="table-scroll chart-numbers"
          role="region"
          aria-label={`${title}, numbers`}
          tabIndex={0}
        >
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Minute</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" className="number">
                    <Foreign text={label} /> ({unit})
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, at) => (
                <tr key={time}>
                  <td>{CLOCK.format(time)}</td>
                  {series.map(({ label, values }) => (
                    <td key={label} className="number">
                      {formatted(values[at] ?? null)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

export function formatted(value: number | null): string {
  return value === null ? '–' : NUMBER.format(value)
}
