import { useEffect, useRef, useState } from 'react'
import { computeInvoiceFigures } from '#contract/billing/invoices.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { NewLine } from './draft.rules.ts'
import { draftTexts } from './draft.words.ts'
import styles from './invoice.module.css'
import { Sums } from './invoice-lines.tsx'

const pauseMs = 300

/** The sums of the lines as the server computes them, a moment after the person stops typing. */
export function DraftFigures({
  lines,
  currency,
  isRectifying,
}: {
  /** Undefined while a line cannot be read. */
  lines: NewLine[] | undefined
  currency: string
  isRectifying: boolean
}) {
  const text = useWords(draftTexts)
  const language = useLanguage()
  const settled = useSettled(JSON.stringify(lines ?? []))
  const settledLines = JSON.parse(settled) as NewLine[]
  const figures = useRead(
    computeInvoiceFigures,
    { body: { lines: settledLines, isRectifying } },
    { enabled: settledLines.length > 0 },
  )
  // the former sums stay until the new ones are there
  const last = useRef(figures.data)
  if (figures.data) last.current = figures.data
  const shown = figures.data ?? last.current
  if (lines !== undefined && lines.length === 0) return <p className={styles.quiet}>{text.noLines}</p>
  return (
    <div aria-busy={figures.isFetching} aria-live="polite">
      {figures.error && <Notice kind="danger">{textOfError(figures.error, language)}</Notice>}
      {shown && !figures.error && <Sums figures={shown} currency={currency} />}
    </div>
  )
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
