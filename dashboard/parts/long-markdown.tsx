import { memo, startTransition, useEffect, useRef, useState } from 'react'
import styles from './markdown.module.css'
import { MarkdownNodes } from './markdown-nodes.tsx'
import { type MarkdownReader, readMarkdown } from './markdown-reader.ts'
import { MarkdownSource } from './markdown-source.tsx'
import type { MarkdownPiece } from './markdown-worker.ts'

/**
 * Markdown that a worker reads and that is drawn piece by piece. Its source is shown until then, and stays if the
 * worker needs too long. The default export, because few texts are so long.
 */
export default function LongMarkdown({ text }: { text: string }) {
  const [pieces, setPieces] = useState<readonly MarkdownPiece[]>([])
  const [hasFailed, setFailed] = useState(false)
  const reader = useRef<MarkdownReader>(undefined)
  useEffect(() => {
    setPieces([])
    setFailed(false)
    reader.current = readMarkdown(text, {
      // React renders a transition in slices of a few milliseconds
      onPiece: piece => startTransition(() => setPieces(former => [...former, piece])),
      onFailure: () => setFailed(true),
    })
    return reader.current.stop
  }, [text])
  const isWhole = pieces.at(-1)?.isLast ?? false
  useEffect(() => {
    if (pieces.length === 0) return
    if (isWhole) reader.current?.stop()
    else reader.current?.next()
  }, [pieces, isWhole])
  if (pieces.length === 0) return <MarkdownSource text={text} isBusy={!hasFailed} />
  return (
    <div aria-busy={!isWhole}>
      {pieces.map(({ nodes }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added at the end
        <Piece key={at} nodes={nodes} />
      ))}
    </div>
  )
}

const Piece = memo(function Piece({ nodes }: Pick<MarkdownPiece, 'nodes'>) {
  return (
    <div className={styles.piece}>
      <MarkdownNodes nodes={nodes} />
    </div>
  )
})
