import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useWords, words } from '../words/words.ts'
import { Button } from './button.tsx'
import { textNodes } from './markdown-node.ts'
import { MarkdownNodes } from './markdown-nodes.tsx'
import styles from './source.module.css'

const texts = words({
  es: { rest: (count: number) => `Mostrar ${count} líneas más`, empty: 'Está vacío' },
  en: { rest: (count: number) => `Show ${count} more lines`, empty: 'It is empty' },
})

/** A remark about a line; without a line, about the text as a whole. */
export type SourceNote = {
  id: string
  line: number | null
  kind: 'danger' | 'warn' | 'info'
  content: ReactNode
}

/** The browser lays out only the blocks in sight. */
const linesOfBlock = 100
/** More lines are drawn when the person asks for them. */
const shownLines = 5_000

/** A text as it is, with the numbers of its lines and remarks below the lines that they concern. */
export function Source({
  label,
  text,
  notes = [],
  current,
}: {
  /** Names it for screen readers. */
  label: string
  text: string
  notes?: readonly SourceNote[]
  /** The note that the person looks at: it comes into view and has the focus. */
  current?: string | undefined
}) {
  const { rest, empty } = useWords(texts)
  const region = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => text.replace(/\r?\n$/, '').split(/\r?\n/), [text])
  const noteLine = notes.find(({ id }) => id === current)?.line ?? 0
  const [wanted, setWanted] = useState(shownLines)
  const shown = Math.max(wanted, noteLine)
  useEffect(() => {
    if (current === undefined) return
    const note = region.current?.querySelector<HTMLElement>(`[data-note="${current}"]`)
    note?.scrollIntoView({ block: 'center' })
    note?.focus({ preventScroll: true })
  }, [current])
  const blocks = Math.ceil(Math.min(lines.length, shown) / linesOfBlock)
  const ofWhole = notes.filter(({ line }) => line === null || line > lines.length)
  return (
    <div ref={region} className={styles.source} role="group" aria-label={label}>
      {ofWhole.map(note => (
        <Note key={note.id} note={note} isCurrent={note.id === current} />
      ))}
      {text === '' && <p className={styles.empty}>{empty}</p>}
      {text !== '' &&
        Array.from({ length: blocks }, (_, block) => block * linesOfBlock).map(start => (
          <Block
            key={start}
            start={start}
            lines={lines.slice(start, Math.min(start + linesOfBlock, shown))}
            notes={notes.filter(({ line }) => line !== null && line > start && line <= start + linesOfBlock)}
            current={current}
          />
        ))}
      {lines.length > shown && (
        <div className={styles.more}>
          <Button onPress={() => setWanted(shown + shownLines)}>
            {rest(Math.min(shownLines, lines.length - shown))}
          </Button>
        </div>
      )}
    </div>
  )
}

const Block = memo(
  function Block({
    start,
    lines,
    notes,
    current,
  }: {
    start: number
    lines: readonly string[]
    notes: readonly SourceNote[]
    current: string | undefined
  }) {
    return (
      <div className={styles.block}>
        {lines.map((line, at) => {
          const number = start + at + 1
          const ofLine = notes.filter(note => note.line === number)
          return (
            <div key={number} className={styles.row}>
              <div className={`${styles.line} ${ofLine[0] ? styles[ofLine[0].kind] : ''}`}>
                <span className={styles.number} aria-hidden="true">
                  {number}
                </span>
                <code className={styles.text}>
                  <MarkdownNodes nodes={textNodes(line)} />
                </code>
              </div>
              {ofLine.map(note => (
                <Note key={note.id} note={note} isCurrent={note.id === current} />
              ))}
            </div>
          )
        })}
      </div>
    )
  },
  (former, next) =>
    former.start === next.start &&
    former.lines.length === next.lines.length &&
    former.lines.every((line, at) => line === next.lines[at]) &&
    former.notes.length === 0 &&
    next.notes.length === 0,
)

function Note({ note: { id, kind, content }, isCurrent }: { note: SourceNote; isCurrent: boolean }) {
  return (
    <div
      className={`${styles.note} ${styles[kind]}`}
      role="note"
      tabIndex={-1}
      data-note={id}
      data-current={isCurrent || undefined}
    >
      {content}
    </div>
  )
}
