import { type ReactNode, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './charts.module.css'

const texts = words({
  es: { table: 'Ver como tabla', chart: 'Ver como gráfico' },
  en: { table: 'Show as table', chart: 'Show as chart' },
})

export type ChartColumn = { id: string; title: string }
/** The values of a chart as a table. */
export type ChartTable = {
  /** The title of the column with the titles of the rows. */
  rowsTitle: string
  columns: readonly ChartColumn[]
  rows: readonly { id: string; title: string; cells: readonly string[] }[]
}
export type LegendEntry = { id: string; label: string; kind: string; text: string }

/** The frame of every chart: its drawing or the same values as a table, and its legend. */
export function ChartFrame({
  label,
  legend,
  table,
  children,
}: {
  label: string
  legend: readonly LegendEntry[]
  /** The same values as a table; left out where the legend has every value. */
  table?: ChartTable
  children: ReactNode
}) {
  const text = useWords(texts)
  const [isTable, setTable] = useState(false)
  return (
    <figure className={styles.figure} aria-label={label}>
      {table && isTable ? (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{table.rowsTitle}</th>
                {table.columns.map(({ id, title }) => (
                  <th key={id} scope="col" className={styles.end}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(({ id, title, cells }) => (
                <tr key={id}>
                  <th scope="row">{title}</th>
                  {table.columns.map((column, at) => (
                    <td key={column.id} className={styles.end}>
                      {cells[at]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        children
      )}
      <figcaption className={styles.caption}>
        <dl className={styles.legend}>
          {legend.map(({ id, label: title, kind, text }) => (
            <div key={id}>
              <dt className={styles.term}>
                <svg className={styles.mark} aria-hidden="true">
                  <rect width="8" height="8" rx="2" className={styles[kind]} />
                </svg>
                {title}
              </dt>
              <dd className={styles.value}>{text}</dd>
            </div>
          ))}
        </dl>
        {table && (
          <Button kind="quiet" size="small" onPress={() => setTable(!isTable)}>
            {isTable ? text.chart : text.table}
          </Button>
        )}
      </figcaption>
    </figure>
  )
}
