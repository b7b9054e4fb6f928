import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import styles from './drop-area.module.css'
import { type DroppedFile, filesOfDrop } from './dropped-files.ts'

/**
 * A part of the page on which a person drops files and folders anywhere. It is beside a FileDrop or a button, which the
 * keyboard reaches; while files are over it, it says what happens.
 */
export function DropArea({
  hint,
  isDisabled = false,
  onFiles,
  children,
}: {
  /** Shown while files are dragged over it: “Drop to attach”. */
  hint: string
  isDisabled?: boolean
  onFiles: (files: readonly DroppedFile[]) => void
  children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)

  /** Takes the event before the drop zones inside, which know only files. */
  function take(event: DragEvent): boolean {
    if (isDisabled || !event.dataTransfer.types.includes('Files')) return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  function enter(by: 1 | -1): void {
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  return (
    <div
      className={styles.area}
      role="presentation"
      onDragEnterCapture={event => take(event) && enter(1)}
      onDragLeaveCapture={event => take(event) && enter(-1)}
      onDragOverCapture={event => {
        if (take(event)) event.dataTransfer.dropEffect = 'copy'
      }}
      onDropCapture={event => {
        if (!take(event)) return
        depth.current = 0
        setOver(false)
        void filesOfDrop(event.dataTransfer).then(files => files.length > 0 && onFiles(files))
      }}
    >
      {children}
      {isOver && (
        <div className={styles.over} aria-hidden="true">
          <span className={styles.hint}>{hint}</span>
        </div>
      )}
    </div>
  )
}
