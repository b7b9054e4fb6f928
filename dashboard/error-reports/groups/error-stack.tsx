import { useState } from 'react'
import { useDeviceSettings } from '../../data/device-settings.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { useWords } from '../../words/words.ts'
import styles from './error-body.module.css'
import { errorDetailTexts } from './error-details.words.ts'
import { type StackLine, stackOf } from './stack.rules.ts'

/** The stack of a sample: the application's own frames, or the text as it was sent. The choice stays (`w`). */
export function ErrorStack({ stack }: { stack: string }) {
  const text = useWords(errorDetailTexts)
  const [{ isStackRaw }, change] = useDeviceSettings()
  const toggle = () => change({ isStackRaw: !isStackRaw })
  useShortcuts({ w: { label: text.raw, action: toggle } }, text.stack)
  return (
    <section className={styles.part}>
      <header className={styles.partHead}>
        <h3 className={styles.partTitle}>{text.stack}</h3>
        <Button kind="quiet" size="small" shortcut="w" onPress={toggle}>
          {isStackRaw ? text.ownFrames : text.raw}
        </Button>
        {!isStackRaw && <CopyButton text={stack} />}
      </header>
      {isStackRaw ? <Code text={stack} label={text.stack} /> : <Frames stack={stack} />}
    </section>
  )
}

function Frames({ stack }: { stack: string }) {
  const text = useWords(errorDetailTexts)
  const [showsAll, setShowsAll] = useState(false)
  const { lines } = stackOf(stack)
  const own = lines.filter(({ kind }) => kind !== 'library')
  const hiddenCount = lines.length - own.length
  const hasOwn = own.some(({ kind }) => kind === 'own')
  const shown = showsAll || !hasOwn ? lines : own
  // a stack in an unknown form
  if (lines.length === 0) return <Code text={stack} label={text.stack} />
  return (
    <>
      <ol className={styles.frames} aria-label={text.stack}>
        {shown.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the frames of a stack have no other identity
          <Frame key={at} line={line} />
        ))}
      </ol>
      {hasOwn && hiddenCount > 0 && (
        <div>
          <Button
            kind="quiet"
            size="small"
            icon={showsAll ? 'minus' : 'plus'}
            onPress={() => setShowsAll(!showsAll)}
          >
            {text.libraryFrames(hiddenCount)}
          </Button>
        </div>
      )}
    </>
  )
}

function Frame({ line: { kind, name, place, source } }: { line: StackLine }) {
  const text = useWords(errorDetailTexts)
  return (
    <li className={`${styles.frame} ${styles[kind] ?? ''}`}>
      <span className={styles.frameName}>{name || text.anonymous}</span>
      {place && <span className={styles.framePlace}>{place}</span>}
      {source && <code className={styles.source}>{source}</code>}
    </li>
  )
}
