import { useRef, useState } from 'react'
import { countText } from '../parts/number-text.ts'
import { useLanguage, useWords, words } from '../words/words.ts'
import styles from './charts.module.css'
import { type ChartColumn, ChartFrame } from './frame.tsx'

const texts = words({ es: { time: 'Momento' }, en: { time: 'Time' } })

/** A chart has no more points than this. */
export const mostPoints = 720

export type Series = { id: string; label: string; kind: 'plain' | 'strong' | 'failed' }
export type HourBar = {
  id: string
  /** The time: “12:00”. */
  label: string
  /** The counts by series. */
  values: Readonly<Record<string, number>>
}

/** Counts by hour or day as stacked bars. Arrow keys move from bar to bar; screen readers announce the values of each. */
export function HourBars({
  label,
  series,
  bars,
}: {
  label: string
  series: readonly Series[]
  bars: readonly HourBar[]
}) {
  const { time } = useWords(texts)
  const language = useLanguage()
  const figure = (count: number) => countText(count, language, Number.POSITIVE_INFINITY)
  const shown = bars.slice(-mostPoints)
  const [active, setActive] = useState(0)
  const group = useRef<SVGSVGElement>(null)
  const most = Math.max(1, ...shown.map(bar => sumOf(bar, series)))
  const width = 100 / Math.max(1, shown.length)
  function move(to: number): void {
    const next = Math.max(0, Math.min(shown.length - 1, to))
    setActive(next)
    group.current?.querySelectorAll<SVGGElement>('[data-bar]')[next]?.focus()
  }
  const columns: ChartColumn[] = series.map(({ id, label: title }) => ({ id, title }))
  return (
    <ChartFrame
      label={label}
      legend={series.map(({ id, label: title, kind }) => ({
        id,
        label: title,
        kind,
        text: figure(shown.reduce((sum, bar) => sum + (bar.values[id] ?? 0), 0)),
      }))}
      table={{
        rowsTitle: time,
        columns,
        rows: shown.map(({ id, label: title, values }) => ({
          id,
          title,
          cells: series.map(one => figure(values[one.id] ?? 0)),
        })),
      }}
    >
      <svg
        ref={group}
        className={styles.bars}
        role="group"
        aria-label={label}
        onKeyDown={event => {
          const target = { ArrowRight: active + 1, ArrowLeft: active - 1, Home: 0, End: shown.length - 1 }[
            event.key
          ]
          if (target === undefined) return
          event.preventDefault()
          move(target)
        }}
      >
        {shown.map((bar, at) => (
          <g
            key={bar.id}
            data-bar=""
            role="img"
            aria-label={`${bar.label}: ${series.map(({ id, label: title }) => `${bar.values[id] ?? 0} ${title}`).join(', ')}`}
            tabIndex={at === active ? 0 : -1}
            onFocus={() => setActive(at)}
            className={styles.bar}
          >
            <rect x={`${at * width}%`} width={`${width}%`} height="100%" className={styles.hit} />
            <Stack bar={bar} series={series} x={(at + 0.1) * width} width={width * 0.8} most={most} />
          </g>
        ))}
      </svg>
      <div className={styles.axis}>
        <span>{shown[0]?.label}</span>
        <span>{shown.at(-1)?.label}</span>
      </div>
    </ChartFrame>
  )
}

function Stack({
  bar,
  series,
  x,
  width,
  most,
}: {
  bar: HourBar
  series: readonly Series[]
  x: number
  width: number
  most: number
}) {
  let top = 100
  return series.map(({ id, kind }) => {
    const value = bar.values[id] ?? 0
    const height = (value / most) * 100
    top -= height
    return value === 0 ? null : (
      <rect
        key={id}
        x={`${x}%`}
        y={`${top}%`}
        width={`${width}%`}
        height={`${height}%`}
        className={styles[kind]}
      />
    )
  })
}

function sumOf(bar: HourBar, series: readonly Series[]): number {
  return series.reduce((sum, { id }) => sum + (bar.values[id] ?? 0), 0)
}
