import { useMemo } from 'react'
import styles from './markdown.module.css'
import { textNodes } from './markdown-node.ts'
import { MarkdownNodes } from './markdown-nodes.tsx'

/** Lines of together at most 4,000 characters, or one longer line: the browser lays out only the pieces in sight. */
const pieces = /.{1,4000}(?:\n|$)|[^\n]+\n?/gs

/** A text as it is, with the controls of direction made visible. */
export function MarkdownSource({ text, isBusy = false }: { text: string; isBusy?: boolean }) {
  const drawn = useMemo(
    () =>
      text.match(pieces)?.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
        <span key={at} className={styles.piece}>
          <MarkdownNodes nodes={textNodes(piece)} />
        </span>
      )),
    [text],
  )
  return (
    <pre className={styles.source} aria-busy={isBusy}>
      {drawn}
    </pre>
  )
}
